/** Where a millisecond lies on the picture, and where the axis is broken. */
export interface TimeScale {
  toX(ms: number): number
  /** The middle of each stretch of time that is drawn shorter than it is. */
  readonly breaks: readonly number[]
}

/** A stretch this many times as long as the usual one is drawn shorter. */
const LONG = 4
/** Room for each stretch of time, however short, if there are few: enough for its name. */
const STRETCH_MIN_PX = 54

/**
 * An axis that is linear for short stretches of time and broken for long ones. A longer stretch is never drawn shorter than a shorter
 * one, so that what looks early is early.
 *
 * @param times when something happened; order and repetition do not matter
 */
export function timeScale(times: readonly number[], left: number, width: number): TimeScale {
  const stops = [...new Set(times)].sort((a, b) => a - b)
  if (stops.length === 0) stops.push(0)
  const stretches = stops.slice(1).map((stop, i) => stop - stops[i]!)
  const knee = LONG * usualOf(stretches)
  const weights = stretches.map((ms) => (ms <= knee ? ms : knee * (1 + Math.log(ms / knee))))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const minPx = Math.min(STRETCH_MIN_PX, width / (2 * Math.max(1, stretches.length)))
  const shared = width - minPx * stretches.length
  const xs = [left]
  for (const weight of weights) xs.push(xs.at(-1)! + minPx + (shared * weight) / total)
  return {
    toX: (ms) => interpolate(stops, xs, ms),
    breaks: stretches.flatMap((ms, i) => (ms > knee ? [(xs[i]! + xs[i + 1]!) / 2] : [])),
  }
}

/** The lower median: of two stretches the shorter one, since it is the longer one that has to give way. */
function usualOf(stretches: readonly number[]): number {
  const sorted = [...stretches].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 1
}

function interpolate(stops: readonly number[], xs: readonly number[], ms: number): number {
  const next = stops.findIndex((stop) => stop >= ms)
  if (next < 0) return xs.at(-1)!
  if (next === 0) return xs[0]!
  const share = (ms - stops[next - 1]!) / (stops[next]! - stops[next - 1]!)
  return xs[next - 1]! + share * (xs[next]! - xs[next - 1]!)
}
