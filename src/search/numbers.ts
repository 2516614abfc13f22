import * as fc from 'fast-check'
import type { Size } from './shrinking.js'

/** Digits of a whole number up to the last that is not 0: 4096 has four, 4000 one, 0 none. */
const digits = (n: number): number => (n === 0 ? 0 : String(Math.abs(n)).replace('.', '').replace(/0+$/, '').length)

/** A round number is smaller than one that is not, whatever their values. */
export const numberSize = (n: number): Size => [digits(n), Math.abs(n)]

/** Zeroes all digits but the first. */
const firstDigit = (n: number): number => {
  const unit = n < 1 ? 1 : 10 ** Math.floor(Math.log10(n))
  return Math.floor(n / unit) * unit
}

/** Rounder numbers and then lower ones, with the same sign; of whole numbers, whole ones. */
export function rounder(n: number): number[] {
  const value = Math.abs(n)
  if (value < 1) return n === 0 ? [] : [0]
  const power = Math.floor(Math.log10(value))
  const unit = 10 ** power
  const lower = [0, 1, 10 ** Math.floor(power / 2), unit, firstDigit(value / 2), firstDigit(Math.ceil(value) - 1)]
  const near = [firstDigit(value), firstDigit(value) + unit]
  return [...lower, ...near].map((candidate) => Math.sign(n) * candidate + 0)
}

/** Whole numbers whose order of magnitude is even from 1 to `max`, so that no threshold is out of reach and none is favoured. */
export const spreadUpTo = (max: number): fc.Arbitrary<number> =>
  fc
    .tuple(fc.nat(Math.max(0, Math.floor(Math.log10(max)))), fc.integer({ min: 100, max: 999 }))
    .map(([power, mantissa]) => Math.max(1, Math.min(max, Math.floor((mantissa / 100) * 10 ** power))))

/** Around a promised time: well before, just before, on it, just after, well after. */
export const around = (edgeMs: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: -20, max: 20 }).map((offMs) => Math.max(0, edgeMs + offMs)),
    fc.integer({ min: 50, max: 150 }).map((percent) => Math.round((edgeMs * percent) / 100)),
  )
