/** The middle value; the mean of the two middle ones of an even number. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

/** How far the values lie apart, as a share of their median. */
export function relativeSpread(values: readonly number[]): number {
  const range = Math.max(...values) - Math.min(...values)
  return range === 0 ? 0 : range / median(values)
}

/** The share of a distribution that lies at or below a value. */
export type Distribution = (value: number) => number

/** Uniform between two bounds; both the same is a single value. */
export const uniform =
  (low: number, high: number): Distribution =>
  (value) =>
    value < low ? 0 : value >= high ? 1 : (value - low) / (high - low)

/**
 * The Kolmogorov-Smirnov distance: the largest difference between the share of the values at or below a point and the distribution
 * there. Values may be off by `slack` to either side (timers work in whole milliseconds); what that explains is no distance.
 */
export function ksDistance(values: readonly number[], distribution: Distribution, slack: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const { length } = sorted
  let distance = 0
  for (const [index, value] of sorted.entries()) {
    const above = (index + 1) / length - distribution(value + slack)
    const below = distribution(value - slack) - index / length
    distance = Math.max(distance, above, below)
  }
  return distance
}

/**
 * The distance that values of the distribution itself exceed with a probability of at most `falseAlarm`. By the
 * Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant, P(distance > d) <= 2 exp(-2 n d²) for every n.
 */
export const ksLimit = (count: number, falseAlarm: number): number => Math.sqrt(Math.log(2 / falseAlarm) / (2 * count))

/** The probability of at least `least` successes in `count` independent trials. */
export function binomialTail(count: number, probability: number, least: number): number {
  let tail = 0
  let term = (1 - probability) ** count
  for (let k = 0; k <= count; k++) {
    if (k >= least) tail += term
    term *= ((count - k) / (k + 1)) * (probability / (1 - probability))
  }
  return tail
}
