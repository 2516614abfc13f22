import { formatNumber } from '../../report/text.js'

const TICKS_MAX = 5
const ROUND_STEPS = [1, 2, 5, 10]

/** From 0 in round steps, at most five of them, to where the largest value lies within. */
export function ticksFor(values: readonly number[]): readonly number[] {
  const largest = values.reduce((max, value) => (Number.isFinite(value) && value > max ? value : max), 0)
  if (largest === 0) return [0, 1]
  const power = 10 ** Math.floor(Math.log10(largest / TICKS_MAX))
  const step = ROUND_STEPS.map((factor) => factor * power).find((candidate) => candidate * TICKS_MAX >= largest)!
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, i) => i * step)
}

/** 10 000, and 0.2 without what floating point adds to it. */
export const tickText = (value: number): string =>
  Number.isInteger(value) ? formatNumber(value) : String(Number(value.toPrecision(6)))
