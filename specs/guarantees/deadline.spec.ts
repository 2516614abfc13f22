import { describe, expect, test } from 'vitest'
import { type CallSketch, rejected, resolved, trialOf, unsettled } from '../support/make-trial.js'
import { gist, judged, judgedAttempts, reasonOf, rulesOf } from './support.js'

const contract = { deadlineMs: 1_000 }
const outcome = rejected('too late')

describe('settling', () => {
  const hang = (settledAt: number) => ({ attempts: [{ fault: 'hang', hungUpAt: settledAt } as const], settledAt, outcome })

  // 1 ms of tolerance under virtual time, since Node truncates timer delays.
  test.each([
    [1_000, 'pass'],
    [1_001, 'pass'],
    [1_002, 'fail'],
  ])('at %i ms of 1 s is a %s', (settledAt, kind) => {
    expect(judged('deadline', trialOf(hang(settledAt)), contract).kind).toBe(kind)
  })

  test('late fails with the figures', () => {
    const verdict = judged('deadline', trialOf(hang(6_200)), contract)
    expect(gist(verdict)).toBe('fail: the call settled 5 200 ms after its deadline of 1 s')
    expect(reasonOf(verdict)).toMatchObject({
      rule: 'DDL-01',
      expected: 'settled within 1 000 ms',
      received: 'settled after 6 200 ms',
    })
  })

  test("late on a tick of undici's timer is named as such", () => {
    expect(gist(judged('deadline', trialOf(hang(1_497)), contract))).toBe(
      "fail: the call settled 497 ms after its deadline of 1 s, on a tick of undici's coarse timer",
    )
  })

  test('is measured from the start of each call', () => {
    const calls: CallSketch[] = [{ settledAt: 900 }, { startedAt: 5_000, settledAt: 5_900, outcome }]
    const attempts = [{ status: 200, headersAt: 900 }, { call: 1, at: 5_000, fault: 'hang', hungUpAt: 5_900 } as const]
    expect(rulesOf(judged('deadline', trialOf({ attempts, calls }), contract))).toEqual(['pass DDL-01', 'pass DDL-01'])
  })

  test('never fails', () => {
    const verdict = judgedAttempts('deadline', [{ fault: 'hang' }], contract, { outcome: unsettled() })
    expect(gist(verdict)).toBe('fail: the call never settled, with a deadline of 1 s')
    expect(reasonOf(verdict).received).toBe('unsettled (deadlock)')
  })

  test.each([
    ['a stalled body', { status: 200, stall: 'body' } as const, 'DDL-07'],
    ['a dripping body', { status: 200, dripMs: 100 }, 'DDL-08'],
  ])('late because of %s breaks a rule of its own', (_name, step, rule) => {
    const attempts = [{ status: 200, step, hungUpAt: 4_000 }]
    expect(reasonOf(judgedAttempts('deadline', attempts, contract, { settledAt: 4_000, outcome })).rule).toBe(rule)
  })

  test('within 100 ms of the abort is in time where the harness keeps the deadline', () => {
    const bySignal = { deadlineMs: 1_000, deadlineBy: 'signal' } as const
    expect(judged('deadline', trialOf(hang(1_100)), bySignal).kind).toBe('pass')
    expect(judged('deadline', trialOf(hang(1_101)), bySignal).kind).toBe('fail')
  })
})

test('an attempt after the deadline fails', () => {
  const attempts = [{ status: 503 }, { at: 1_500, status: 503, afterSettling: true }]
  const verdict = judgedAttempts('deadline', attempts, contract, { settledAt: 1_000, outcome })
  expect(gist(verdict)).toBe('fail: attempt 2 came 500 ms after the deadline of 1 s')
})

describe('giving up', () => {
  const asked = { status: 503, headers: { 'Retry-After': '30' } }

  test('at once passes when the hint does not fit', () => {
    expect(gist(judgedAttempts('deadline', [asked], contract))).toBe(
      'pass: the call gave up at once when asked for a wait of 30 s, which did not fit',
    )
  })

  test('at once passes also when the answer is returned, not thrown', () => {
    expect(judgedAttempts('deadline', [asked], contract, { outcome: resolved(503) }).kind).toBe('pass')
    expect(judgedAttempts('deadline', [asked], contract, { outcome: resolved(200) }).kind).toBe('inconclusive')
  })

  test('only at the deadline is a matter of strictness', () => {
    const sketch = { settledAt: 1_000, outcome }
    expect(judgedAttempts('deadline', [asked], contract, sketch).kind).toBe('pass')
    const strict = judgedAttempts('deadline', [asked], { ...contract, strict: true }, sketch)
    expect(gist(strict)).toBe(
      'fail: the call waited 1 000 ms after attempt 1, for an attempt that did not fit into the deadline of 1 s',
    )
    expect(reasonOf(strict)).toMatchObject({ rule: 'RAF-12', level: 'should' })
    const ownBackoff = judgedAttempts('deadline', [{ status: 503 }], { ...contract, strict: true }, sketch)
    expect(reasonOf(ownBackoff).rule).toBe('DDL-03')
  })
})

test('before half the deadline nothing is shown', () => {
  expect(gist(judgedAttempts('deadline', [{ status: 503 }, { at: 500, status: 200 }], contract))).toBe(
    'inconclusive: the call settled after 500 ms, before time was short',
  )
  expect(judgedAttempts('deadline', [{ status: 503 }, { at: 501, status: 200 }], contract).kind).toBe('pass')
})

test('on the real clock nothing is late', () => {
  const verdict = judgedAttempts('deadline', [{ status: 200, headersAt: 9_000 }], contract, { record: { clock: 'real' } })
  expect(gist(verdict)).toBe('inconclusive: on the real clock nothing is judged to be late')
})

test('without a promised deadline it is not judged', () => {
  expect(gist(judgedAttempts('deadline', [{ status: 200 }]))).toBe('not-applicable: the contract promises no deadline')
})
