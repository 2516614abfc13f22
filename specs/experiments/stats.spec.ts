import { expect, test } from 'vitest'
import { median, percentile, separate, spread } from '../../src/experiments/stats.js'

test('a percentile is the smallest value that the share does not exceed: one of the values, nothing in between', () => {
  expect(percentile([40, 10, 30, 20], 0.5)).toBe(20)
  expect(percentile([40, 10, 30, 20], 0.51)).toBe(30)
  expect(percentile([7], 0.95)).toBe(7)
  // 0.95 * 20 = 19: the 19th of 20.
  expect(
    percentile(
      Array.from({ length: 20 }, (_, i) => i + 1),
      0.95,
    ),
  ).toBe(19)
  expect(percentile([], 0.95)).toBeNaN()
})

test('the median of an even number of values is the mean of the two in the middle', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(median([])).toBeNaN()
})

test('never is above every time, and never twice is still never', () => {
  const never = Number.POSITIVE_INFINITY
  expect(median([never, never])).toBe(never)
  expect(spread([1_000, never, 2_000])).toEqual({ median: 2_000, min: 1_000, max: never })
})

test('two clients are told apart when 95 % of the runs agree, and not when one in ten does not', () => {
  const low = Array.from({ length: 20 }, (_, i) => i)
  const high = low.map((value) => value + 1)
  expect(separate('p95Ms', 'a', low, 'b', high)).toEqual({
    metric: 'p95Ms',
    a: 'a',
    b: 'b',
    below: 20,
    above: 0,
    equal: 0,
    order: 'below',
  })
  expect(separate('p95Ms', 'b', high, 'a', low).order).toBe('above')
  const oneOff = high.map((value, i) => (i === 0 ? -1 : value))
  expect(separate('p95Ms', 'a', low, 'b', oneOff)).toMatchObject({ below: 19, above: 1, order: 'below' })
  const twoOff = oneOff.map((value, i) => (i === 1 ? 1 : value))
  expect(separate('p95Ms', 'a', low, 'b', twoOff)).toMatchObject({ below: 18, equal: 1, order: null })
})
