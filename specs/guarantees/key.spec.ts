import { describe, expect, test } from 'vitest'
import { trialOf } from '../support/make-trial.js'
import { gist, judged, judgedAttempts, reasonOf, rulesOf } from './support.js'

const twice = [{ status: 503 }, { at: 500, status: 200 }] as const

describe('within a call', () => {
  test('one key on every attempt passes', () => {
    expect(gist(judgedAttempts('key', twice))).toBe('pass: all 2 attempts carried the key k-1')
  })

  test("an SDK's own key is as good, when it is kept", () => {
    expect(
      gist(
        judgedAttempts('key', [
          { status: 503, key: 'sdk-7' },
          { status: 200, key: 'sdk-7' },
        ]),
      ),
    ).toBe('pass: all 2 attempts carried the key sdk-7')
  })

  test('no key at all fails, re-sent or not', () => {
    const verdict = judgedAttempts('key', [{ status: 200, key: null }])
    expect(gist(verdict)).toBe('fail: no attempt of the call carried a key, although the call was given k-1')
    expect(reasonOf(verdict)).toMatchObject({ rule: 'IDM-05', attempt: 1, received: 'no key' })
    expect(
      judgedAttempts('key', [
        { status: 503, key: '' },
        { status: 200, key: '' },
      ]).kind,
    ).toBe('fail')
  })

  test('a key that is dropped on the re-send fails', () => {
    expect(gist(judgedAttempts('key', [{ status: 503 }, { status: 200, key: null }]))).toBe(
      'fail: attempt 2 carried no key, other attempts of the call carried k-1',
    )
  })

  test('a new key per attempt fails', () => {
    expect(gist(judgedAttempts('key', [{ status: 503 }, { status: 200, key: 'k-9' }]))).toBe(
      'fail: attempt 2 carried the key k-9, attempt 1 of the same call carried k-1',
    )
  })

  test('the header is the one that the contract names', () => {
    const attempts = twice.map((attempt) => ({ ...attempt, key: null, requestHeaders: { 'x-request-id': 'r-1' } }))
    expect(judgedAttempts('key', attempts).kind).toBe('fail')
    expect(judgedAttempts('key', attempts, { idempotency: { header: 'X-Request-Id' } }).kind).toBe('pass')
  })

  test('a log-in on the way needs none', () => {
    const verdict = judged(
      'key',
      trialOf({
        attempts: [{ status: 401 }, { path: '/token', status: 200, key: null }, { status: 200 }],
        calls: [{ path: '/v1/chat' }],
      }),
    )
    expect(verdict.kind).toBe('pass')
  })

  test('an SDK with paths of its own is found by its method', () => {
    const trial = trialOf({ attempts: [{ status: 503 }, { status: 200, key: null }], calls: [{ path: '/' }] })
    expect(judged('key', trial).kind).toBe('fail')
  })
})

describe('between calls', () => {
  const calls = (first: string, second: string) =>
    trialOf({
      attempts: [
        { status: 200, key: first },
        { call: 1, status: 200, key: second },
      ],
      calls: [{ key: 'k-1' }, { key: 'k-2' }],
    })

  test('one key for two calls fails', () => {
    const verdict = judged('key', calls('k-1', 'k-1'))
    expect(gist(verdict)).toBe('fail: call 2 carried the key k-1, which call 1 had used')
    expect(reasonOf(verdict)).toMatchObject({ rule: 'IDM-06', attempt: 2 })
  })

  test('a key of its own for each passes', () => {
    expect(rulesOf(judged('key', calls('k-1', 'k-2')))[0]).toBe('pass IDM-06')
  })

  test('one key is what the caller may ask for', () => {
    const trial = trialOf({
      attempts: [
        { status: 200, key: 'order-7' },
        { call: 1, status: 200, key: 'order-7' },
      ],
      calls: [{ key: 'order-7' }, { key: 'order-7' }],
    })
    expect(judged('key', trial).kind).not.toBe('fail')
  })
})

test('a single attempt does not show that the key is kept', () => {
  expect(gist(judgedAttempts('key', [{ status: 200 }]))).toBe('inconclusive: the call was sent only once')
})

test('a call without a key is not judged, unless the contract promises one', () => {
  expect(gist(judgedAttempts('key', twice, {}, { key: null }))).toBe('not-applicable: no call was given a key, and none was sent')
  expect(gist(judgedAttempts('key', twice, { idempotency: { required: true } }, { key: null }))).toBe(
    'fail: no attempt of the call carried a key, although the contract promises one',
  )
  expect(judgedAttempts('key', twice, { idempotency: { required: true } }, { method: 'GET' }).kind).toBe('not-applicable')
})
