import { describe, expect, test } from 'vitest'
import type { Contract } from '../../src/guarantees/contract.js'
import { formatHttpDate } from '../../src/trace/http-date.js'
import { type AttemptSketch, trialOf, unsettled, WALL_START_MS } from '../support/make-trial.js'
import { gist, judged, judgedAttempts, reasonOf, rulesOf } from './support.js'

const asked = (value: string, sketch: AttemptSketch = {}): AttemptSketch => ({
  status: 503,
  headers: { 'Retry-After': value },
  ...sketch,
})
const back = (at: number): AttemptSketch => ({ at, status: 200 })
const GET = { method: 'GET' } as const

describe('a re-send inside the window', () => {
  test('fails in the words of the manual', () => {
    const verdict = judgedAttempts('hint', [asked('30', { status: 429 }), back(512)])
    expect(gist(verdict)).toBe('fail: attempt 2 came 512 ms after a 429 that asked for 30 s')
    expect(reasonOf(verdict)).toEqual({
      kind: 'fail',
      rule: 'RAF-01',
      level: 'must',
      source: 'RFC 9110 §10.2.3, RFC 6585 §4',
      trial: 0,
      attempt: 2,
      text: 'attempt 2 came 512 ms after a 429 that asked for 30 s',
      requirement: 'do not come back before Retry-After has passed',
      expected: 'gap ≥ 30 000 ms',
      received: 'gap = 512 ms',
      mark: '29 488 ms too early',
    })
  })

  test('fails whatever other faults lie between', () => {
    const verdict = judgedAttempts('hint', [asked('2'), { at: 2_500, fault: 'reset' }, back(3_000)])
    expect(verdict.kind).toBe('pass')
    const early = judgedAttempts('hint', [asked('30'), { at: 30_000, fault: 'reset' }, back(30_100)])
    expect(early.kind).toBe('pass')
    const inside = judgedAttempts('hint', [asked('30'), { at: 10_000, fault: 'reset' }, back(20_000)])
    expect(inside.reasons.map(({ text }) => text)).toEqual([
      'attempt 2 came 10 000 ms after a 503 that asked for 30 s',
      'attempt 3 came 20 000 ms after the 503 of attempt 1, which asked for 30 s',
    ])
  })

  test('is measured from the headers, which a client acts on, not from the end of the body', () => {
    const slowBody = asked('2', { headersAt: 100, endedAt: 1_100 })
    expect(judgedAttempts('hint', [slowBody, back(2_100)]).kind).toBe('pass')
    expect(gist(judgedAttempts('hint', [slowBody, back(2_000)]))).toBe(
      'fail: attempt 2 came 1 900 ms after a 503 that asked for 2 s',
    )
  })

  // Virtual time: one millisecond, since Node truncates timer delays. Real time: fifty.
  test.each([
    ['virtual', 1_999, 'pass'],
    ['virtual', 1_998, 'fail'],
    ['real', 1_950, 'pass'],
    ['real', 1_949, 'fail'],
  ] as const)('on the %s clock %i ms of 2 s is %s', (clock, at, kind) => {
    expect(judgedAttempts('hint', [asked('2'), back(at)], {}, { record: { clock } }).kind).toBe(kind)
  })

  test('fails for a wait above the 32-bit limit of timers', () => {
    const verdict = judgedAttempts('hint', [asked('3000000'), back(1)])
    expect(gist(verdict)).toBe('fail: attempt 2 came 1 ms after a 503 that asked for 34.7 days')
    expect(reasonOf(verdict).rule).toBe('RAF-10')
  })

  test('another request of the call is none', () => {
    const verdict = judgedAttempts('hint', [asked('30'), { method: 'GET', path: '/models', status: 200 }])
    expect(verdict.kind).toBe('inconclusive')
  })
})

describe('dates', () => {
  const inSeconds = (seconds: number, form: 'imf' | 'rfc850' | 'asctime') => formatHttpDate(WALL_START_MS + seconds * 1000, form)

  test.each([
    ['imf', 'RAF-03'],
    ['rfc850', 'RAF-04'],
    ['asctime', 'RAF-04'],
  ] as const)('%s: not before the date', (form, rule) => {
    const early = judgedAttempts('hint', [asked(inSeconds(3, form)), back(400)])
    expect(gist(early)).toBe('fail: attempt 2 came 400 ms after a 503 that asked for 3 s')
    expect(reasonOf(early).rule).toBe(rule)
    expect(judgedAttempts('hint', [asked(inSeconds(3, form)), back(3_000)]).kind).toBe('pass')
  })

  test('a date that has passed allows any gap, and shows nothing', () => {
    const verdict = judgedAttempts('hint', [asked(inSeconds(-3_600, 'imf')), back(500)], { strict: true })
    expect(verdict.kind).toBe('inconclusive')
  })

  test('coming at once is bad manners, which only strict judges', () => {
    const attempts = [asked(inSeconds(-3_600, 'imf')), back(0)]
    expect(judgedAttempts('hint', attempts).kind).toBe('inconclusive')
    expect(gist(judgedAttempts('hint', attempts, { strict: true }))).toBe(
      'fail: attempt 2 came at once after a 503 whose date had passed',
    )
    expect(gist(judgedAttempts('hint', [asked('0'), back(0)], { strict: true }))).toBe(
      'fail: attempt 2 came at once after a 503 that asked for 0 s',
    )
  })
})

describe('a hint that was kept', () => {
  test('passes when the client comes back after it', () => {
    expect(gist(judgedAttempts('hint', [asked('2'), back(2_000)]))).toBe(
      'pass: attempt 2 waited out the 2 s that a 503 asked for',
    )
  })

  test('needs a wait in seconds where one was asked for', () => {
    const gaveUp = trialOf({ attempts: [asked('2')] })
    const dated = trialOf({ attempts: [asked(formatHttpDate(WALL_START_MS + 3_000, 'imf')), back(3_000)] })
    expect(judged('hint', [dated]).kind).toBe('pass')
    expect(judged('hint', [dated, gaveUp]).kind).toBe('inconclusive')
  })
})

describe('giving up', () => {
  test('shows nothing', () => {
    const verdict = judgedAttempts('hint', [asked('30', { status: 429 })])
    expect(gist(verdict)).toBe('inconclusive: the client gave up after a 429 that asked for 30 s, so there was no wait to judge')
    expect(reasonOf(verdict).expected).toContain("`call: { method: 'GET' }`")
  })

  test('passes above the cap, and so does waiting', () => {
    const contract: Contract = { retryAfter: { capMs: 60_000 } }
    expect(gist(judgedAttempts('hint', [asked('120')], contract))).toBe(
      'pass: the client gave up after a 503 that asked for 120 s, which is above its cap',
    )
    expect(judgedAttempts('hint', [asked('120'), back(120_000)], contract).kind).toBe('pass')
    const early = judgedAttempts('hint', [asked('120'), back(60_000)], contract)
    expect(gist(early)).toBe('fail: attempt 2 came 60 000 ms after a 503 that asked for 120 s')
    expect(reasonOf(early).rule).toBe('RAF-11')
  })

  test('or waiting is what overCap promises', () => {
    const fails: Contract = { retryAfter: { capMs: 60_000, overCap: 'fail' } }
    const waits: Contract = { retryAfter: { capMs: 60_000, overCap: 'wait' } }
    expect(gist(judgedAttempts('hint', [asked('120'), back(120_000)], fails))).toBe(
      'fail: attempt 2 waited out the 120 s that a 503 asked for, although the contract promises to give up above 60 s',
    )
    expect(gist(judgedAttempts('hint', [asked('120')], waits, GET))).toBe(
      'fail: the client gave up after a 503 that asked for 120 s, although the contract promises to wait above its cap',
    )
    expect(judgedAttempts('hint', [asked('120')], fails).kind).toBe('pass')
    expect(judgedAttempts('hint', [asked('120'), back(120_000)], waits).kind).toBe('pass')
  })

  test('passes when the wait does not fit into the deadline', () => {
    expect(gist(judgedAttempts('hint', [asked('30')], { deadlineMs: 8_000 }))).toBe(
      'pass: the client gave up after a 503 that asked for 30 s, which does not fit into its deadline',
    )
  })

  test('a call that still waits shows nothing', () => {
    expect(gist(judgedAttempts('hint', [asked('3000000')], {}, { outcome: unsettled() }))).toBe(
      'inconclusive: the call was still waiting after a 503 that asked for 34.7 days when the trial ended',
    )
  })
})

describe('a malformed hint', () => {
  const without = (gapMs: number, seed = 1) => trialOf({ attempts: [{ status: 503 }, back(gapMs)], record: { seed } })
  const withHint = (value: string, gapMs: number) =>
    trialOf({
      attempts: [asked(value, { step: { status: 503, retryAfter: value } }), back(gapMs)],
    })

  test.each([
    ['-5', 'RAF-08'],
    ['soon', 'RAF-07'],
    ['', 'RAF-07'],
  ])('"%s" fails when it makes the client come earlier than without', (value, rule) => {
    const verdict = judged('hint', [withHint(value, 2), without(300)])
    expect(gist(verdict)).toBe(
      `fail: attempt 2 came 2 ms after a 503 with retry-after: ${value || '(empty)'}; without the header it came after 300 ms`,
    )
    expect(reasonOf(verdict)).toMatchObject({ rule, expected: 'gap ≥ 300 ms', mark: '298 ms earlier than without the header' })
  })

  test('passes when it changes nothing', () => {
    expect(judged('hint', [withHint('soon', 299), without(300)]).kind).toBe('pass')
    expect(judged('hint', [withHint('-5', 0), without(0)]).kind).toBe('pass')
  })

  test('a fraction is a matter of strictness', () => {
    const trials = [withHint('1.5', 100), without(300)]
    expect(judged('hint', trials).kind).toBe('inconclusive')
    expect(judged('hint', trials, { strict: true }).kind).toBe('fail')
  })

  test('is not compared with a trial of another seed', () => {
    expect(gist(judged('hint', [withHint('soon', 2), without(300, 2)]))).toBe(
      'inconclusive: attempt 2 came 2 ms after a 503 with retry-after: soon; no trial without the header, with the same seed, tells when it would come by itself',
    )
  })

  test('is not judged against a client that waits differently without it, under one seed', () => {
    expect(gist(judged('hint', [withHint('soon', 187), without(240), without(208)]))).toBe(
      'inconclusive: attempt 2 came 187 ms after a 503 with retry-after: soon; without the header it came after 208 ms or 240 ms, though the seed was the same: the client keeps state beyond a trial',
    )
    expect(judged('hint', [withHint('soon', 210), without(240), without(208)]).kind).toBe('pass')
    expect(judged('hint', [withHint('soon', 187), without(240), without(240)]).kind).toBe('fail')
  })

  test('fails when nothing ever follows', () => {
    const trial = trialOf({ attempts: [asked('abc')], outcome: unsettled() })
    expect(gist(judged('hint', trial))).toBe('fail: the call never settled after a 503 with retry-after: abc')
  })

  test('fails when it makes the client wait for hours', () => {
    // The longest delay that a timer takes: what a wait of "Infinity" is clamped to.
    expect(gist(judged('hint', withHint('abc', 2_147_483_647)))).toBe(
      'fail: attempt 2 came only 24.9 days after a 503 with retry-after: abc',
    )
    expect(judged('hint', [withHint('abc', 3_600_001), without(360_001)]).kind).toBe('pass')
  })

  test('of two values the smaller is enough, and so is ignoring both', () => {
    const list = (gapMs: number) => withHint('1, 3', gapMs)
    expect(judged('hint', list(1_000)).kind).toBe('pass')
    expect(judged('hint', [list(300), without(300)]).kind).toBe('pass')
    expect(judged('hint', [list(2), without(300)], { strict: true }).kind).toBe('fail')
    expect(judged('hint', list(2), { strict: true }).kind).toBe('inconclusive')
  })
})

describe('headers of vendors', () => {
  const both: AttemptSketch = { status: 429, headers: { 'retry-after-ms': '250', 'Retry-After': '5' } }

  test('count only for a contract that names them, in its order', () => {
    expect(judgedAttempts('hint', [both, back(250)]).kind).toBe('fail')
    expect(judgedAttempts('hint', [both, back(250)], { preset: 'openai' }).kind).toBe('pass')
    expect(rulesOf(judgedAttempts('hint', [both, back(100)], { preset: 'openai' }))).toEqual(['fail RAF-15'])
  })
})

describe('a redirect with a hint', () => {
  const moved = (waitS: string) => asked(waitS, { status: 302 })
  const followed = (at: number) => ({ ...back(at), path: '/moved' })

  test('may be followed at once, and is said to have been', () => {
    const verdict = judgedAttempts('hint', [moved('2'), followed(1)])
    expect(verdict.kind).toBe('inconclusive')
    expect(gist(verdict)).toBe('inconclusive: may, broken: attempt 2 came 1 ms after a 302 that asked for 2 s')
    expect(verdict.reasons[1]).toMatchObject({ kind: 'fail', level: 'may', rule: 'RAF-18', attempt: 2 })
    expect(judgedAttempts('hint', [moved('2'), followed(1)], { strict: true }).kind).toBe('inconclusive')
  })

  test('is better waited for', () => {
    expect(rulesOf(judgedAttempts('hint', [moved('2'), followed(2_000)]))).toEqual(['pass RAF-18'])
  })

  test('without a wait, or with one that cannot be read, is a redirect like any other', () => {
    expect(judgedAttempts('hint', [moved('0'), followed(0)]).reasons).toMatchObject([{ kind: 'inconclusive', rule: 'RAF-01' }])
    expect(judgedAttempts('hint', [moved('soon'), followed(0)]).reasons).toMatchObject([{ kind: 'inconclusive', rule: 'RAF-01' }])
  })
})

test('a hint on a success is not judged', () => {
  expect(judgedAttempts('hint', [asked('30', { status: 202 }), back(1)]).kind).toBe('inconclusive')
})

test('without a hint nothing is shown', () => {
  expect(gist(judgedAttempts('hint', [{ status: 503 }, back(1)]))).toBe(
    "inconclusive: no re-send followed an answer with Retry-After, so there was no wait to judge; give `retryAfter` to a 429 or 503 of the schedule, and `call: { method: 'GET' }` for a client that never retries POST",
  )
})
