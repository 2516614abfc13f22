import { describe, expect, test } from 'vitest'
import { type AttemptSketch, rejected, resolved, trialOf } from '../support/make-trial.js'
import { gist, judged, judgedAttempts, reasonOf } from './support.js'

/** Work that was accepted, and whose answer never came. */
const appliedAndReset: AttemptSketch = { fault: 'reset', ledger: 'new' }
const appliedAndHung: AttemptSketch = { fault: 'hang', hungUpAt: 2_000, ledger: 'new' }
const firstResult: AttemptSketch = { at: 2_500, status: 200, ledger: 'replay', answer: { id: 1 } }

describe('sound clients', () => {
  test('repeat under one key and report the first result', () => {
    expect(gist(judgedAttempts('dedup', [appliedAndReset, firstResult]))).toBe(
      'pass: 2 attempts carried the key k-1 and the same bytes, and the work was applied once',
    )
    expect(judgedAttempts('dedup', [appliedAndHung, firstResult]).kind).toBe('pass')
  })

  test('ask again after a 409 in progress', () => {
    const inProgress: AttemptSketch = { at: 2_100, status: 409, ledger: 'in-progress' }
    expect(judgedAttempts('dedup', [appliedAndHung, inProgress, firstResult], {}, { dedup: 'conflict' }).kind).toBe('pass')
  })

  test('surface a 409 for a key that the server rejects', () => {
    const refused: AttemptSketch = { at: 2_500, status: 409, ledger: 'reject' }
    expect(judgedAttempts('dedup', [appliedAndReset, refused], {}, { dedup: 'reject' }).kind).toBe('pass')
  })

  test('give up when the work takes too long', () => {
    expect(judgedAttempts('dedup', [appliedAndHung, { at: 2_500, fault: 'hang', hungUpAt: 4_500, ledger: 'replay' }]).kind).toBe(
      'pass',
    )
  })

  test('are not blamed for a server that does not dedup', () => {
    const verdict = judgedAttempts('dedup', [appliedAndReset, { status: 200, ledger: 'duplicate' }], {}, { dedup: 'ignore' })
    expect(gist(verdict)).toBe('pass: 2 attempts carried the key k-1 and the same bytes, to a server that does not dedup')
  })

  test('may draw a new multipart boundary for the same content', () => {
    const form = (boundary: string): Partial<AttemptSketch> => ({ body: `--${boundary}\r\n`, bodyHash: 'same' })
    expect(
      judgedAttempts('dedup', [
        { ...appliedAndReset, ...form('a') },
        { ...firstResult, ...form('b') },
      ]).kind,
    ).toBe('pass')
  })

  test('repeat a 500 whose work was done', () => {
    expect(judgedAttempts('dedup', [{ status: 500, ledger: 'new' }, firstResult]).kind).toBe('pass')
  })
})

describe('fails', () => {
  test('without a key', () => {
    const verdict = judgedAttempts('dedup', [appliedAndReset, { status: 200, ledger: 'new' }], {}, { key: null })
    expect(gist(verdict)).toBe('fail: attempt 2 repeated the POST without a key after attempt 1 was applied and met a reset')
    expect(reasonOf(verdict)).toMatchObject({ rule: 'IDM-02', received: 'no key', mark: 'repeated without a key' })
  })

  test('when the key is dropped on the re-send', () => {
    expect(gist(judgedAttempts('dedup', [appliedAndHung, { at: 2_500, status: 200, key: null }]))).toBe(
      'fail: attempt 2 repeated the POST without a key after attempt 1 was applied and met a time-out',
    )
  })

  test('with a new key for each attempt', () => {
    const verdict = judgedAttempts('dedup', [appliedAndReset, { status: 200, key: 'k-9', ledger: 'new' }])
    expect(gist(verdict)).toBe('fail: attempt 2 repeated the POST under a new key after attempt 1 was applied and met a reset')
    expect(reasonOf(verdict)).toMatchObject({ received: '2 keys: k-1 and k-9', attempt: 2 })
  })

  test('with other bytes', () => {
    const verdict = judgedAttempts('dedup', [appliedAndReset, { status: 422, ledger: 'mismatch', body: '' }])
    expect(gist(verdict)).toBe('fail: attempt 2 carried other bytes under the key of attempt 1')
  })

  test('when the work was applied twice all the same', () => {
    const expired: AttemptSketch = { at: 100_000, status: 200, ledger: 'new' }
    expect(gist(judgedAttempts('dedup', [appliedAndReset, expired]))).toBe(
      'fail: the work was applied 2 times, by attempts 1 and 2',
    )
  })

  test('when the first result came and was not reported', () => {
    expect(gist(judgedAttempts('dedup', [appliedAndReset, firstResult], {}, { outcome: rejected() }))).toBe(
      'fail: the call was rejected, although attempt 2 was answered with the first result',
    )
    const other = { ...resolved(200), body: '{"id":2}', bodyBytes: new TextEncoder().encode('{"id":2}') }
    expect(reasonOf(judgedAttempts('dedup', [appliedAndReset, firstResult], {}, { outcome: other })).received).toBe(
      'resolved with something else',
    )
  })
})

describe('shows nothing', () => {
  test('without a re-send', () => {
    expect(gist(judgedAttempts('dedup', [appliedAndReset]))).toBe(
      'inconclusive: the client never repeated the POST after a reset: nothing was deduplicated; see toNotReplayUnsafe',
    )
  })

  test('when nothing was applied, or its answer arrived', () => {
    expect(judgedAttempts('dedup', [{ fault: 'reset' }, { status: 200 }]).kind).toBe('inconclusive')
    expect(judgedAttempts('dedup', [{ status: 200 }]).kind).toBe('inconclusive')
  })

  test('for a method that may be repeated anyway', () => {
    expect(judgedAttempts('dedup', [appliedAndReset, { status: 200 }], {}, { method: 'PUT' }).kind).toBe('inconclusive')
  })
})

test('a POST that may be repeated is not judged', () => {
  const trial = trialOf({ attempts: [appliedAndReset, { status: 200 }], key: null, client: { repeatable: true } })
  expect(judged('dedup', trial).kind).toBe('not-applicable')
})
