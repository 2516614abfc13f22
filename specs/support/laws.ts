import * as fc from 'fast-check'
import { expect } from 'vitest'

/** Values that a law is tried on. */
const VALUES = { numRuns: 150, seed: 7 }
/** Shrinks looked at of each value. */
const SHRINKS = 40

const valuesOf = <T>(arbitrary: fc.Arbitrary<T>): T[] => fc.sample(arbitrary, VALUES)

/** The first shrinks of a value, in the order in which they are tried. */
export const shrinksOf = <T>(arbitrary: fc.Arbitrary<T>, value: T): T[] =>
  [...arbitrary.shrink(value, undefined).take(SHRINKS)].map(({ value: smaller }) => smaller)

/** Law: one seed gives one list of values, and another seed another. */
export function expectSameSeedSameValue<T>(arbitrary: fc.Arbitrary<T>): void {
  expect(valuesOf(arbitrary)).toEqual(valuesOf(arbitrary))
  expect(fc.sample(arbitrary, { ...VALUES, seed: VALUES.seed + 1 })).not.toEqual(valuesOf(arbitrary))
}

/** Law: every shrink of a value, and every shrink of that, is strictly smaller and of the same kind; so shrinking comes to an end. */
export function expectShrinksSmaller<T>(arbitrary: fc.Arbitrary<T>, isSmaller: (a: T, b: T) => boolean): void {
  const shrunk = valuesOf(arbitrary).flatMap((value) => {
    const smaller = shrinksOf(arbitrary, value)
    const next = smaller.slice(0, 3).flatMap((one) => shrinksOf(arbitrary, one).map((two) => [one, two] as const))
    return [...smaller.map((one) => [value, one] as const), ...next]
  })
  expect(shrunk.length).toBeGreaterThan(VALUES.numRuns)
  expect(shrunk.filter(([value, smaller]) => !isSmaller(smaller, value))).toEqual([])
  expect(shrunk.filter(([, smaller]) => !arbitrary.canShrinkWithoutContext(smaller))).toEqual([])
}

/** Law: what is printed reads back as the same value. */
export function expectRoundTrips<T, Text>(
  arbitrary: fc.Arbitrary<T>,
  print: (value: T) => Text,
  read: (text: Text) => unknown,
): void {
  for (const value of valuesOf(arbitrary)) expect(read(print(value))).toEqual(value)
}

/** Law: a value that fails whatever it is shrinks to this one. */
export async function expectShrinksTo<T>(arbitrary: fc.Arbitrary<T>, fails: (value: T) => boolean, minimal: T): Promise<void> {
  const seeds = Array.from({ length: 10 }, (_, index) => index + 1)
  const found = seeds.map(
    (seed) =>
      fc.check(
        fc.property(arbitrary, (value) => !fails(value)),
        { seed, numRuns: 2_000 },
      ).counterexample?.[0],
  )
  expect(found).toEqual(seeds.map(() => minimal))
}
