import { describe, expect, test } from 'vitest'
import { attemptsExactly } from '../../src/guarantees/attempts.js'
import { type AttemptSketch, type TrialSketch, trialOf } from '../support/make-trial.js'
import { gist, judged, judgedAttempts, reasonOf } from './support.js'

const failures = (count: number): AttemptSketch[] =>
  Array.from({ length: count }, (_, index) => ({ at: index * 1_000, status: 503 }))

describe('at most so many attempts', () => {
  test('one too many fails, and is named', () => {
    const verdict = judgedAttempts('attempts', failures(7), { maxAttempts: 4 })
    expect(gist(verdict)).toBe('fail: attempt 5 was one too many: the POST was sent 7 times, promised are at most 4')
    expect(reasonOf(verdict)).toMatchObject({ rule: 'BKO-02', attempt: 5, expected: '≤ 4 attempts', received: '7 attempts' })
  })

  test('as many as promised pass, and so do fewer', () => {
    expect(gist(judgedAttempts('attempts', failures(4), { maxAttempts: 4 }))).toBe('pass: the client gave up after 4 attempts')
    expect(judgedAttempts('attempts', failures(1), { maxAttempts: 4 }).kind).toBe('pass')
  })

  test('are counted for each call and each request on its own', () => {
    const attempts = [
      ...failures(2),
      { call: 1, status: 503 },
      { call: 1, path: '/token', status: 200 },
      { call: 1, status: 503 },
    ]
    expect(judgedAttempts('attempts', attempts, { maxAttempts: 2 }).kind).toBe('pass')
  })

  test('are not put to the test by a success or a permanent answer', () => {
    expect(gist(judgedAttempts('attempts', [{ status: 503 }, { status: 200 }], { maxAttempts: 3 }))).toBe(
      'inconclusive: the POST ended after 2 attempts because of its answer, not of a bound',
    )
    expect(judgedAttempts('attempts', [{ status: 503 }, { status: 404 }], { maxAttempts: 3 }).kind).toBe('inconclusive')
  })

  test('too many fail although the last one succeeded', () => {
    expect(judgedAttempts('attempts', [...failures(3), { status: 200 }], { maxAttempts: 3 }).kind).toBe('fail')
  })
})

describe('without a promised number', () => {
  const open = (reason: 'runaway' | 'deadlock'): Omit<TrialSketch, 'attempts'> => ({
    outcome: { kind: 'unsettled', reason, pending: [] },
  })

  test('any finite number passes', () => {
    expect(judgedAttempts('attempts', failures(60)).kind).toBe('pass')
  })

  test('attempts that never end fail', () => {
    expect(gist(judgedAttempts('attempts', failures(60), {}, open('runaway')))).toBe(
      'fail: the client was still repeating the POST after 60 attempts, at 59 000 ms',
    )
  })

  test('a call that hangs shows nothing about its attempts', () => {
    expect(judgedAttempts('attempts', failures(2), {}, open('deadlock')).kind).toBe('inconclusive')
    expect(judgedAttempts('attempts', failures(1), {}, open('runaway')).kind).toBe('inconclusive')
  })
})

test('exactly so many attempts', () => {
  const exactly = (count: number) => gist(attemptsExactly(count).judge([trialOf({ attempts: failures(2) })], {}))
  expect(exactly(2)).toBe('pass: the POST was sent 2 times')
  expect(exactly(3)).toBe('fail: the POST was sent 2 times instead of 3')
  expect(exactly(1)).toBe('fail: the POST was sent 2 times instead of 1')
})

test('nothing sent shows nothing', () => {
  expect(judged('attempts', trialOf({ attempts: [] })).kind).toBe('inconclusive')
  expect(attemptsExactly(1).judge([trialOf({ attempts: [] })], {}).kind).toBe('inconclusive')
})
