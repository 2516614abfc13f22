import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runVitest } from '../support/run-vitest.js'
import { folder, run } from './support.js'

const NAMES = ['retrial.setup.ts', 'vitest.config.mts', 'specs/retry.spec.ts']

test('it writes setup file, config and a first spec, and that project runs', async () => {
  const cwd = folder()
  const { code, out } = await run(['init'], { cwd })
  expect(code).toBe(0)
  for (const name of NAMES) expect(out).toContain(`wrote ${name}`)
  const files = Object.fromEntries(NAMES.map((name) => [name, readFileSync(join(cwd, name), 'utf8')]))
  // The project as it was written, but with `retrial` as this checkout.
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const config = `
    import { mergeConfig } from 'vitest/config'
    import { alias } from '${root}vitest.config.ts'
    import own from './vitest.config.mts'
    export default mergeConfig(own, { resolve: { alias } })`
  const { tests, output } = await runVitest({ ...files, 'alias.config.ts': config }, ['--config', 'alias.config.ts'])
  expect(
    tests.map(({ name, status }) => [name, status]),
    output,
  ).toEqual([
    ['it waits as long as the server asks, and then succeeds', 'passed'],
    ['it does not repeat what will not change', 'passed'],
  ])
})

test('it never overwrites: what is there is kept and named', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'retrial.setup.ts'), 'mine')
  writeFileSync(join(cwd, 'vite.config.js'), 'mine')
  const { code, out } = await run(['init', '.'], { cwd })
  expect(code).toBe(0)
  expect(out).toContain('kept  retrial.setup.ts, which is there already')
  expect(out).toContain("Add to vite.config.js, unless it is there: test: { setupFiles: ['./retrial.setup.ts'] }")
  expect(readFileSync(join(cwd, 'retrial.setup.ts'), 'utf8')).toBe('mine')
  expect(existsSync(join(cwd, 'vitest.config.mts'))).toBe(false)
  expect(JSON.parse((await run(['init', '--json'], { cwd })).out)).toEqual({
    written: [],
    kept: ['retrial.setup.ts', 'vite.config.js', 'specs/retry.spec.ts'],
  })
})
