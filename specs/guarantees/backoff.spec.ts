import { describe, expect, test } from 'vitest'
import { bandOf } from '../../src/guarantees/backoff-band.js'
import type { BackoffPromise, Contract } from '../../src/guarantees/contract.js'
import type { Trial } from '../../src/trace/model.js'
import { type AttemptSketch, rejected, trialOf } from '../support/make-trial.js'
import { gist, judged, judgedAttempts, reasonOf, rulesOf } from './support.js'

const outcome = rejected('HTTP 503')

/** 503 for ever, re-sent after these gaps. */
function gaps(...waitsMs: number[]): AttemptSketch[] {
  const arrivals = waitsMs.map((_wait, index) => waitsMs.slice(0, index + 1).reduce((sum, waitMs) => sum + waitMs, 0))
  return [0, ...arrivals].map((at): AttemptSketch => ({ at, status: 503 }))
}

/** A generator of its own, so that the spec does not rest on the machine's. */
function randoms(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** One trial per seed, its first gap drawn by `draw`. */
function fleet(count: number, draw: (random: () => number) => number): Trial[] {
  const random = randoms(7)
  return Array.from({ length: count }, (_, seed) => trialOf({ attempts: gaps(Math.floor(draw(random))), record: { seed } }))
}

describe('the band of a wait', () => {
  const promise = (jitter: BackoffPromise['jitter']): BackoffPromise => ({ baseMs: 100, factor: 2, capMs: 300, jitter })
  test.each<[string, BackoffPromise['jitter'], number, number, number]>([
    ['none is the nominal wait', 'none', 2, 200, 200],
    ['none is capped', 'none', 3, 300, 300],
    ['full reaches down to nothing', 'full', 2, 0, 200],
    ['equal reaches down to half', 'equal', 2, 100, 200],
    ['a band multiplies', { min: 1, max: 1.25 }, 2, 200, 250],
    ['a band is capped after jitter', { min: 1, max: 1.25 }, 3, 300, 300],
  ])('%s', (_name, jitter, count, lowMs, highMs) => {
    expect(bandOf(promise(jitter), count, null)).toEqual({ lowMs, highMs })
  })

  test('decorrelated grows from the wait before it, which is at least the base', () => {
    const uncapped: BackoffPromise = { baseMs: 100, jitter: 'decorrelated' }
    expect(bandOf(uncapped, 1, null)).toEqual({ lowMs: 100, highMs: 300 })
    expect(bandOf(uncapped, 2, 240)).toEqual({ lowMs: 100, highMs: 720 })
    expect(bandOf(promise('decorrelated'), 2, 240)).toEqual({ lowMs: 100, highMs: 300 })
  })

  test('doubles until the exponent overflows, and stays at the cap then', () => {
    expect(bandOf(promise('none'), 2_000, null)).toEqual({ lowMs: 300, highMs: 300 })
  })
})

describe('each gap', () => {
  const contract: Contract = { backoff: { baseMs: 250, jitter: 'none' } }

  test('inside the declared band passes', () => {
    expect(judgedAttempts('backoff', gaps(250, 500, 1_000), contract).kind).toBe('pass')
    expect(judgedAttempts('backoff', gaps(249, 501), contract).kind).toBe('pass')
  })

  test('below it fails', () => {
    const verdict = judgedAttempts('backoff', gaps(250, 2), contract)
    expect(gist(verdict)).toBe('fail: attempt 3 came 2 ms after a 503, earlier than the declared 500 ms')
    expect(reasonOf(verdict)).toMatchObject({ rule: 'BKO-05', attempt: 3, expected: 'gap = 500 ms', mark: '498 ms too early' })
  })

  test('above it fails, but not on the real clock', () => {
    const verdict = judgedAttempts('backoff', gaps(252), { backoff: { baseMs: 200, capMs: 250, jitter: { min: 1, max: 2 } } })
    expect(gist(verdict)).toBe('fail: attempt 2 came 252 ms after a 503, later than the declared 250 ms')
    expect(reasonOf(verdict).expected).toBe('200 ms ≤ gap ≤ 250 ms')
    expect(judgedAttempts('backoff', gaps(900), contract, { record: { clock: 'real' } }).kind).toBe('pass')
  })

  test('is counted from the end of the answer, or from the hang-up of the client', () => {
    const attempts: AttemptSketch[] = [
      { fault: 'hang', hungUpAt: 2_000 },
      { at: 2_250, status: 503, endedAt: 3_000 },
      { at: 3_500, status: 503 },
    ]
    expect(judgedAttempts('backoff', attempts, contract).kind).toBe('pass')
  })

  test('after a hint is the hint’s, not the backoff’s', () => {
    const attempts: AttemptSketch[] = [
      { status: 503, headers: { 'Retry-After': '2' } },
      { at: 2_000, status: 503 },
      { at: 2_500, status: 503 },
    ]
    expect(rulesOf(judgedAttempts('backoff', attempts, contract))).toEqual(['pass BKO-05'])
  })

  test('between a 401 and the attempt with a new credential is none', () => {
    expect(judgedAttempts('backoff', [{ status: 401 }, { status: 200 }], contract).kind).toBe('inconclusive')
  })
})

describe('after the last attempt', () => {
  test('a wait fails', () => {
    const verdict = judgedAttempts('backoff', gaps(250, 500), { backoff: { baseMs: 250 } }, { settledAt: 1_750, outcome })
    expect(gist(verdict)).toBe('fail: the call waited 1 000 ms after attempt 3, the last of 3 attempts')
    expect(reasonOf(verdict)).toMatchObject({ rule: 'BKO-11', attempt: 3, expected: 'settled at 750 ms' })
  })

  test.each([
    [4, 'pass'],
    [5, 'fail'],
  ])('%i ms of timers that were asked for nothing: %s', (lateMs, kind) => {
    const settledAt = 750 + lateMs
    expect(judgedAttempts('backoff', gaps(250, 500), { backoff: { baseMs: 250 } }, { settledAt, outcome }).kind).toBe(kind)
  })

  test('a wait that the deadline cut short is left to its own guarantee', () => {
    const contract = { backoff: { baseMs: 250 }, deadlineMs: 1_000 }
    expect(judgedAttempts('backoff', gaps(250, 500), contract, { settledAt: 1_000, outcome }).kind).toBe('pass')
  })

  test('settling at once passes', () => {
    expect(judgedAttempts('backoff', gaps(250), { backoff: { baseMs: 250 } }).kind).toBe('pass')
  })
})

describe('many clients', () => {
  const promised = (jitter: BackoffPromise['jitter']): Contract => ({ backoff: { baseMs: 1_000, jitter } })

  test('that wait for nothing to speak of fail', () => {
    const verdict = judged(
      'backoff',
      fleet(50, (random) => random() * 3),
    )
    expect(gist(verdict)).toMatch(/^fail: the median first gap of 50 seeds is \d ms$/)
    expect(reasonOf(verdict)).toMatchObject({ rule: 'BKO-04', expected: 'median ≥ 5 ms' })
    expect(
      judged(
        'backoff',
        fleet(29, () => 0),
      ).kind,
    ).toBe('inconclusive')
    expect(
      judged(
        'backoff',
        fleet(30, (random) => random() * 150),
        promised('full'),
      ).reasons[0],
    ).toMatchObject({
      rule: 'BKO-04',
      expected: 'median ≥ 100 ms',
    })
  })

  test('that march in step fail under strict', () => {
    const inStep = fleet(50, () => 1_000)
    expect(judged('backoff', inStep).kind).toBe('pass')
    const verdict = judged('backoff', inStep, { strict: true })
    expect(gist(verdict)).toBe('fail: the first gaps of 50 clients spread over 0 % of their median')
    expect(reasonOf(verdict)).toMatchObject({ rule: 'BKO-06', level: 'should', expected: 'spread ≥ 10 %' })
  })

  test('that say they have no jitter may march in step', () => {
    expect(
      judged(
        'backoff',
        fleet(50, () => 1_000),
        { ...promised('none'), strict: true },
      ).kind,
    ).toBe('pass')
  })

  test('that spread by a quarter pass under strict', () => {
    expect(
      judged(
        'backoff',
        fleet(50, (random) => 1_000 * (0.75 + random() / 4)),
        { strict: true },
      ).kind,
    ).toBe('pass')
  })

  describe('in a declared band', () => {
    const band = (min: number, max: number, capMs?: number): Contract => ({
      backoff: { baseMs: 1_000, capMs, jitter: { min, max } },
    })

    test('have to use it', () => {
      const verdict = judged(
        'backoff',
        fleet(50, () => 1_100),
        band(1, 1.25),
      )
      expect(gist(verdict)).toBe('fail: the first gaps of 50 clients spread over 0 % of their median')
      expect(reasonOf(verdict)).toMatchObject({ rule: 'BKO-06', level: 'must', expected: 'spread ≥ 10 %' })
      expect(
        judged(
          'backoff',
          fleet(50, (random) => 1_000 + 250 * random()),
          band(1, 1.25),
        ).kind,
      ).toBe('pass')
    })

    test('owe two thirds of a narrow one', () => {
      // 40 ms of 1 020 ms are 3.9 %; two thirds of that are 2.6 %.
      const narrow = judged(
        'backoff',
        fleet(50, (random) => 1_000 + 20 * random()),
        band(1, 1.04),
      )
      expect(reasonOf(narrow)).toMatchObject({ kind: 'fail', expected: 'spread ≥ 2.6 %' })
      expect(
        judged(
          'backoff',
          fleet(50, (random) => 1_000 + 40 * random()),
          band(1, 1.04),
        ).kind,
      ).toBe('pass')
    })

    test.each([
      ['too narrow for whole milliseconds', band(1, 1.009), 1_005],
      ['cut by the cap', band(1, 2, 1_100), 1_100],
    ])('are not judged by their spread when it is %s', (_name, contract, waitMs) => {
      expect(
        judged(
          'backoff',
          fleet(50, () => waitMs),
          contract,
        ).kind,
      ).toBe('pass')
    })
  })

  test('too few of them show no spread', () => {
    const verdict = judged(
      'backoff',
      fleet(49, () => 1_000),
      { strict: true },
    )
    expect(verdict.reasons.map(({ text }) => text)).toContain('the spread takes 50 seeds to judge, and there are 49')
  })

  test('runs with one seed are one client', () => {
    const same = Array.from({ length: 60 }, () => trialOf({ attempts: gaps(0) }))
    expect(judged('backoff', same).kind).toBe('inconclusive')
  })

  const DRAWS = {
    none: () => 1_000,
    full: (random: () => number) => 1_000 * random(),
    equal: (random: () => number) => 1_000 * (0.5 + random() / 2),
    decorrelated: (random: () => number) => 1_000 + 2_000 * random(),
  } as const

  test.each(['none', 'full', 'equal', 'decorrelated'] as const)('with %s jitter are told from all other kinds', (kind) => {
    for (const declared of ['none', 'full', 'equal', 'decorrelated'] as const) {
      const verdict = judged('backoff', fleet(200, DRAWS[kind]), promised(declared))
      expect(`${declared}: ${verdict.kind}`).toBe(`${declared}: ${declared === kind ? 'pass' : 'fail'}`)
    }
  })

  test('with half of the full jitter are inside its band, and are found by their distribution', () => {
    const verdict = judged('backoff', fleet(200, DRAWS.equal), promised('full'))
    expect(gist(verdict)).toBe('fail: the first gaps of 200 seeds are not distributed like full jitter')
    expect(reasonOf(verdict)).toMatchObject({ rule: 'BKO-10', expected: 'Kolmogorov-Smirnov distance ≤ 0.163' })
  })
})

describe('clients after an outage of one second that they had in common', () => {
  /** 503 during the outage, re-sent after waits that are drawn one after the other, then 200. */
  function wave(count: number, waitMs: (resend: number, random: () => number) => number): Trial[] {
    const random = randoms(11)
    return Array.from({ length: count }, (_, seed) => {
      const attempts: AttemptSketch[] = []
      let at = 0
      for (let resend = 1; at < 1_000; resend++) {
        attempts.push({ at, status: 503 })
        at += Math.ceil(waitMs(resend, random))
      }
      return trialOf({ method: 'GET', attempts: [...attempts, { at, status: 200 }], record: { seed } })
    })
  }
  const nominalMs = (resend: number) => 250 * 2 ** (resend - 1)
  const inStep = (resend: number) => nominalMs(resend)
  const fullJitter = (resend: number, random: () => number) => nominalMs(resend) * random()
  const waves = (trials: readonly Trial[]) =>
    judged('backoff', trials, { strict: true }).reasons.filter(({ rule }) => rule === 'BUD-04')

  test('come back as one crowd without jitter', () => {
    // 250 + 500 + 1 000 ms.
    expect(waves(wave(300, inStep))).toMatchObject([
      {
        kind: 'fail',
        level: 'should',
        text: '100 % of 300 clients came back within the 100 ms from 1 700 ms on',
        expected: 'at most 25 % in 100 ms',
      },
    ])
  })

  test('come back apart with full jitter', () => {
    expect(waves(wave(300, fullJitter)).map(({ kind }) => kind)).toEqual(['pass'])
  })

  test('are too few to judge below 300, and are not judged on another schedule', () => {
    expect(waves(wave(299, inStep))).toEqual([])
    expect(waves(fleet(300, () => 1_000))).toEqual([])
  })
})

test('one attempt shows nothing', () => {
  expect(gist(judgedAttempts('backoff', [{ status: 503 }], { backoff: { baseMs: 250 } }))).toBe(
    "inconclusive: too little was seen to judge the waits; use a schedule such as [503] without Retry-After, `call: { method: 'GET' }` for a client that never retries POST, and 50 seeds",
  )
})
