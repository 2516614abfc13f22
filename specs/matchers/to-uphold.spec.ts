import { expect, test } from 'vitest'
import { runVitest } from '../support/run-vitest.js'

const HEAD = `
import { defineClient, runTrial } from 'retrial'
import { expect, test } from 'vitest'
const contract = { maxAttempts: 4 }
const send = async ({ url, method, headers, body, signal }) => {
  const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' })
  await response.arrayBuffer()
  return response
}
const known = Object.fromEntries(['CLS-03', 'CLS-15', ...Array.from({ length: 14 }, (_, i) => 'RAF-' + String(i + 1).padStart(2, '0'))].map((rule) => [rule, 'T-1']))
const once = defineClient('once', (call) => send(call))
const stubborn = defineClient('stubborn', async (call) => {
  for (let attempt = 1; attempt <= 4; attempt++) {
    const response = await send(call)
    if (response.status !== 503 && response.status !== 404) return response
  }
})
`

test('a broken promise of a client fails with the smallest schedule, its timeline and the ways to replay it', async () => {
  const { tests } = await runVitest({
    'broken.spec.ts': `${HEAD}
      test('broken', async () => { await expect(stubborn).toUphold(contract, { runs: 300, seed: 1, call: { method: 'GET' }, maxCalls: 1 }) }, 60_000)
      test('with known failures', async () => {
        await expect(stubborn).toUphold(contract, { runs: 40, seed: 1, call: { method: 'GET' }, maxCalls: 1, known })
      }, 60_000)
    `,
  })
  const { status, failure } = tests[0]!
  expect(status).toBe('failed')
  expect(failure).toMatch(/^.*toUphold: attempt 2 /)
  expect(failure).toMatch(/ {2}found {5}run \d+, seed 1, path "[\d:]+"; shrunk \d+ times?\n/)
  expect(failure).toMatch(/ {2}in a test await expect\(await runTrial\(client, \[.*\], \{.*\}\)\)\.toUphold\(contract\)\n/)
  expect(failure).toMatch(/ {2}by hand {3}npx retrial serve '\[.*\]'\n/)
  expect(failure).toMatch(/ {2}by seed {3}toUphold\(contract, \{ seed: 1, path: '[\d:]+' \}\)/)
  expect(tests[1]!.failure).toBe('')
})

test('a client that keeps its promises passes, and its negation fails', async () => {
  const { tests, output } = await runVitest({
    'kept.spec.ts': `${HEAD}
      test('kept', async () => { await expect(once).toUphold({ maxAttempts: 1 }, { runs: 30, print: true }) }, 60_000)
      test('negated', async () => { await expect(once).not.toUphold({ maxAttempts: 1 }, { runs: 30 }) }, 60_000)
    `,
  })
  expect(tests.map(({ status }) => status)).toEqual(['passed', 'failed'])
  expect(tests[1]!.failure).toContain('not.toUphold: upheld in 30 runs (seed 1;')
  expect(output).toContain('pairs met: fault × hint')
})

test('what was never met is inconclusive in both polarities, and so is a search that the time-out of its test cut short', async () => {
  const { tests } = await runVitest({
    'vacuous.spec.ts': `${HEAD}
      test('nothing', async () => { await expect(once).toUphold({ stages: [5] }, { runs: 2 }) }, 60_000)
      test('not nothing', async () => { await expect(once).not.toUphold({ stages: [5] }, { runs: 2 }) }, 60_000)
      test('out of time', async () => { await expect(once).toUphold({}, { runs: 100_000 }) }, 2_000)
      test('content with less', async () => { await expect(once).toUphold({}, { runs: 100_000, budgetMs: 1_000 }) }, 60_000)
    `,
  })
  expect(tests.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'passed'])
  expect(tests[0]!.failure).toContain('inconclusive: none of 21 runs met anything that the contract speaks about')
  expect(tests[1]!.failure).toContain('inconclusive: none of 21 runs met anything')
  expect(tests[2]!.failure).toMatch(/inconclusive: only \d+ of 100000 runs \(seed 1\) fitted into the test's time-out of 2000 ms/)
})

test('misuse is named', async () => {
  const { tests } = await runVitest({
    'misuse.spec.ts': `${HEAD}
      test('search of a trial', async () => { await expect(await runTrial(once, [200])).toUphold({}, { runs: 5 }) })
      test('seeds', async () => { await expect(once).toUphold({}, { seeds: 5 }) })
      test('unknown', async () => { await expect(once).toUphold({}, { rums: 5 }) })
      test('runs', async () => { await expect(once).toUphold({}, { runs: -5 }) })
      test('asymmetric', () => { expect([once]).toEqual([expect.toUphold({})]) })
    `,
  })
  const [ofTrial, seeds, unknown, runs, asymmetric] = tests.map(({ failure }) => failure)
  expect(ofTrial).toContain('toUphold(options).runs: only for a client; a trial is judged as it is')
  expect(seeds).toContain('toUphold(options).seeds: a search takes one seed: { seed: 1 }, received 5')
  expect(unknown).toContain('toUphold(options).rums: unknown option')
  expect(runs).toContain('search options.runs: expected an integer of at least 1, received -5')
  expect(asymmetric).toContain('a client cannot be judged inside an asymmetric matcher')
})
