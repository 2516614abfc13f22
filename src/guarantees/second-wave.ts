import type { Attempt, Trial } from '../trace/model.js'
import { unlessReplaced } from './backoff-fleet.js'
import type { Reason } from './model.js'
import { binomialTail } from './statistics.js'
import { fail, pass } from './verdict.js'
import { succeeded } from './wire.js'
import { formatMs } from './words.js'

/** The outage that clients have in common (catalogue, BUD-04). */
export const OUTAGE_MS = 1_000
const BUCKET_MS = 100
const LARGEST_SHARE = 0.25

/** Six fleets of 50. */
export const CLIENTS_FOR_WAVE = 300

/** Of full jitter, whatever its base from 50 ms on, the share of the clients that its fullest bucket brings back; three are about as full. */
const FULLEST_OF_FULL_JITTER = 0.154
const ABOUT_AS_FULL = 3

/** How probable it is that full jitter is seen to bring back more than the largest share. */
export const WAVE_FALSE_ALARM =
  ABOUT_AS_FULL * binomialTail(CLIENTS_FOR_WAVE, LARGEST_SHARE * CLIENTS_FOR_WAVE + 1, FULLEST_OF_FULL_JITTER)

/** The first attempt that was answered by the server once it was well again; null unless the client failed before. */
function comebackOf({ attempts }: Trial): Attempt | null {
  const first = attempts.find(succeeded)
  const wasOutage = attempts.every((attempt) => succeeded(attempt) === attempt.arrivedAtMs >= OUTAGE_MS)
  return first === undefined || first === attempts[0] || !wasOutage ? null : first
}

interface Comeback {
  readonly index: number
  readonly seed: number
  readonly attempt: Attempt
  readonly bucket: number
}

function fullestBucket(comebacks: readonly Comeback[]): readonly Comeback[] {
  const buckets = [...new Set(comebacks.map(({ bucket }) => bucket))]
  const filled = buckets.map((bucket) => comebacks.filter((one) => one.bucket === bucket))
  return filled.reduce((most, one) => (one.length > most.length ? one : most))
}

/** No tenth of a second brings back more than a quarter of the clients that one outage of a second had sent away. */
export function judgeSecondWave(trials: readonly Trial[]): Reason[] {
  const comebacks = trials.flatMap((trial, index): Comeback[] => {
    const attempt = comebackOf(trial)
    return attempt === null ? [] : [{ index, seed: trial.seed, attempt, bucket: Math.floor(attempt.arrivedAtMs / BUCKET_MS) }]
  })
  const seeds = new Set(comebacks.map(({ seed }) => seed))
  if (seeds.size < CLIENTS_FOR_WAVE || comebacks.length < trials.length) return []
  const fullest = fullestBucket(comebacks)
  const share = fullest.length / comebacks.length
  const percent = `${Math.round(share * 100)} %`
  const at = { rule: 'BUD-04', trial: fullest[0]!.index, attempt: fullest[0]!.attempt.number } as const
  const text = `${percent} of ${comebacks.length} clients came back within the ${formatMs(BUCKET_MS)} from ${formatMs(fullest[0]!.bucket * BUCKET_MS)} on`
  if (share <= LARGEST_SHARE) return [pass({ ...at, text })]
  const expected = `at most ${LARGEST_SHARE * 100} % in ${formatMs(BUCKET_MS)}`
  return unlessReplaced(trials, [fail({ ...at, text, expected, received: percent, mark: 'with the crowd' })])
}
