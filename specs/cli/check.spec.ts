import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { exitOfReport } from '../../src/cli/commands/check.js'
import type { ContractReport } from '../../src/contract/index.js'
import { ending, folder, launch, run } from './support.js'

// vitest runs in vitest here, so each of these is a process of its own.

const check = (files: Readonly<Record<string, string>>, ...argv: string[]) => {
  const cwd = folder()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content)
  return ending(launch(['check', ...argv], cwd))
}

const SOUND = fileURLToPath(new URL('../../fixtures/clients/core/loop.ts', import.meta.url))

test('a sound client in TypeScript is upheld', async () => {
  const client = `
    import { retryLoop } from '${SOUND}'
    import type { Call } from '${SOUND.replace('loop', 'types')}'
    export const client = { name: 'sound', form: 'call', options: {}, implementation: { create: () => undefined, call: (_: unknown, call: Call) => retryLoop(call) } }
    export const contract = { attemptTimeoutMs: 2000 }
  `
  const { code, out, err } = await check({ 'client.ts': client }, 'client.ts', '-X', 'GET', '--stages', '3')
  expect(err).toBe('')
  expect(out).toMatch(/^sound: catalogue@/m)
  expect(code).toBe(0)
}, 60_000)

test('a client in TypeScript is read below a project that has packages; one that sends nothing is no verdict', async () => {
  const cwd = folder()
  mkdirSync(join(cwd, 'node_modules'))
  writeFileSync(join(cwd, 'client.ts'), 'export default async (url: string): Promise<number> => url.length')
  const { code, err } = await ending(launch(['check', 'client.ts', '-X', 'GET', '--stages', '2'], cwd))
  expect(err).toContain('error: client.ts: client.ts: no request reached the server.')
  expect(code).toBe(2)
}, 60_000)

test('a module that never finishes loading is given up, and one that ends the process is no success', async () => {
  const files = { 'hangs.mjs': 'await new Promise(() => {})\nexport default fetch', 'ends.mjs': 'process.exit(0)' }
  const [late, ended] = await Promise.all([
    check(files, 'hangs.mjs', '--load-timeout', '300'),
    (async () => {
      const cwd = folder()
      writeFileSync(join(cwd, 'ends.mjs'), files['ends.mjs'])
      return ending(launch(['probe', 'http://127.0.0.1:1', '--client', 'ends.mjs', '--no-out'], cwd))
    })(),
  ])
  expect([late.code, late.err]).toEqual([2, expect.stringContaining('it had not finished loading after 300 ms')])
  expect([ended.code, ended.err]).toEqual([2, expect.stringContaining('the process ended before the command was done')])
}, 60_000)

test('broken beats everything, and where nothing was shown it is inconclusive', () => {
  const exit = (counts: object, failures = 0) =>
    exitOfReport({ counts: { passed: 0, failed: 0, stale: 0, ...counts } as ContractReport['counts'] }, failures)
  expect([exit({ passed: 3 }), exit({ passed: 3, failed: 1 }, 1), exit({ passed: 3, stale: 1 }, 1)]).toEqual([0, 1, 1])
  // A promise of which no case was met fails a test, but breaks no case.
  expect([exit({ passed: 3 }, 1), exit({})]).toEqual([3, 3])
})

test('a client that drops the key is broken: timelines, report, exit code', async () => {
  const client = `
    export default async function keyless(url, { method, body, signal }) {
      for (let n = 1; ; n++) {
        try {
          return await fetch(url, { method, body, signal })
        } catch (error) {
          if (n === 3 || signal.aborted) throw error
        }
      }
    }
  `
  const { code, out } = await check({ 'client.mjs': client }, 'client.mjs', '-X', 'POST', '--stages', '3', '--json')
  expect(code).toBe(1)
  const report = JSON.parse(out) as { client: string; outcomes: { id: string; status: string }[]; failures: string[] }
  expect(report.client).toBe('keyless')
  expect(report.outcomes.find(({ id }) => id === 'IDM-05')?.status).toBe('failed')
  expect(report.failures.find((text) => text.startsWith('IDM-05'))).toContain('✗ repeated without a key')
}, 60_000)

test('a module without a client says what it exports; one that cannot be loaded says why', async () => {
  const [none, wrong] = await Promise.all([
    check({ 'none.ts': 'export const helper: number = 1\nexport const other = 2' }, 'none.ts'),
    check({ 'wrong.ts': "import 'no-such-package'\nexport default fetch" }, 'wrong.ts'),
  ])
  expect(none).toMatchObject({ code: 2, out: '' })
  expect(none.err).toContain('error: none.ts: expected an export named client, or a default one; it exports ')
  expect(none.err).toContain('helper')
  expect(wrong).toMatchObject({ code: 2, out: '' })
  expect(wrong.err).toContain('error: cannot check wrong.ts:')
  expect(wrong.err).toContain('no-such-package')
}, 60_000)

test('a contract that cannot be is refused before anything runs', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'client.mjs'), 'export default fetch')
  writeFileSync(join(cwd, 'contract.json'), '{"maxAttempts":0}')
  const { code, err } = await run(['check', 'client.mjs', '--contract', 'contract.json'], { cwd })
  expect([code, err]).toEqual([2, 'error: contract.maxAttempts: expected an integer >= 1, received 0'])
})
