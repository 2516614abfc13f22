import type { GuaranteeId, Verdict, VerdictKind } from '../guarantees/model.js'
import type { Trial } from '../trace/model.js'
import type { CallPlan, TrialOptions } from '../trial/model.js'
import type { Coverage } from './coverage.js'
import type { TrialPlan } from './plan-shrinker.js'
import type { StepList } from './schedule-shrinker.js'

/** One part of a search that is divided among machines. */
export interface Shard {
  /** 1-based. */
  readonly index: number
  readonly count: number
}

export interface SearchOptions {
  /** Runs that say something; those that say nothing are replaced. Default 200. */
  readonly runs?: number
  /** A 32-bit integer. Default: RETRIAL_SEED of the environment, else 1. */
  readonly seed?: number
  /** With `seed`: repeats the run that a failure names, and nothing else. */
  readonly path?: string
  /** Real time after which no further run is begun. Default: none. */
  readonly budgetMs?: number
  /** A directory of counterexamples: those of this client are tried first, a new one is added. Default: none. */
  readonly corpus?: string
  /**
   * 'fetch' explores without sockets, and confirms on one what it finds; 'socket' takes a socket for every run. Default: as 'fetch' for a client
   * that sends through `fetch` alone, but for the steps that only a socket can show.
   */
  readonly transport?: 'socket' | 'fetch'
  /**
   * Part i of n, as "i/n": the parts share the seed, take different runs of it and repeat none. Default: RETRIAL_SHARD of the environment,
   * else the whole.
   *
   * In a CI matrix the parts are files, `search.1.spec.ts` with `shard: '1/4'` and so on. vitest's own `--shard` divides them among the jobs, and
   * the blobs of the jobs merge into one report. Jobs that run the same file, each with a RETRIAL_SHARD, stand for themselves: of blobs that
   * name the same file, `vitest --merge-reports` shows the last one only.
   */
  readonly shard?: string | Shard
  /** Default 6. */
  readonly maxSteps?: number
  /** Calls on one client in one run, at most. Default 4, or what it takes to use up a promised retry budget and to refill it. */
  readonly maxCalls?: number
  /** Fixes parts of the request: a method, a path, a body. */
  readonly call?: CallPlan
  /** Ids of rules that are known to be broken, with their tickets. */
  readonly known?: Readonly<Record<string, string>>
  /** Called after every run. Default: a line on a terminal, once a second. */
  readonly onProgress?: (progress: Progress) => void
}

export interface Progress {
  readonly done: number
  readonly runs: number
  readonly elapsedMs: number
}

/** What one run is made from; the same again gives the same trace. */
export interface Draw {
  readonly schedule: StepList
  readonly plan: TrialPlan
}

/** One run, judged. */
export interface JudgedRun {
  readonly draw: Draw
  /** The third argument of a `runTrial` that does the same. */
  readonly options: TrialOptions
  /** The trial, and its twin without the hints if it met one against the grammar. */
  readonly trials: readonly Trial[]
  readonly verdicts: readonly Verdict[]
  /** Those that fail and are not known to. */
  readonly broken: readonly Verdict[]
}

/** The smallest run that breaks a promise. */
export interface Counterexample extends JudgedRun {
  /** One line of JSON. */
  readonly schedule: string
  readonly found: 'search' | 'corpus'
  /** For a replay by seed; null for one from the corpus. */
  readonly path: string | null
  /** Runs until the first failure, that one included. */
  readonly runsUntilFound: number
  readonly shrinks: number
  /** The time ran out before the shrinking was done. */
  readonly isShrinkingCut: boolean
  /** Whether the same run failed in the same way once more, on a socket: 'changed' tells of state that outlives a trial. */
  readonly again: 'same' | 'changed' | 'upheld'
  /** The file it was kept in. */
  readonly savedAs: string | null
}

export interface SearchReport {
  readonly kind: 'upheld' | 'broken' | 'inconclusive'
  readonly client: string
  readonly seed: number
  readonly shard: Shard | null
  /** Runs that were asked for, in this shard. */
  readonly runsAsked: number
  /** Runs that met something to judge. */
  readonly runs: number
  /** Runs in which nothing was met that a guarantee speaks about. */
  readonly skipped: number
  readonly elapsedMs: number
  /** The budget ended it. */
  readonly isCut: boolean
  /** How many runs came to each verdict, by guarantee. */
  readonly counts: ReadonlyMap<GuaranteeId, Readonly<Record<VerdictKind, number>>>
  readonly coverage: Coverage
  /** Guarantees that the contract promises and no run met. */
  readonly unmet: readonly GuaranteeId[]
  readonly counterexample: Counterexample | null
}
