import { describe, expect, test } from 'vitest'
import { FALSE_ALARMS, judgeFirstWaits } from '../../src/guarantees/backoff-fleet.js'
import type { BackoffPromise, JitterPromise } from '../../src/guarantees/contract.js'
import { WAVE_FALSE_ALARM } from '../../src/guarantees/second-wave.js'
import { binomialTail, rangeWithin } from '../../src/guarantees/statistics.js'
import { trialOf } from '../support/make-trial.js'

/** Any good source of chance does; this one is not that of the clock. */
function chance(seed: number): () => number {
  let state = BigInt(seed) * 0x9e3779b97f4a7c15n
  return () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n)
    return Number(state >> 11n) / 2 ** 53
  }
}

test('a binomial tail is what is left of the whole', () => {
  expect(binomialTail(10, 0, 0.3)).toBeCloseTo(1, 12)
  expect(binomialTail(3, 2, 0.5)).toBeCloseTo(0.5, 12)
  expect(binomialTail(2, 2, 0.1)).toBeCloseTo(0.01, 12)
})

test('the range of two draws is below one half in three of four cases', () => {
  expect(rangeWithin(2, 0.5)).toBeCloseTo(0.75, 12)
  expect(rangeWithin(5, 1)).toBeCloseTo(1, 12)
})

test('all rules about many clients together blame a sound one less than once in 10 000 runs', () => {
  const { median, spread, kind } = FALSE_ALARMS
  expect(median).toBeLessThan(1e-6)
  expect(spread).toBeLessThan(1e-6)
  expect(WAVE_FALSE_ALARM).toBeLessThan(2e-5)
  expect(median + spread + kind + WAVE_FALSE_ALARM).toBeLessThan(1e-4)
})

describe('over 500 fleets of 200 sound clients', () => {
  const trial = trialOf({ method: 'GET', attempts: [{ status: 503 }, { at: 100, status: 200 }] })
  const [previous, attempt] = trial.attempts

  function blamesOf(promise: BackoffPromise, waitMs: (random: () => number) => number): string[] {
    return Array.from({ length: 500 }, (_, fleet) => {
      const random = chance(1 + fleet)
      const waits = Array.from({ length: 200 }, (_, seed) => ({
        trial: { ...trial, seed },
        index: seed,
        attempt: attempt!,
        previous: previous!,
        gapMs: Math.floor(waitMs(random)),
        count: 1,
        previousMs: null,
      }))
      return judgeFirstWaits(waits, { backoff: promise }).flatMap(({ kind, rule }) => (kind === 'fail' ? [rule] : []))
    }).flat()
  }

  test.each<[string, JitterPromise, (random: () => number) => number]>([
    ['full', 'full', (random) => 250 * random()],
    ['equal', 'equal', (random) => 125 + 125 * random()],
    ['decorrelated', 'decorrelated', (random) => 250 + 500 * random()],
    ['a band of a quarter', { min: 1, max: 1.25 }, (random) => 250 + 62.5 * random()],
    ['a band of 20 ms', { min: 1, max: 1.08 }, (random) => 250 + 20 * random()],
  ])('%s jitter is never blamed', (_name, jitter, waitMs) => {
    expect(blamesOf({ baseMs: 250, jitter }, waitMs)).toEqual([])
  })

  test.each<[string, JitterPromise, (random: () => number) => number]>([
    ['full', 'full', (random) => 125 + 125 * random()],
    ['equal', 'equal', (random) => 250 * random()],
    ['decorrelated', 'decorrelated', (random) => 250 + 250 * random()],
  ])('another kind than the declared %s one is always found', (_name, jitter, waitMs) => {
    expect(blamesOf({ baseMs: 250, jitter }, waitMs).filter((rule) => rule === 'BKO-10')).toHaveLength(500)
  })
})
