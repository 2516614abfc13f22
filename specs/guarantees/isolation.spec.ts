import { describe, expect, test } from 'vitest'
import { type AttemptSketch, rejected, type TrialSketch, trialOf } from '../support/make-trial.js'
import { gist, judged, reasonOf, rulesOf } from './support.js'

/** Calls one after the other, each given these statuses. */
const sequence = (...calls: number[][]): TrialSketch => ({
  attempts: calls
    .flatMap((statuses, call) => statuses.map((status) => ({ call, status })))
    .map((attempt, index): AttemptSketch => ({ ...attempt, at: index * 500 })),
})

test('every call that does what the first did passes', () => {
  const trial = trialOf(sequence([503, 200], [503, 200], [503, 200]))
  expect(judged('isolation', trial).reasons.map(({ text }) => text)).toEqual([
    'call 2 did what call 1 did',
    'call 3 did what call 1 did',
  ])
})

describe('a call fails that', () => {
  test('gives up where the first went on', () => {
    const verdict = judged('isolation', trialOf(sequence([503, 200], [503])))
    expect(gist(verdict)).toBe('fail: call 2 made 1 attempt instead of 2: it gave up after a 503')
    expect(reasonOf(verdict)).toMatchObject({ rule: 'ISO-01', attempt: 3, expected: 'what call 1 did with the same answers' })
  })

  test('goes on where the first gave up', () => {
    expect(gist(judged('isolation', trialOf(sequence([503, 503], [503, 503, 200]))))).toBe(
      'fail: call 2 made 3 attempts instead of 2: it went on after a 503',
    )
  })

  test('sends something else', () => {
    const attempts: AttemptSketch[] = [
      { status: 200 },
      { call: 1, method: 'GET', path: '/token', status: 200 },
      { call: 1, status: 200 },
    ]
    expect(gist(judged('isolation', trialOf({ attempts })))).toBe(
      'fail: call 2 made GET /token instead of POST /v1/chat as attempt 1',
    )
  })

  test('ends otherwise', () => {
    const trial = trialOf({ ...sequence([503, 200], [503, 200]), calls: [{}, { outcome: rejected() }] })
    expect(gist(judged('isolation', trial))).toBe('fail: call 2 was rejected, call 1 was resolved after the same answers')
  })
})

test('calls with other answers cannot be compared', () => {
  expect(gist(judged('isolation', trialOf(sequence([503, 200], [200]))))).toBe(
    'inconclusive: call 2 was given other answers than call 1',
  )
})

describe('beyond a promised budget or breaker', () => {
  const trial = trialOf(sequence([503, 200], [503, 200], [503]))

  test('later calls may be treated otherwise', () => {
    expect(judged('isolation', trial).kind).toBe('fail')
    // Two retries are spent by the end of call 2, and three failures met by the end of call 3.
    expect(rulesOf(judged('isolation', trial, { budget: { tokens: 2 } }))).toEqual(['pass ISO-01', 'not-applicable ISO-01'])
    expect(judged('isolation', trial, { breaker: { failures: 2 } }).kind).toBe('not-applicable')
  })

  test('a re-send that costs five uses up ten tokens at the second time', () => {
    const spent = judged('isolation', trial, { budget: { tokens: 10, cost: 5 } })
    expect(rulesOf(spent)).toEqual(['pass ISO-01', 'not-applicable ISO-01'])
    expect(judged('isolation', trial, { budget: { tokens: 10, cost: 1 } }).kind).toBe('fail')
  })

  test('earlier ones may not', () => {
    expect(judged('isolation', trial, { budget: { tokens: 100 } }).kind).toBe('fail')
    expect(judged('isolation', trial, { breaker: { failures: 100 } }).kind).toBe('fail')
  })
})

test('a token that was taken for a re-send to come is spent', () => {
  // Call 1 waits with the only token as call 2 gives up.
  const attempts: AttemptSketch[] = [
    { call: 0, at: 0, status: 503 },
    { call: 1, at: 0, status: 503 },
    { call: 0, at: 500, status: 503 },
  ]
  const trial = trialOf({ attempts, calls: [{ settledAt: 500 }, { settledAt: 0, outcome: rejected() }] })
  expect(judged('isolation', trial, { budget: { tokens: 1 } }).kind).toBe('not-applicable')
  expect(judged('isolation', trial, { budget: { tokens: 9 } }).kind).toBe('fail')
  expect(judged('isolation', trial, { budget: { tokens: 9, cost: 3 } }).kind).toBe('not-applicable')
})

test('attempts that cannot be attributed show nothing', () => {
  const attempts = [
    { call: null, status: 200 },
    { call: null, status: 200 },
  ]
  expect(judged('isolation', trialOf({ attempts, calls: [{}, {}] })).kind).toBe('inconclusive')
})

test('a single call shows nothing', () => {
  expect(gist(judged('isolation', trialOf(sequence([503, 200]))))).toBe(
    'inconclusive: no two calls were given the same answers, so there was nothing to compare; use `calls: 8` and a function schedule that gives each call 503, then 200',
  )
})
