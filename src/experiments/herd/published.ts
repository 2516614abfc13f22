import { isDeepStrictEqual } from 'node:util'
import type { Separation } from '../stats.js'
import type { HerdSetting } from './model.js'
import { FLAKY_CASE, HERD_CASE } from './situations.js'

/** Figures of the published harness, by its own definitions: one run, on one day, against one server. */
export interface PublishedRun {
  /** Share of the calls that ended with a status below 500. */
  readonly successRate: number
  /** Of the last attempt of a call, its waits left out. */
  readonly p95Ms: number
}

/** A pair of clients whose order was published, and what the model makes of it. */
export interface PublishedOrder {
  readonly metric: Separation['metric']
  readonly a: string
  readonly b: string
  readonly published: 'below' | 'above'
  /** null: fewer than 95 % of the runs agree. */
  readonly here: 'below' | 'above' | null
  readonly reproduced: boolean
}

type PublishedRuns = Readonly<Record<string, PublishedRun>>

const HERD_RUNS: PublishedRuns = {
  fixed: { successRate: 0.62, p95Ms: 14_200 },
  'full-jitter': { successRate: 0.91, p95Ms: 5_800 },
}
const FLAKY_RUNS: PublishedRuns = {
  none: { successRate: 0.78, p95Ms: 4_100 },
  fixed: { successRate: 0.81, p95Ms: 9_800 },
  exponential: { successRate: 0.89, p95Ms: 6_200 },
  'full-jitter': { successRate: 0.94, p95Ms: 5_000 },
}

/** Which of its figures a published order of ours is held against. */
const COUNTERPARTS: Readonly<Record<string, keyof PublishedRun>> = {
  successRate: 'successRate',
  p95Ms: 'p95Ms',
  'asPublished.lastAttemptP95Ms': 'p95Ms',
}

/** Why the model does not reproduce a published order, by metric. */
type Reasons = Readonly<Record<'successRate' | 'p95Ms' | 'asPublished.lastAttemptP95Ms', string>>

const HERD_REASONS: Reasons = {
  successRate: 'Whether a call succeeds hangs on how often it is refused, and that on the load',
  p95Ms:
    'This p95 holds the waits: with fixed delays a call waits 8 s at most, with full jitter 15.5 s on average before it gives up, so whoever gives up sooner has the lower p95',
  'asPublished.lastAttemptP95Ms':
    'The last attempt holds no wait: it takes as long as the server does, up to the attempt time-out of 4 s, whatever the strategy; with a time-out of 15 s they are not told apart either',
}
const FLAKY_REASONS: Reasons = {
  successRate: 'Bad periods last 3 s on average here, and every strategy that tries again outlasts nearly all of them',
  p95Ms: 'One client is no load: what tells these apart is a wait or two, and bad periods fall differently for each',
  'asPublished.lastAttemptP95Ms':
    'The last attempt holds no wait: without retries it is the only one, time-outs included; of those who try again it is one that was answered',
}

interface Situation {
  readonly runs: PublishedRuns
  readonly reasons: Reasons
}

const NONE: Situation = { runs: {}, reasons: HERD_REASONS }

const describes = (setting: HerdSetting, situation: typeof HERD_CASE | typeof FLAKY_CASE): boolean =>
  setting.loop === 'closed' &&
  setting.startOverMs === 0 &&
  Object.entries(situation).every(([name, value]) => isDeepStrictEqual(setting[name as keyof HerdSetting], value))

function situationOf(setting: HerdSetting): Situation {
  if (describes(setting, HERD_CASE)) return { runs: HERD_RUNS, reasons: HERD_REASONS }
  return describes(setting, FLAKY_CASE) ? { runs: FLAKY_RUNS, reasons: FLAKY_REASONS } : NONE
}

/** The published runs of a situation; none for any other situation. */
export const publishedRuns = (setting: HerdSetting): PublishedRuns => situationOf(setting).runs

export const reasonsFor = (setting: HerdSetting): Reasons => situationOf(setting).reasons

/** Holds the order of each pair that was published against the model's. */
export function publishedOrders(runs: PublishedRuns, separations: readonly Separation[]): readonly PublishedOrder[] {
  return separations.flatMap(({ metric, a, b, order: here }) => {
    const figure = COUNTERPARTS[metric]
    const [first, second] = [runs[a], runs[b]]
    if (figure === undefined || first === undefined || second === undefined || first[figure] === second[figure]) return []
    const published = first[figure] < second[figure] ? 'below' : 'above'
    return [{ metric, a, b, published, here, reproduced: here === published } as const]
  })
}
