import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { binomialTail, ksDistance, ksLimit, median, relativeSpread, uniform } from '../../src/guarantees/statistics.js'

test('the median is the middle value, or between the two middle ones', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  expect(median([])).toBeNaN()
})

test('the spread is the range as a share of the median', () => {
  expect(relativeSpread([900, 1_000, 1_100])).toBe(0.2)
  expect(relativeSpread([0, 0, 0])).toBe(0)
})

test('the tail of a binomial distribution is what coins do', () => {
  expect(binomialTail(3, 2, 0.5)).toBeCloseTo(4 / 8, 12)
  expect(binomialTail(3, 0, 0.5)).toBeCloseTo(1, 12)
  expect(binomialTail(8, 8, 0.1)).toBeCloseTo(1e-8, 15)
  expect(binomialTail(4, 5, 0.1)).toBe(0)
})

describe('the Kolmogorov-Smirnov distance', () => {
  test('of values that lie evenly is half a step', () => {
    // Ten values at 5, 15, ... 95 of 0..100: at each the empirical share steps from k/10 to (k+1)/10 around (k+0.5)/10.
    const values = Array.from({ length: 10 }, (_, index) => index * 10 + 5)
    expect(ksDistance(values, uniform(0, 100), 0)).toBeCloseTo(0.05, 12)
  })

  test('of values in the upper half of the range is one half', () => {
    const values = Array.from({ length: 1_000 }, (_, index) => 50 + index / 20)
    expect(ksDistance(values, uniform(0, 100), 0)).toBeCloseTo(0.5, 2)
  })

  test('of a single value that is hit is nothing, within the slack', () => {
    expect(ksDistance([500, 500, 499], uniform(500, 500), 1)).toBe(0)
    expect(ksDistance([500, 497], uniform(500, 500), 1)).toBe(0.5)
  })

  test('has a limit that shrinks with the root of the count', () => {
    // sqrt(ln(2 / 5e-5) / 400) = sqrt(10.597 / 400)
    expect(ksLimit(200, 5e-5)).toBeCloseTo(0.16276, 4)
    expect(ksLimit(800, 5e-5)).toBeCloseTo(ksLimit(200, 5e-5) / 2, 12)
  })

  test('of anything lies between 0 and 1', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 }), (values) => {
        const distance = ksDistance(values, uniform(0, 1_000), 1)
        expect(distance).toBeGreaterThanOrEqual(0)
        expect(distance).toBeLessThanOrEqual(1)
      }),
      { seed: 1, numRuns: 200 },
    )
  })
})
