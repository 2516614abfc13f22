import { describe, expect, test } from 'vitest'
import { rejected, resolved, trialOf } from '../support/make-trial.js'
import { gist, judged, judgedAttempts, rulesOf } from './support.js'

const GET = { method: 'GET' } as const
const outcome = rejected()

describe('a client that never repeats', () => {
  test('fails after a transient answer to a GET', () => {
    expect(gist(judgedAttempts('transience', [{ status: 503 }], {}, GET))).toBe(
      'fail: the client did not repeat the GET after a 503',
    )
  })

  test.each([
    ['reset', 'a reset'],
    ['close', 'a closed connection'],
    ['refuse', 'a refused connection'],
  ] as const)('fails after %s', (fault, name) => {
    expect(gist(judgedAttempts('transience', [{ fault }], {}, GET))).toBe(`fail: the client did not repeat the GET after ${name}`)
  })

  test('is not judged by POST, which it may leave alone', () => {
    expect(gist(judgedAttempts('transience', [{ status: 503 }]))).toBe('inconclusive: the client never repeated a POST after 503')
  })

  test('is not judged when it promises a single attempt', () => {
    expect(judgedAttempts('transience', [{ status: 503 }], { maxAttempts: 1 }, GET).kind).toBe('not-applicable')
  })
})

describe('recovery', () => {
  test('passes when an attempt after the fault succeeds', () => {
    expect(gist(judgedAttempts('transience', [{ status: 503 }, { at: 500, status: 200 }], {}, GET))).toBe(
      'pass: attempt 2 followed a 503, and attempt 2 succeeded',
    )
  })

  test('fails when the success is not reported', () => {
    expect(gist(judgedAttempts('transience', [{ status: 503 }, { at: 500, status: 200 }], {}, { ...GET, outcome }))).toBe(
      'fail: attempt 2 succeeded after a 503, but the call was rejected',
    )
    expect(judgedAttempts('transience', [{ status: 503 }, { status: 200 }], {}, { ...GET, outcome: resolved(503) }).kind).toBe(
      'fail',
    )
  })

  test('is not lost when the answer cannot be read, or the caller aborts', () => {
    const attempts = [{ status: 503 }, { status: 200, step: { status: 200, json: 'malformed' } }] as const
    expect(judgedAttempts('transience', attempts, {}, { ...GET, outcome }).kind).toBe('pass')
  })

  test('is not shown while the server offers no success', () => {
    expect(gist(judgedAttempts('transience', [{ status: 503 }, { at: 500, status: 503 }], {}, GET))).toBe(
      'inconclusive: attempt 2 followed a 503, but no attempt was answered with success',
    )
  })
})

describe('kinds that are not repeated', () => {
  const once503 = trialOf({ ...GET, attempts: [{ status: 503 }, { at: 500, status: 200 }] })
  const left429 = trialOf({ ...GET, attempts: [{ status: 429 }] })

  test('are reported beside those that are', () => {
    expect(rulesOf(judged('transience', [once503, left429]))).toEqual(['pass CLS-06', 'inconclusive CLS-11'])
  })

  test('fail when the contract lists them', () => {
    expect(gist(judged('transience', [once503, left429], { transient: [429, 503] }))).toBe(
      'fail: the client did not repeat the GET after a 429',
    )
    expect(judged('transience', [once503, left429], { transient: [503] }).kind).toBe('pass')
  })

  test('do not fail once attempts may have been used up', () => {
    const usedUp = trialOf({ ...GET, attempts: [{ status: 503 }, { status: 429 }] })
    expect(judged('transience', [once503, usedUp], { transient: [429, 503] }).kind).toBe('pass')
  })

  test('do not fail when the hint is longer than the cap or the deadline', () => {
    const asked = trialOf({ ...GET, attempts: [{ status: 429, headers: { 'Retry-After': '120' } }] })
    const contract = { transient: [429, 503] }
    expect(judged('transience', [once503, asked], { ...contract, retryAfter: { capMs: 60_000 } }).kind).toBe('pass')
    expect(judged('transience', [once503, asked], { ...contract, deadlineMs: 8_000 }).kind).toBe('pass')
    expect(judged('transience', [once503, asked], contract).kind).toBe('fail')
  })
})

test('a time-out counts only where it is promised', () => {
  const hang = [{ fault: 'hang', hungUpAt: 1_000 }] as const
  expect(judgedAttempts('transience', hang, {}, GET).kind).toBe('inconclusive')
  expect(gist(judgedAttempts('transience', hang, { attemptTimeoutMs: 1_000 }, GET))).toBe(
    'fail: the client did not repeat the GET after a time-out',
  )
})

test('an aborted call owes no attempt', () => {
  const verdict = judged('transience', trialOf({ ...GET, attempts: [{ status: 503 }], calls: [{ abortedAt: 0 }] }))
  expect(verdict.kind).toBe('inconclusive')
})

test('without a transient fault nothing is shown', () => {
  expect(gist(judgedAttempts('transience', [{ status: 200 }], {}, GET))).toBe(
    "inconclusive: no transient fault was followed by an attempt that succeeded; use a schedule such as [503, 200] and `call: { method: 'GET' }`",
  )
})
