import { seededRandom } from '../clock/random.js'

/** One seed out of several numbers (the finaliser of MurmurHash3 after each): neighbouring numbers give unrelated seeds. */
export function mixSeed(...parts: readonly number[]): number {
  let mixed = 0x9e3779b9
  for (const part of parts) {
    mixed ^= part | 0
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    mixed ^= mixed >>> 16
  }
  return mixed | 0
}

/** A stream of numbers from 0 to below 1 that belongs to these parts alone. */
export const randomStream = (...parts: readonly number[]): (() => number) => seededRandom(mixSeed(...parts)).next

/** One number from 0 to below 1 that belongs to these parts alone, whatever else is drawn. */
export const draw = (...parts: readonly number[]): number => randomStream(...parts)()

/** A copy in random order (Fisher-Yates). */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const copy = [...items]
  for (let last = copy.length - 1; last > 0; last--) {
    const pick = Math.floor(random() * (last + 1))
    const item = copy[last]!
    copy[last] = copy[pick]!
    copy[pick] = item
  }
  return copy
}

/** A number from the standard normal distribution (Box-Muller). */
export const normal = (random: () => number): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
