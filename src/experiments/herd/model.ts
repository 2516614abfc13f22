import type { FleetJudgeable } from '../../guarantees/fleet/model.js'
import type { RunOptions, RunSetting } from '../runs.js'
import type { Separation, Spread } from '../stats.js'
import type { PublishedOrder, PublishedRun } from './published.js'
import type { HerdStrategy } from './strategies.js'

/** How a server that cannot answer fails: a status, a request that is never answered, a broken connection. */
export const FAILURES = [429, 503, 'timeout', 'reset'] as const
export type Failure = (typeof FAILURES)[number]

/** Service times that vary: log-normal with this median and 95th percentile, in milliseconds. */
export interface ServiceTime {
  readonly medianMs: number
  readonly p95Ms: number
}

/** A time during which the server is away. */
export interface Outage {
  readonly fromMs: number
  readonly forMs: number
  /** 'stall': it accepts everything and works on nothing. Default 503. */
  readonly answer?: Failure | 'stall'
}

/** A server with finite capacity, as numbers. Requests that cannot be worked on at once wait in order of arrival. */
export interface HerdServer {
  /** Requests worked on at once. */
  readonly capacity: number
  /** Work per request. The server goes on working when the client has left: it does not know. */
  readonly serviceMs: number | ServiceTime
  /** Requests that may wait. Default: no limit. */
  readonly queueLimit?: number
  /** What a request gets when the queue is full. Default 503. */
  readonly overload?: Failure
  /** The Retry-After, in seconds, of its 429 and 503. Default none. */
  readonly retryAfterS?: number
  readonly outage?: Outage
  /** After the outage it works at `share` of its speed at first, and rises to full speed over this time. Default: full speed at once. */
  readonly recovery?: { readonly forMs: number; readonly share: number }
  /** Periods, exponentially distributed with these means, of which the bad ones fail every request. Default: no bad ones. */
  readonly flaky?: { readonly goodMs: number; readonly badMs: number }
}

export interface HerdOptions extends RunOptions<HerdStrategy> {
  /** Default 10. */
  readonly clients?: number
  /** Default 20. */
  readonly requestsEach?: number
  /** Default: the server of the herd case. */
  readonly server?: HerdServer
  /** Pause between the requests of a client. Default 100. */
  readonly pauseMs?: number
  /** 'closed': the pause begins when the call has settled. 'open': a call every `pauseMs`, whatever became of the others. Default 'closed'. */
  readonly loop?: 'closed' | 'open'
  /** Time over which the clients start, evenly. Default 0: all at once. */
  readonly startOverMs?: number
  /** Time-out of one attempt of a built-in strategy. Default 4 000. */
  readonly attemptTimeoutMs?: number
}

/** What a herd was run with. */
export interface HerdSetting extends RunSetting {
  readonly clients: number
  readonly requestsEach: number
  readonly server: HerdServer
  readonly pauseMs: number
  readonly loop: 'closed' | 'open'
  readonly startOverMs: number
  readonly attemptTimeoutMs: number
}

export const HERD_METRICS = [
  'successRate',
  'p50Ms',
  'p95Ms',
  'upstream',
  'amplification',
  'secondWavePeak',
  'wasted',
  'endedAtMs',
] as const
export type HerdMetric = (typeof HERD_METRICS)[number]

export interface HerdFigures extends Readonly<Record<HerdMetric, number>> {
  readonly seed: number
  /** Infinity: not while the load lasted; null: there was no outage, or no load for a second after it. */
  readonly recoveryMs: number | null
  readonly asPublished: { readonly successRate: number; readonly lastAttemptP95Ms: number }
  /** Failed calls by what they failed with. */
  readonly errors: Readonly<Record<string, number>>
}

/** What reached the server in one second. */
export interface TimelineBin {
  readonly atMs: number
  readonly firstTries: number
  readonly resends: number
  /** Answered 2xx to a client that was still there. */
  readonly answered: number
}

/** A stretch of a run, named by what the herd does in it. */
export interface Phase {
  /** spike: the first failures; pile-up: re-sends come on top; recovery: nothing fails any more. */
  readonly name: 'spike' | 'pile-up' | 'recovery'
  readonly fromMs: number
  readonly untilMs: number
  readonly attempts: number
  readonly resends: number
  /** Share of its attempts that were answered 2xx; NaN without attempts. */
  readonly answered: number
}

export interface HerdReport extends Readonly<Record<HerdMetric, Spread>>, FleetJudgeable {
  readonly kind: 'herd'
  readonly client: string
  readonly options: HerdSetting
  /** null: there was no outage, or no load for a second after it. */
  readonly recoveryMs: Spread | null
  /** Runs in which the server recovered while the load lasted. */
  readonly recovered: number
  /** By the published harness's own definitions: a status below 500 is success, and only the last attempt of a call is timed. */
  readonly asPublished: { readonly successRate: Spread; readonly lastAttemptP95Ms: Spread }
  /** The published run of this strategy in this situation; null where there is none. */
  readonly published: PublishedRun | null
  /** Failed calls by what they failed with, over all runs. */
  readonly errors: Readonly<Record<string, number>>
  /** Of the first run. */
  readonly timeline: readonly TimelineBin[]
  /** Of the first run. */
  readonly phases: readonly Phase[]
  /** One per run. */
  readonly figures: readonly HerdFigures[]
}

export interface HerdComparison {
  readonly kind: 'herd-comparison'
  readonly reports: readonly HerdReport[]
  /** Every pair of clients on success and p95, by both definitions of each. */
  readonly separations: readonly Separation[]
  /** The orders that were published for this situation, and whether they are reproduced; none for any other situation. */
  readonly published: readonly PublishedOrder[]
}
