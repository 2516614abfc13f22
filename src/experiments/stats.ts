/** A figure over the runs of an experiment. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/**
 * The value below which a share of the values lies, by nearest rank: the smallest value that at least `share` of them do not exceed. It is
 * always one of the values; nothing is interpolated.
 *
 * @param share from 0 to 1: 0.95 is p95
 * @returns NaN for no values
 * @example
 * percentile([10, 20, 30, 40], 0.5) // 20
 */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN
  const sorted = [...values].sort(ascending)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!
}

/**
 * The middle value; of an even number of values the mean of the two in the middle.
 *
 * @returns NaN for no values
 * @example
 * median([3, 1, 2]) // 2
 */
export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN
  const sorted = [...values].sort(ascending)
  const upper = sorted[sorted.length >> 1]!
  return sorted.length % 2 === 1 ? upper : middle(sorted[(sorted.length >> 1) - 1]!, upper)
}

/** Infinity stands for "never" and has no mean with anything. */
const middle = (a: number, b: number): number => (a === b ? a : (a + b) / 2)

const ascending = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort(ascending)
  return { median: median(values), min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN }
}

/** How one metric orders two clients over runs with the same seeds. */
export interface Separation {
  readonly metric: string
  readonly a: string
  readonly b: string
  /** Runs in which a is below b, above b, and equal. */
  readonly below: number
  readonly above: number
  readonly equal: number
  /** 'below' or 'above' when at least 95 % of the runs agree; else null: the model does not separate the two. */
  readonly order: 'below' | 'above' | null
}

const AGREEMENT = 0.95

/** Compares run by run: both lists hold the same seeds in the same order. */
export function separate(
  metric: string,
  a: string,
  aValues: readonly number[],
  b: string,
  bValues: readonly number[],
): Separation {
  const below = aValues.filter((value, i) => value < bValues[i]!).length
  const above = aValues.filter((value, i) => value > bValues[i]!).length
  const needed = AGREEMENT * aValues.length
  const order = below >= needed ? 'below' : above >= needed ? 'above' : null
  return { metric, a, b, below, above, equal: aValues.length - below - above, order }
}
