import { expect, test } from 'vitest'
import { contract, wrong } from '../../fixtures/clients/index.js'
import { NOT_EXPOSABLE } from '../../fixtures/search/exposable.js'
import { judge } from '../../src/guarantees/judge.js'
import { search } from '../../src/search/run.js'
import { runTrial } from '../../src/trial/run-trial.js'
import { expectFound } from './expect-found.js'

// One for each kind of state: a status, a count, a hint, a key, a damaged body, a clock, an abort, a second call. All: find.full.spec.ts.
const SOME = [
  'retries-404',
  'one-attempt-too-many',
  'hint-ignored',
  'new-key-per-attempt',
  'truncated-accepted',
  'deadline-per-attempt',
  'abort-ignored-in-wait',
  'later-answer-unclassified',
]

test.each(SOME.flatMap((name) => [1, 2].map((seed) => [name, seed] as const)))('finds %s with seed %d', async (name, seed) => {
  await expectFound(name, wrong[name]!, { seed, runs: 200 })
})

test('what the search cannot find is a client of the kill matrix', () => {
  expect(Object.keys(NOT_EXPOSABLE).filter((name) => !(name in wrong))).toEqual([])
})

test('the text and the seed of a counterexample both give the same failure again', async () => {
  const { client } = wrong['hint-ignored']!
  const found = (await search(client, contract, { runs: 100, seed: 3 })).counterexample!
  const trial = await runTrial(client, JSON.parse(found.schedule), JSON.parse(JSON.stringify(found.options)))
  expect(trial.statuses).toEqual(found.trials[0]!.statuses)
  expect(trial.attempts.map(({ arrivedAtMs }) => arrivedAtMs)).toEqual(
    found.trials[0]!.attempts.map(({ arrivedAtMs }) => arrivedAtMs),
  )
  expect(judge(trial, contract).find(({ kind }) => kind === 'fail')?.reasons[0]?.text).toBe(found.broken[0]?.reasons[0]?.text)

  const replayed = (await search(client, contract, { seed: 3, path: found.path! })).counterexample!
  expect(replayed.schedule).toBe(found.schedule)
  expect(replayed.draw.plan).toEqual(found.draw.plan)
  expect(replayed.runsUntilFound).toBe(1)
})
