import { expect, test } from 'vitest'
import { type AttemptSketch, trialOf, unsettled } from '../support/make-trial.js'
import { judged } from './support.js'

/** Calls by what they met, attempt by attempt, one call after the other. */
function calls(...met: readonly (readonly number[])[]) {
  const attempts = met.flatMap((statuses, call) =>
    statuses.map((status, index): AttemptSketch => ({ call, at: call * 1_000 + index * 100, status })),
  )
  const started = met.map((_, call) => ({ startedAt: call * 1_000 }))
  return trialOf({ method: 'GET', attempts, calls: started })
}
const budget = { tokens: 2, ratio: 0.75 }
const reasons = (trial: ReturnType<typeof calls>, promised = budget) =>
  judged('layers', trial, { budget: promised }).reasons.filter(({ rule }) => rule === 'BUD-02')
const kinds = (trial: ReturnType<typeof calls>) => reasons(trial).map(({ kind, text }) => `${kind}: ${text}`)

const OUT = [503]
const WELL = [200]

test('a budget that is used up by an outage and comes back with successes passes', () => {
  expect(kinds(calls([503, 503], OUT, OUT, WELL, WELL, [503, 200]))).toEqual([
    'pass: call 6 was tried again: 2 calls in between had refilled the budget',
  ])
})

test('a budget that never comes back fails', () => {
  expect(kinds(calls([503, 503], OUT, OUT, WELL, WELL, OUT))).toEqual([
    'fail: call 6 was not tried again, although 2 calls had succeeded since the budget was used up',
  ])
})

test('what successes have not earned, or another failure has taken, need not come back', () => {
  const notTried = 'inconclusive: after the budget was used up, the calls that succeeded had not earned a whole token'
  expect(kinds(calls([503, 503], OUT, OUT, WELL, OUT))[0]).toBe(notTried)
  expect(kinds(calls([503, 503], OUT, OUT, WELL, WELL, [503, 503], OUT))[0]).toBe(
    'pass: call 6 was tried again: 2 calls in between had refilled the budget',
  )
  // A refusal for good is not tried again, whatever there is to spend.
  expect(kinds(calls([503, 503], OUT, OUT, WELL, WELL, [404]))[0]).toBe(notTried)
  expect(reasons(calls([503, 503], OUT, OUT, WELL, WELL, OUT), { tokens: 2, ratio: 0 })[0]?.kind).toBe('inconclusive')
})

test('a POST that is not repeated does not show an empty budget', () => {
  const trial = trialOf({
    method: 'POST',
    key: null,
    attempts: [503, 200, 200, 503].map((status, call): AttemptSketch => ({ call, at: call * 1_000, status })),
    calls: [0, 1, 2, 3].map((call) => ({ startedAt: call * 1_000 })),
  })
  expect(kinds(trial)).toEqual(['inconclusive: the budget was not seen to be used up, and to be asked for again after successes'])
})

test('more re-sends than tokens, and what successes earn, fail', () => {
  const trial = calls([503, 503, 503, 503], OUT)
  const [reason] = reasons(trial, { tokens: 2, ratio: 0 })
  expect(reason).toMatchObject({
    kind: 'fail',
    text: '2 calls made 3 re-sends, more than the promised budget',
    level: 'must',
    expected: '≤ 2 re-sends',
  })
  // 2 + 0.5 x 2 calls.
  expect(reasons(trial, { tokens: 2, ratio: 0.5 })[0]?.kind).toBe('inconclusive')
})

test('a first try is never held back', () => {
  const trial = trialOf({ method: 'GET', attempts: [{ call: 0, status: 503 }], calls: [{}, { startedAt: 1_000 }] })
  expect(reasons(trial)[0]).toMatchObject({
    kind: 'fail',
    text: 'call 2 never went out: a budget holds back re-sends, not first tries',
  })
})

test('what was not used up shows nothing, nor does a call that never settled', () => {
  expect(reasons(calls(WELL, WELL))[0]?.kind).toBe('inconclusive')
  const open = trialOf({
    method: 'GET',
    attempts: [
      { call: 0, status: 503 },
      { call: 1, at: 1_000, status: 503 },
    ],
    outcome: unsettled(),
  })
  expect(reasons(open)).toEqual([])
})

test('without a promised budget nothing is judged', () => {
  expect(judged('layers', calls([503, 503], OUT), { maxAttempts: 4 }).reasons.map(({ rule }) => rule)).not.toContain('BUD-02')
})
