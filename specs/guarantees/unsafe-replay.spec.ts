import { describe, expect, test } from 'vitest'
import { type AttemptSketch, trialOf, unsettled } from '../support/make-trial.js'
import { gist, judged, judgedAttempts, reasonOf, rulesOf } from './support.js'

const keyless = { key: null } as const
const then200: AttemptSketch = { at: 2_500, status: 200 }

describe('a POST repeated without a key', () => {
  test.each<[string, AttemptSketch, string]>([
    ['a reset', { fault: 'reset' }, 'a reset'],
    ['a close', { fault: 'close' }, 'a closed connection'],
    ['a reset in the headers', { fault: 'reset-headers' }, 'a reset'],
    ['a time-out', { fault: 'hang', hungUpAt: 2_000 }, 'a time-out'],
    ['a truncated 200', { status: 200, complete: false }, 'an incomplete 200'],
    ['500', { status: 500 }, 'a 500'],
    ['502', { status: 502 }, 'a 502'],
    ['504', { status: 504 }, 'a 504'],
  ])('fails after %s', (_name, first, met) => {
    const verdict = judgedAttempts('unsafe-replay', [first, then200], {}, keyless)
    expect(gist(verdict)).toBe(`fail: attempt 2 repeated the POST without a key after ${met}`)
    expect(reasonOf(verdict)).toMatchObject({ rule: 'IDM-02', level: 'must', attempt: 2, mark: 'repeated without a key' })
  })

  test.each([429, 503])('fails after %i only under strict', (status) => {
    const attempts = [{ status }, then200]
    expect(judgedAttempts('unsafe-replay', attempts, {}, keyless).kind).toBe('inconclusive')
    expect(rulesOf(judgedAttempts('unsafe-replay', attempts, { strict: true }, keyless))).toEqual(['fail IDM-03'])
  })

  test.each<[string, AttemptSketch]>([
    ['a refused connection', { fault: 'refuse' }],
    ['a reset before the request was read', { fault: 'reset-early' }],
    ['a request that broke off', { fault: 'reset', requestComplete: false }],
    ['408', { status: 408 }],
    ['421', { status: 421 }],
    ['425', { status: 425 }],
    ['409', { status: 409 }],
    ['401', { status: 401 }],
  ])('is not judged after %s', (_name, first) => {
    expect(judgedAttempts('unsafe-replay', [first, then200], { strict: true }, keyless).kind).toBe('inconclusive')
  })

  test('fails for PATCH too', () => {
    const verdict = judgedAttempts('unsafe-replay', [{ fault: 'reset' }, then200], {}, { ...keyless, method: 'PATCH' })
    expect(gist(verdict)).toBe('fail: attempt 2 repeated the PATCH without a key after a reset')
    expect(reasonOf(verdict).rule).toBe('IDM-04')
  })

  test('fails when only one of the attempts has the key, or each has another', () => {
    expect(judgedAttempts('unsafe-replay', [{ fault: 'reset' }, { ...then200, key: null }]).kind).toBe('fail')
    expect(gist(judgedAttempts('unsafe-replay', [{ fault: 'reset' }, { ...then200, key: 'k-9' }]))).toBe(
      'fail: attempt 2 repeated the POST under a new key after a reset',
    )
  })
})

describe('sound clients', () => {
  test('leave it at that', () => {
    expect(gist(judgedAttempts('unsafe-replay', [{ fault: 'reset' }], {}, keyless))).toBe(
      'pass: the POST was not repeated after a reset to attempt 1',
    )
  })

  test('repeat under one key', () => {
    expect(gist(judgedAttempts('unsafe-replay', [{ fault: 'reset' }, then200]))).toBe(
      'pass: attempt 2 repeated the POST after a reset under the same key',
    )
  })

  test('repeat what is idempotent', () => {
    const attempts = [{ fault: 'reset' } as const, then200]
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect(judgedAttempts('unsafe-replay', attempts, {}, { method }).kind).toBe('inconclusive')
    }
  })

  test('may have a POST that can be repeated', () => {
    const trial = trialOf({ attempts: [{ fault: 'reset' }, then200], ...keyless, client: { repeatable: true } })
    expect(judged('unsafe-replay', trial).kind).toBe('not-applicable')
  })

  test('follow a redirect to another target', () => {
    expect(judgedAttempts('unsafe-replay', [{ status: 307 }, { path: '/other', status: 200 }], {}, keyless).kind).toBe(
      'inconclusive',
    )
  })
})

test('a call that has not settled may still be going to repeat', () => {
  expect(judgedAttempts('unsafe-replay', [{ fault: 'reset' }], {}, { ...keyless, outcome: unsettled() }).kind).toBe(
    'inconclusive',
  )
})

test('without a fault nothing is shown', () => {
  expect(gist(judgedAttempts('unsafe-replay', [{ status: 200 }], {}, keyless))).toBe(
    "inconclusive: no POST or PATCH met a fault after which it may have been applied; use `call: { method: 'POST', idempotencyKey: 'none' }` and a schedule such as [{ fault: 'reset', apply: true }, 200]",
  )
})
