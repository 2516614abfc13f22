import type { FleetJudgeable } from '../../guarantees/fleet/model.js'
import type { RunOptions, RunSetting } from '../runs.js'
import type { Separation, Spread } from '../stats.js'
import type { BatchStrategy } from './strategies.js'

/** When the account's limit is used up. */
export interface RateLimit {
  readonly fromMs: number
  readonly forMs: number
}

export interface BatchOptions extends RunOptions<BatchStrategy> {
  /** Default 200. */
  readonly jobs?: number
  /** Jobs under way at once. Default 16. */
  readonly workers?: number
  /** Share of the jobs whose model has been retired: 404 for ever. Default 0.155. */
  readonly retiredShare?: number
  /** Probability of a 503 for a request with a live model. Default 0.06. */
  readonly transientRate?: number
  /** Of a success, in milliseconds; errors are answered at once. Default 40. */
  readonly latencyMs?: number
  /** A time during which every request is answered 429 with the seconds that are left, rounded up. Default none. */
  readonly limit?: RateLimit
  /** Asks for the list of models first and drops the jobs of models that are not on it. Default: for the strategy 'preflight' only. */
  readonly preflight?: boolean
}

/** The figures of a run; the names are those of the report. */
export const BATCH_METRICS = [
  'wallMs',
  'upstream',
  'notFound',
  'succeeded',
  'submitted',
  'successRate',
  'successP50Ms',
  'successP95Ms',
  'queueWaitP95Ms',
  'amplification',
] as const
export type BatchMetric = (typeof BATCH_METRICS)[number]
export type BatchFigures = Readonly<Record<BatchMetric, number>>

/** What the doomed jobs did to a metric, against the run without them. */
export interface Movement {
  readonly metric: BatchMetric
  /** Median over the runs of with / without. */
  readonly ratio: number
  /** More than 1.3 times (or less than 1 / 1.3) in at least 95 % of the runs, the same way. */
  readonly moved: boolean
}

export interface BatchReport extends Readonly<Record<BatchMetric, Spread>>, FleetJudgeable {
  readonly kind: 'batch'
  readonly client: string
  readonly options: BatchSetting
  /** Retired ids that the preflight refused, each once. */
  readonly dropped: readonly string[]
  /** The same batch without the doomed jobs. */
  readonly twin: Readonly<Record<BatchMetric, Spread>>
  readonly movements: readonly Movement[]
  /** One per run. */
  readonly figures: readonly BatchFigures[]
}

/** What a batch was run with. */
export interface BatchSetting extends RunSetting {
  readonly jobs: number
  readonly workers: number
  readonly retiredShare: number
  readonly transientRate: number
  readonly latencyMs: number
  readonly limit: RateLimit | null
  readonly preflight: boolean
}

export interface BatchComparison {
  readonly kind: 'batch-comparison'
  readonly reports: readonly BatchReport[]
  /** Every pair of clients on every metric that could tell them apart. */
  readonly separations: readonly Separation[]
}
