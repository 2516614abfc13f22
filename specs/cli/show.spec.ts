import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { trialOf } from '../support/make-trial.js'
import { folder, run } from './support.js'

const limited = trialOf({
  attempts: [
    { status: 429, headers: { 'Retry-After': '30' } },
    { at: 500, status: 200 },
  ],
})
const fine = trialOf({ attempts: [{ status: 200 }] })

function saved(trials: readonly unknown[]): string {
  const cwd = folder()
  writeFileSync(join(cwd, 'trace.json'), JSON.stringify(trials.length === 1 ? trials[0] : trials))
  return cwd
}

test('a saved trial is shown as the timeline that it is', async () => {
  expect(await run(['show', 'trace.json'], { cwd: saved([limited]) })).toEqual({ code: 0, out: limited.timeline(), err: '' })
})

test('several are named, and one of them can be chosen', async () => {
  const cwd = saved([limited, fine])
  const both = await run(['show', 'trace.json'], { cwd })
  expect(both.out).toBe(`trace 1 (client)\n${limited.timeline()}\n\ntrace 2 (client)\n${fine.timeline()}`)
  expect((await run(['show', 'trace.json', '--run', '2'], { cwd })).out).toBe(fine.timeline())
  const none = await run(['show', 'trace.json', '--run', '3'], { cwd })
  expect([none.code, none.err]).toEqual([2, 'error: --run: trace.json holds 2 traces, received 3'])
})

test('as a picture, to a file; only ASCII; from standard input', async () => {
  const cwd = saved([limited, fine])
  const picture = await run(['show', 'trace.json', '--svg', '--run', '1', '-o', 'trace.svg'], { cwd })
  expect([picture.code, picture.out, picture.err]).toEqual([0, '', 'saved trace.svg'])
  expect(readFileSync(join(cwd, 'trace.svg'), 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\s*$/)
  expect((await run(['show', 'trace.json', '--svg'], { cwd })).err).toContain('a picture is of one: choose it with --run')
  const ascii = await run(['show', '-', '--ascii'], { stdin: JSON.stringify(limited) })
  expect(ascii.out).toMatch(/^[ -~\n]+$/)
})

test('the decision table: text, Markdown, JSON, and 1 for a client that breaks a rule', async () => {
  const cwd = saved([limited, fine])
  const text = await run(['diagnose', 'trace.json'], { cwd })
  expect(text.code).toBe(1)
  expect(text.out).toMatch(/^✗ 1 of 2 calls: the client came back before Retry-After had passed$/m)
  expect((await run(['diagnose', 'trace.json', '--markdown'], { cwd })).out).toMatch(/^\| observation \| count \|/)
  const json = await run(['diagnose', 'trace.json', 'trace.json', '--json'], { cwd })
  expect(JSON.parse(json.out)).toMatchObject({ runs: 4, rows: [{ id: 'hint-ignored', count: 2, of: 4 }] })
  const well = await run(['diagnose', '-'], { stdin: JSON.stringify(fine) })
  expect([well.code, well.out.split('\n')[2]]).toEqual([
    0,
    '· 1 of 1 call: the first attempt was answered with a success, every time',
  ])
})
