import { describe, expect, test } from 'vitest'
import { soundVariants, wrong } from '../../fixtures/clients/index.js'
import type { Contract } from '../../src/guarantees/contract.js'
import type { StepInput } from '../../src/schedule/model.js'
import type { TrialOptions } from '../../src/trial/model.js'
import { runTrial } from '../../src/trial/run-trial.js'
import { type AttemptSketch, resolved, trialOf, unsettled } from '../support/make-trial.js'
import { judged } from './support.js'

/** Calls by what they met, attempt by attempt, one call after the other. */
function calls(...met: readonly (readonly number[])[]) {
  const attempts = met.flatMap((statuses, call) =>
    statuses.map((status, index): AttemptSketch => ({ call, at: call * 1_000 + index * 100, status })),
  )
  const started = met.map((_, call) => ({ startedAt: call * 1_000 }))
  return trialOf({ method: 'GET', attempts, calls: started })
}
const budget = { tokens: 2, ratio: 1 }
const reasons = (trial: ReturnType<typeof calls>, promised: Contract['budget'] = budget, more: Contract = {}) =>
  judged('layers', trial, { ...more, budget: promised }).reasons.filter(({ rule }) => rule === 'BUD-02')
const kinds = (trial: ReturnType<typeof calls>, promised: Contract['budget'] = budget, more: Contract = {}) =>
  reasons(trial, promised, more).map(({ kind, text }) => `${kind}: ${text}`)

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
  const notTried = /^inconclusive: call \d was not tried again, and need not have been/
  expect(kinds(calls([503, 503], OUT, OUT, WELL, OUT))[0]).toMatch(notTried)
  expect(kinds(calls([503, 503], OUT, OUT, WELL, WELL, [503, 503], OUT))).toEqual([
    'pass: call 6 was tried again: 2 calls in between had refilled the budget',
  ])
  expect(kinds(calls([503, 503], OUT, OUT, WELL, WELL, OUT), { tokens: 2, ratio: 0 })[0]).toMatch(notTried)
  expect(kinds(calls([503, 503], OUT, OUT, WELL, WELL, OUT), { ratio: 1 })[0]).toMatch(notTried)
})

test('a declared cost is what has to come back, not the whole budget', () => {
  const trial = calls([503, 503], OUT, OUT, WELL, OUT)
  expect(kinds(trial, { tokens: 2, ratio: 1, cost: 1 })).toEqual([
    'fail: call 5 was not tried again, although 1 call had succeeded since the budget was used up',
  ])
  expect(kinds(trial, { tokens: 2, ratio: 0.9, cost: 1 })[0]).toMatch(/^inconclusive/)
  // Ten times a tenth may be a little less than a whole one.
  const tenths = (count: number) => calls([503, 503], OUT, ...Array.from({ length: count }, () => WELL), OUT)
  expect(kinds(tenths(10), { tokens: 2, ratio: 0.1, cost: 1 })[0]).toMatch(/^inconclusive/)
  expect(kinds(tenths(11), { tokens: 2, ratio: 0.1, cost: 1 })[0]).toMatch(/^fail/)
})

test('more re-sends than tokens, and what successes earn, fail', () => {
  const trial = calls([503, 503, 503, 503], OUT)
  const spent = { tokens: 2, ratio: 0 }
  expect(kinds(trial, spent)).toEqual(['fail: 2 calls made 3 re-sends, more than the promised budget'])
  expect(reasons(trial, spent)[0]).toMatchObject({ level: 'must', expected: '≤ 2 re-sends' })
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

const HELD = 'the budget was not seen to be used up, and to be asked for again after successes'
const EMPTIED = [[503, 503], OUT, WELL, WELL] as const

describe('what need not be the budget is not blamed on it', () => {
  test('a failure that nobody was seen to try again', () => {
    expect(kinds(calls(OUT, WELL, WELL, OUT))).toEqual([`inconclusive: ${HELD}`])
  })

  test('another failure than the one that was tried again', () => {
    expect(kinds(calls(...EMPTIED, [500]))).toEqual([`inconclusive: ${HELD}`])
  })

  test('fewer successes than it takes to fill the budget', () => {
    const tenth = { tokens: 2, ratio: 0.1 }
    expect(kinds(calls(...EMPTIED, OUT), tenth)).toEqual([
      'inconclusive: call 5 was not tried again, and need not have been: the budget may not have come back by then',
    ])
    const healthy = Array.from({ length: 21 }, () => WELL)
    expect(kinds(calls([503, 503], OUT, ...healthy, OUT), tenth)).toEqual([
      'fail: call 24 was not tried again, although 21 calls had succeeded since the budget was used up',
    ])
  })

  test('a success that is not promised to give anything back', () => {
    expect(reasons(calls(...EMPTIED, OUT), { tokens: 2 })[0]?.kind).toBe('inconclusive')
  })

  test('a deadline that leaves no time for another attempt', () => {
    const contract = { deadlineMs: 300, backoff: { baseMs: 200, jitter: { min: 1, max: 1.5 } } }
    expect(kinds(calls(...EMPTIED, OUT), budget, contract)).toEqual([`inconclusive: ${HELD}`])
    expect(reasons(calls(...EMPTIED, OUT), budget, { ...contract, deadlineMs: 301 })[0]?.kind).toBe('fail')
    // Not declared: ten times the 100 ms that were seen.
    expect(reasons(calls(...EMPTIED, OUT), budget, { deadlineMs: 1_000 })[0]?.kind).toBe('inconclusive')
    expect(reasons(calls(...EMPTIED, OUT), budget, { deadlineMs: 1_001 })[0]?.kind).toBe('fail')
  })

  test('a breaker, which holds back first tries too', () => {
    const breaker = { failures: 1 }
    expect(reasons(calls(...EMPTIED, OUT), budget, { breaker })[0]?.kind).toBe('inconclusive')
    const held = trialOf({ method: 'GET', attempts: [{ call: 0, status: 503 }], calls: [{}, { startedAt: 1_000 }] })
    expect(reasons(held, budget, { breaker })[0]?.kind).toBe('inconclusive')
  })

  test('an answer from a cache', () => {
    const cached = { startedAt: 1_000, outcome: resolved(200) }
    const trial = trialOf({ method: 'GET', attempts: [{ call: 0, status: 200 }], calls: [{}, cached] })
    expect(reasons(trial)[0]?.kind).toBe('inconclusive')
  })

  test('calls that overlap', () => {
    const trial = calls(...EMPTIED, OUT)
    const parallel = trialOf({
      method: 'GET',
      attempts: trial.attempts.map(({ call, status }) => ({ call, status: status ?? undefined })),
      calls: trial.calls.map(() => ({ startedAt: 0, settledAt: 10_000 })),
    })
    expect(reasons(parallel)[0]?.kind).toBe('inconclusive')
  })

  test.each<[string, AttemptSketch[]]>([
    ['a redirect', [{ status: 302 }, { status: 200 }]],
    ['a log-in', [{ status: 401 }, { status: 200 }]],
    ['a refused connection', [{ fault: 'refuse' }, { status: 200 }]],
    ['a page after the first', [{ status: 200 }, { status: 200 }]],
  ])('%s is no re-send that costs a token', (_name, attempts) => {
    const met = Array.from({ length: 9 }, (_, call) => attempts.map((one) => ({ ...one, call, at: call * 1_000 }))).flat()
    const trial = trialOf({ method: 'GET', attempts: met, calls: met.map(({ at }) => ({ startedAt: at })).slice(0, 9) })
    expect(reasons(trial, { tokens: 2, ratio: 0 }).filter(({ kind }) => kind === 'fail')).toEqual([])
  })
})

describe('clients with a budget, over sockets', () => {
  const sound = soundVariants['keeps-retry-budget']!
  const broken = wrong['budget-never-refilled']!
  const BUSY: StepInput = { status: 503, retryAfter: 8 }
  const play = async ({ client, contract }: typeof sound, schedule: readonly StepInput[], options: TrialOptions) =>
    judged('layers', await runTrial(client, schedule, options), contract).reasons.filter(({ rule }) => rule === 'BUD-02')

  test('a hint that does not fit into the deadline is no empty budget', async () => {
    for (const method of ['GET', 'POST']) {
      const [reason] = await play(sound, [BUSY, 200, BUSY], { calls: 4, call: { method } })
      expect(`${reason?.kind}: ${reason?.text}`).toBe(`inconclusive: ${HELD}`)
    }
  })

  test('a POST without a key, which is never tried again, is no empty budget', async () => {
    const call = { method: 'POST', idempotencyKey: 'none' }
    for (const schedule of [
      [503, 200, 503],
      [503, 503, 200, 500, 503],
    ]) {
      expect((await play(sound, schedule, { calls: 6, call }))[0]?.kind).toBe('inconclusive')
    }
  })

  test('an outage that empties it is told from one that leaves something', async () => {
    const outage: StepInput = { status: 503, repeat: 14 }
    const healthy: StepInput = { status: 200, repeat: 100 }
    const options = { calls: 106, call: { method: 'GET' } }
    // Calls 1 to 3 have the ten re-sends and one answer more each, call 4 the last 503.
    expect((await play(sound, [outage, healthy, 503, 200], options))[0]?.kind).toBe('pass')
    expect((await play(broken, [outage, healthy, 503, 200], options))[0]?.kind).toBe('fail')
    expect((await play(broken, [{ ...outage, repeat: 12 }, healthy, 503, 200], options))[0]?.kind).toBe('inconclusive')
  })
})
