import { describe, expect, test } from 'vitest'
import { createOperationIndex, endOf, groupOperations, resends } from '../../src/trace/operations.js'
import { trialOf } from '../support/make-trial.js'

const gaps = (trial: ReturnType<typeof trialOf>) => resends(trial).map(({ attempt, gapMs }) => [attempt.number, gapMs])

describe('operations', () => {
  test('attempts of one call with one method and target belong together', () => {
    const trial = trialOf({
      attempts: [
        { method: 'POST', path: '/token', status: 200 },
        { method: 'POST', path: '/v1/chat', status: 401 },
        { method: 'POST', path: '/token', status: 200 },
        { method: 'POST', path: '/v1/chat', status: 200 },
        { method: 'GET', path: '/v1/chat', status: 200 },
        { method: 'POST', path: '/v1/chat?retry=1', status: 200 },
      ],
    })
    expect(groupOperations(trial.attempts)).toEqual([
      { call: 0, method: 'POST', path: '/token', attempts: [1, 3] },
      { call: 0, method: 'POST', path: '/v1/chat', attempts: [2, 4] },
      { call: 0, method: 'GET', path: '/v1/chat', attempts: [5] },
      { call: 0, method: 'POST', path: '/v1/chat?retry=1', attempts: [6] },
    ])
  })

  test('the same request of another call is another operation', () => {
    const trial = trialOf({ attempts: [{ call: 0 }, { call: 1 }, { call: null }, { call: 1 }] })
    expect(groupOperations(trial.attempts).map(({ call, attempts }) => [call, attempts])).toEqual([
      [0, [1]],
      [1, [2, 4]],
      [null, [3]],
    ])
  })

  test('numbered one attempt at a time, they get the numbers that grouping gives', () => {
    const indexOf = createOperationIndex()
    const get = { call: 0, method: 'GET', path: '/' }
    const post = { call: 0, method: 'POST', path: '/' }
    expect([indexOf(get), indexOf(post), indexOf(get), indexOf({ ...post, call: 1 })]).toEqual([0, 1, 0, 2])
  })
})

describe('the end of an attempt', () => {
  test.each([
    [{ endedAtMs: 10, hungUpAtMs: null }, 10],
    [{ endedAtMs: null, hungUpAtMs: 20 }, 20],
    [{ endedAtMs: 30, hungUpAtMs: 20 }, 20],
    [{ endedAtMs: 10, hungUpAtMs: 20 }, 10],
    [{ endedAtMs: null, hungUpAtMs: null }, null],
  ])('%j is %s', (attempt, endMs) => {
    expect(endOf(attempt)).toBe(endMs)
  })
})

describe('gaps', () => {
  test('count from the end of the answer before to the arrival', () => {
    const trial = trialOf({
      attempts: [
        { status: 429, endedAt: 40 },
        { at: 30_040, fault: 'reset' },
        { at: 30_552, status: 200 },
      ],
    })
    expect(gaps(trial)).toEqual([
      [2, 30_000],
      [3, 512],
    ])
  })

  test('count from the hang-up of a client that did not wait for the end', () => {
    const trial = trialOf({
      attempts: [
        { fault: 'hang', hungUpAt: 2000 },
        { at: 2500, status: 200 },
      ],
    })
    expect(gaps(trial)).toEqual([[2, 500]])
  })

  test('are null when the attempts overlap', () => {
    const trial = trialOf({ attempts: [{ fault: 'hang' }, { at: 100, status: 503, endedAt: 300 }, { at: 299, status: 200 }] })
    expect(gaps(trial)).toEqual([
      [2, null],
      [3, null],
    ])
  })

  test('are 0 when the next attempt comes in the same millisecond', () => {
    expect(gaps(trialOf({ attempts: [{ status: 503 }, { status: 200 }] }))).toEqual([[2, 0]])
  })

  test('do not count from another operation', () => {
    const trial = trialOf({
      attempts: [
        { path: '/a', status: 401, endedAt: 5 },
        { at: 10, path: '/token', status: 200 },
        { at: 20, path: '/a', status: 200 },
      ],
    })
    expect(resends(trial)).toMatchObject([
      { previous: { number: 1 }, attempt: { number: 3 }, gapMs: 15, operation: { path: '/a' } },
    ])
  })

  test('come in order of arrival, whatever the operation', () => {
    const trial = trialOf({
      attempts: [{ call: 0 }, { call: 1 }, { call: 1, at: 5 }, { call: 0, at: 7 }].map((sketch) => ({ status: 503, ...sketch })),
    })
    expect(gaps(trial)).toEqual([
      [3, 5],
      [4, 7],
    ])
  })
})
