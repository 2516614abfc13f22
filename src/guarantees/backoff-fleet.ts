import type { Trial } from '../trace/model.js'
import type { OwnWait } from './backoff.js'
import { bandOf, firstWait } from './backoff-band.js'
import type { BackoffPromise, Contract } from './contract.js'
import type { Reason } from './model.js'
import { binomialTail, ksDistance, ksLimit, median, rangeWithin, relativeSpread } from './statistics.js'
import { fail, inconclusive, pass } from './verdict.js'
import { formatMs, plural, RANDOM_REPLACED } from './words.js'

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

/**
 * How probable each rule's false alarm is, for a client that keeps its promise.
 *
 * - Median: of the kinds of jitter the full one has the lowest median in relation to its base; 30 waits have one below a tenth of the base
 *   when 15 of them are, or more.
 * - Spread: uniform jitter of relative width w fails when its 50 draws span less than 0.1 / w of the range: two thirds for a width of 15 %.
 *   Narrower jitter is not promised to pass, unless it is declared: then two thirds of its own width are enough. Timers work in whole
 *   milliseconds, so a band has to be wide enough to have steps: of one of 10 ms, two thirds are 8 of its 11 values, in four places.
 * - Kind: by the choice of the limit of the Kolmogorov-Smirnov distance.
 */
export const FALSE_ALARMS = {
  median: binomialTail(SEEDS_FOR_MEDIAN, SEEDS_FOR_MEDIAN / 2, LEAST_SHARE_OF_BASE),
  spread: Math.max(rangeWithin(SEEDS_FOR_SPREAD, LEAST_SHARE_OF_BAND), 4 * (8 / 11) ** SEEDS_FOR_SPREAD),
  kind: KIND_FALSE_ALARM,
} as const

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
  return [
    fail({
      ...about,
      text,
      expected: `spread ≥ ${percent(owed.share)}`,
      received: `spread = ${percent(spread)}`,
      mark: 'in step with the others',
    }),
  ]
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
      mark: 'other jitter than declared',
    }),
  ]
}

/** A client that draws from a Math.random which a test has replaced shows no jitter: it is not blamed, and told why. */
export function unlessReplaced(trials: readonly Trial[], reasons: readonly Reason[]): Reason[] {
  if (!trials.some(({ randomReplaced }) => randomReplaced)) return [...reasons]
  return reasons.map((one) =>
    one.kind === 'fail' ? { ...one, kind: 'inconclusive', text: `${one.text}; ${RANDOM_REPLACED}` } : one,
  )
}

/** What only many clients show: a floor, a spread, a kind of jitter. */
export function judgeFirstWaits(waits: readonly OwnWait[], { backoff }: Contract): Reason[] {
  const firsts = firstWaitsOf(waits)
  const [first] = firsts
  if (first === undefined) return []
  const at = { trial: first.index, attempt: first.attempt.number }
  const gaps = firsts.map(({ gapMs }) => gapMs)
  return unlessReplaced(
    firsts.map(({ trial }) => trial),
    [...judgeMedian(gaps, backoff, at), ...judgeSpread(gaps, backoff, at), ...judgeKind(gaps, backoff, at)],
  )
}
