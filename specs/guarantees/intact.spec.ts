import { describe, expect, test } from 'vitest'
import { type AttemptSketch, rejected, resolved, trialOf } from '../support/make-trial.js'
import { gist, judged, judgedAttempts, reasonOf } from './support.js'

const cut: AttemptSketch = { status: 200, step: { status: 200, truncate: 'length' }, complete: false, answer: '{"a"' }
const chunked: AttemptSketch = { ...cut, step: { status: 200, truncate: 'chunked' }, headers: { 'Transfer-Encoding': 'chunked' } }
const malformed: AttemptSketch = { status: 200, step: { status: 200, json: 'malformed' }, answer: '{"a":' }
const gzip: AttemptSketch = { status: 200, step: { status: 200, truncate: 'gzip' }, complete: true }
const done = { outcome: resolved(200) }
const refused = { outcome: rejected('terminated', 'body') }

describe('an answer that was cut short', () => {
  test.each([
    ['by its length', cut, 'BDY-01'],
    ['in its chunks', chunked, 'BDY-02'],
    ['by a reset', { status: 200, fault: 'reset-body' } as AttemptSketch, 'BDY-01'],
  ])('%s and reported as success fails', (_name, attempt, rule) => {
    const verdict = judgedAttempts('intact', [attempt], {}, done)
    expect(gist(verdict)).toBe('fail: the call resolved although the answer was incomplete in attempt 1')
    expect(reasonOf(verdict)).toMatchObject({ rule, level: 'must', mark: 'reported as success' })
  })

  test('and reported as an error passes', () => {
    expect(gist(judgedAttempts('intact', [cut], {}, refused))).toBe(
      'pass: the call was rejected after attempt 1, whose answer was incomplete',
    )
  })

  test('and asked for again passes', () => {
    expect(gist(judgedAttempts('intact', [cut, { status: 200 }], {}, done))).toBe(
      'pass: attempt 2 followed attempt 1, whose answer was incomplete',
    )
  })

  describe('of one version', () => {
    const versioned = (etag: string, more: AttemptSketch): AttemptSketch => ({ ...more, headers: { ETag: etag } })
    const first = versioned('"v1"', cut)

    test('and completed by the rest of another one fails', () => {
      const verdict = judgedAttempts('intact', [first, versioned('"v2"', { status: 206 })], {}, { outcome: resolved(206) })
      expect(gist(verdict)).toBe('pass: attempt 2 followed attempt 1, whose answer was incomplete')
      const spliced = judgedAttempts('intact', [first, versioned('"v2"', { status: 206 })], {}, done)
      expect(gist(spliced)).toBe(
        'fail: the call resolved with half of version "v1" from attempt 1 and the rest of version "v2" from attempt 2',
      )
      expect(reasonOf(spliced)).toMatchObject({ rule: 'BDY-06', attempt: 2, mark: 'another version' })
    })

    test.each<[string, AttemptSketch]>([
      ['the rest of the same one', versioned('"v1"', { status: 206 })],
      ['all of another one', versioned('"v2"', { status: 200 })],
    ])('and completed by %s passes', (_name, second) => {
      expect(judgedAttempts('intact', [first, second], {}, done).kind).toBe('pass')
    })
  })

  describe('of a length that was said', () => {
    const half: AttemptSketch = { ...cut, answer: '01234' }
    const rest = (answer: string, range = 'bytes 5-9/10'): AttemptSketch => ({
      status: 206,
      answer,
      headers: { 'Content-Range': range },
    })
    const withText = (value: string) => ({ outcome: { ...resolved(200), value } })

    test('and completed by more than its range holds fails', () => {
      const verdict = judgedAttempts('intact', [half, rest('56789EXTRA')], {}, withText('0123456789EXTRA'))
      expect(gist(verdict)).toBe(
        'fail: the call resolved with the 10 bytes of attempt 2 behind half of attempt 1, although its Content-Range says 5',
      )
      expect(reasonOf(verdict)).toMatchObject({ rule: 'BDY-06', attempt: 2, received: '10 bytes for a range of 5' })
    })

    test.each<[string, AttemptSketch, string]>([
      ['the range that it lacked', rest('56789'), '0123456789'],
      ['what it lacked out of more', rest('56789EXTRA'), '0123456789'],
      ['a range without numbers', rest('56789EXTRA', 'bytes */10'), '0123456789EXTRA'],
    ])('and completed by %s passes', (_name, second, value) => {
      expect(judgedAttempts('intact', [half, second], {}, withText(value)).kind).toBe('pass')
    })
  })

  test('because the client had seen enough is its own choice', () => {
    expect(judgedAttempts('intact', [{ ...cut, hungUpAt: 100 }], {}, done).kind).toBe('inconclusive')
  })

  test('after the call had resolved is no success of it', () => {
    expect(judgedAttempts('intact', [{ ...cut, headersAt: 0, endedAt: 500 }], {}, { ...done, settledAt: 0 }).kind).toBe(
      'inconclusive',
    )
  })

  test('before other requests of the call may not be what the caller got', () => {
    const list: AttemptSketch = { ...cut, method: 'GET', path: '/models' }
    expect(judgedAttempts('intact', [list, { status: 200 }], {}, done).kind).toBe('inconclusive')
  })

  test('as a gzip stream inside a whole message is a matter of strictness', () => {
    expect(judgedAttempts('intact', [gzip], {}, done).kind).toBe('inconclusive')
    expect(gist(judgedAttempts('intact', [gzip], { strict: true }, done))).toBe(
      'fail: the call resolved although the gzip stream was cut short in attempt 1',
    )
  })
})

describe('an answer that the client stopped waiting for', () => {
  const stalled: AttemptSketch = {
    status: 200,
    step: { status: 200, stall: 'body' },
    headersAt: 0,
    hungUpAt: 2_000,
    endedAt: null,
    answer: '{"a"',
  }
  const late = { outcome: resolved(200), settledAt: 2_000 }

  test('and that it reports as success fails', () => {
    const verdict = judgedAttempts('intact', [stalled], {}, late)
    expect(gist(verdict)).toBe('fail: the call resolved although the rest of the body had not come in attempt 1')
    expect(reasonOf(verdict)).toMatchObject({ rule: 'BDY-01', level: 'must', mark: 'reported as success' })
    const unbegun = { ...stalled, step: { status: 200, bodyDelayMs: 5_000 } }
    expect(judgedAttempts('intact', [unbegun], {}, late).kind).toBe('fail')
  })

  test('and that it reports as an error, or asks for again, passes', () => {
    expect(judgedAttempts('intact', [stalled], {}, { ...refused, settledAt: 2_000 }).kind).toBe('pass')
    expect(judgedAttempts('intact', [stalled, { status: 200 }], {}, done).kind).toBe('pass')
  })

  test.each<[string, AttemptSketch, Parameters<typeof judgedAttempts>[3]]>([
    ['as soon as its headers had come', { ...stalled, hungUpAt: 0 }, { ...late, settledAt: 0 }],
    ['while it dripped', { ...stalled, step: { status: 200, dripMs: 100 } }, late],
    ['of a stream', stalled, { ...late, client: { streaming: true } }],
    ['because the caller aborted', stalled, { ...late, calls: [{ abortedAt: 2_000, settledAt: 2_000, outcome: resolved(200) }] }],
    ['on the real clock, where a machine may be slow', stalled, { ...late, record: { clock: 'real' } }],
  ])('%s may have given what was wanted', (_name, attempt, sketch) => {
    expect(judgedAttempts('intact', [attempt], {}, sketch).kind).toBe('inconclusive')
  })
})

describe('malformed JSON', () => {
  test('that is handed on as it came is left to the caller', () => {
    for (const value of ['{"a":', new Uint8Array(5), new Response('{"a":')]) {
      const outcome = { ...resolved(200, value), bodyBytes: value instanceof Response ? new Uint8Array(5) : undefined }
      expect(judgedAttempts('intact', [malformed], {}, { outcome }).kind).toBe('inconclusive')
    }
  })

  test('that stands where the parsed value belongs fails', () => {
    const outcome = resolved(200, { status: 200, data: '{"a":' })
    const verdict = judgedAttempts('intact', [malformed], {}, { outcome })
    expect(gist(verdict)).toBe('fail: the call resolved although the JSON was malformed in attempt 1')
    expect(reasonOf(verdict).rule).toBe('BDY-03')
  })

  test('that a client which parses resolves with fails', () => {
    const trial = trialOf({ attempts: [malformed], outcome: resolved(200, undefined), client: { parses: 'json' } })
    expect(judged('intact', trial).kind).toBe('fail')
  })

  test('in an object whose getters throw does not stop the judgement', () => {
    const value = Object.defineProperty({}, 'data', {
      enumerable: true,
      get() {
        throw new Error('not now')
      },
    })
    expect(judgedAttempts('intact', [malformed], {}, { outcome: resolved(200, value) }).kind).toBe('inconclusive')
  })
})

test('a whole answer shows nothing', () => {
  expect(gist(judgedAttempts('intact', [{ status: 503 }, { status: 200 }]))).toBe(
    "inconclusive: no 2xx answer was cut short; use a schedule such as [{ status: 200, truncate: 'length' }]",
  )
})
