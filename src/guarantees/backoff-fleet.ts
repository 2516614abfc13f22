import type { OwnWait } from './backoff.js'
import { bandOf, firstWait } from './backoff-band.js'
import type { BackoffPromise, Contract } from './contract.js'
import type { Reason } from './model.js'
import { ksDistance, ksLimit, median, relativeSpread } from './statistics.js'
import { fail, inconclusive, pass } from './verdict.js'
import { formatMs, plural } from './words.js'

// False alarms, for a client that keeps its promise. Together below 1 in 10 000:
// - Median: full jitter, the kind whose median is lowest in relation to its base, has a median of 30 waits below 0.1 x base when 15 of
//   the 30 are: C(30, 15) x 0.1^15 = 1.6e8 x 1e-15 = 1.6e-7.
// - Spread: uniform jitter of relative width w fails when its 50 draws span less than 0.1 / w of the range. P(span <= r) =
//   50 r^49 - 49 r^50. A width of 15 % (r = 0.67): 50 x 3.0e-9 - 49 x 2.0e-9 = 5.2e-8. Narrower jitter is not promised to pass, unless
//   it is declared: then two thirds of its own width are enough, which is the same r. Timers work in whole milliseconds, so a band has to
//   be wide enough to have steps: of one of 10 ms, two thirds are 8 of its 11 values, 4 x (8 / 11)^50 = 4.8e-7.
// - Kolmogorov-Smirnov: 5e-5 by the choice of its limit.
const SEEDS_FOR_MEDIAN = 30
const SEEDS_FOR_SPREAD = 50
const SEEDS_FOR_KIND = 200
const KIND_FALSE_ALARM = 5e-5

const LEAST_SPREAD = 0.1
const LEAST_SHARE_OF_BAND = 2 / 3
const LEAST_BAND_MS = 10
const LEAST_SHARE_OF_BASE = 0.1
/** Below this it is no wait, only some turns of timers that were asked for nothing. */
export const LEAST_GAP_MS = 5

/** One first wait per seed: runs with one seed repeat each other, and say nothing new. */
function firstWaitsOf(waits: readonly OwnWait[]): readonly OwnWait[] {
  const bySeed = new Map<number, OwnWait>()
  for (const wait of waits) {
    if (wait.count === 1 && !bySeed.has(wait.trial.seed)) bySeed.set(wait.trial.seed, wait)
  }
  return [...bySeed.values()]
}

function judgeMedian(
  gaps: readonly number[],
  promise: BackoffPromise | undefined,
  at: { trial: number; attempt: number },
): Reason[] {
  if (gaps.length < SEEDS_FOR_MEDIAN) return []
  const floorMs = promise === undefined ? LEAST_GAP_MS : LEAST_SHARE_OF_BASE * promise.baseMs
  const middleMs = median(gaps)
  const text = `the median first gap of ${gaps.length} seeds is ${formatMs(middleMs)}`
  if (middleMs >= floorMs) return [pass({ ...at, rule: 'BKO-04', text })]
  return [
    fail({
      ...at,
      rule: 'BKO-04',
      text,
      expected: `median ≥ ${formatMs(floorMs)}`,
      received: `median = ${formatMs(middleMs)}`,
      mark: 'no wait to speak of',
    }),
  ]
}

/** How far first waits have to lie apart, and how binding that is; null where the promise says nothing that could be told. */
function spreadOwed(promise: BackoffPromise | undefined): { readonly share: number; readonly level?: 'must' } | null {
  if (promise?.jitter === undefined) return { share: LEAST_SPREAD }
  // Of the other kinds the distribution is judged; a band says only where a wait may lie.
  if (typeof promise.jitter !== 'object') return null
  const { lowMs, highMs } = bandOf(promise, 1, null)
  const isCapped = highMs < promise.baseMs * promise.jitter.max
  if (isCapped || highMs - lowMs < LEAST_BAND_MS) return null
  const relativeWidth = (highMs - lowMs) / ((highMs + lowMs) / 2)
  return { share: Math.min(LEAST_SPREAD, LEAST_SHARE_OF_BAND * relativeWidth), level: 'must' }
}

/** Clients that declare no jitter should not march in step; those that declare a band must use it; one that says "none" has said so. */
function judgeSpread(
  gaps: readonly number[],
  promise: BackoffPromise | undefined,
  at: { trial: number; attempt: number },
): Reason[] {
  const owed = spreadOwed(promise)
  if (owed === null) return []
  const about = { ...at, rule: 'BKO-06', level: owed.level } as const
  if (gaps.length < SEEDS_FOR_SPREAD) {
    if (promise?.jitter !== undefined) return []
    return [inconclusive({ ...about, text: `the spread takes ${SEEDS_FOR_SPREAD} seeds to judge, and there are ${gaps.length}` })]
  }
  const percent = (share: number) => `${Math.round(share * 1000) / 10} %`
  const spread = relativeSpread(gaps)
  const text = `the first gaps of ${gaps.length} clients spread over ${percent(spread)} of their median`
  if (spread >= owed.share) return [pass({ ...about, text })]
  return [fail({ ...about, text, expected: `spread ≥ ${percent(owed.share)}`, received: `spread = ${percent(spread)}` })]
}

/** Tells the kinds of jitter apart: each of them is inside the band of another. */
function judgeKind(
  gaps: readonly number[],
  promise: BackoffPromise | undefined,
  at: { trial: number; attempt: number },
): Reason[] {
  const jitter = promise?.jitter
  if (promise === undefined || jitter === undefined || typeof jitter === 'object') return []
  if (gaps.length < SEEDS_FOR_KIND) return []
  const distance = ksDistance(gaps, firstWait(promise), 1)
  const limit = ksLimit(gaps.length, KIND_FALSE_ALARM)
  const shown = (value: number) => value.toFixed(3)
  if (distance <= limit)
    return [pass({ ...at, rule: 'BKO-10', text: `the first gaps of ${gaps.length} seeds are distributed like ${jitter} jitter` })]
  return [
    fail({
      ...at,
      rule: 'BKO-10',
      text: `the first gaps of ${plural(gaps.length, 'seed')} are not distributed like ${jitter} jitter`,
      expected: `Kolmogorov-Smirnov distance ≤ ${shown(limit)}`,
      received: `distance = ${shown(distance)}`,
    }),
  ]
}

/** What only many clients show: a floor, a spread, a kind of jitter. */
export function judgeFirstWaits(waits: readonly OwnWait[], { backoff }: Contract): Reason[] {
  const firsts = firstWaitsOf(waits)
  const [first] = firsts
  if (first === undefined) return []
  const at = { trial: first.index, attempt: first.attempt.number }
  const gaps = firsts.map(({ gapMs }) => gapMs)
  return [...judgeMedian(gaps, backoff, at), ...judgeSpread(gaps, backoff, at), ...judgeKind(gaps, backoff, at)]
}
