import type { AttemptResult } from '../../trace/model.js'

/** One request of a fleet of clients on the wire. Times are milliseconds since the run began. */
export interface FleetAttempt {
  /** 0-based. */
  readonly client: number
  /** 0-based, over the whole fleet; null when it cannot be told. */
  readonly call: number | null
  /** A later attempt of the same operation. */
  readonly resend: boolean
  readonly arrivedAtMs: number
  /** End of the answer, its failure, or the client's hang-up; null while open. */
  readonly endedAtMs: number | null
  readonly result: AttemptResult
  /** Until when the answer asked to stay away. */
  readonly hintUntilMs: number | null
}

/** One piece of work that was handed to the fleet. */
export interface FleetCall {
  readonly client: number
  readonly call: number
  readonly submittedAtMs: number
  /** null: it never got its turn. */
  readonly startedAtMs: number | null
}

/** When the server was away; `loadEndsAtMs` is when the first client had nothing more to ask. */
export interface FleetOutage {
  readonly fromMs: number
  readonly untilMs: number
  readonly loadEndsAtMs: number
}

/** What the clients came back with after they had failed together. */
export interface SecondWave {
  /** Clients that re-sent at all. */
  readonly clients: number
  /** First re-sends of different clients within the fullest 100 ms. */
  readonly peak: number
  readonly peakAtMs: number
}

export interface LimitFacts {
  /** Answers 429 that said when to come back. */
  readonly limits: number
  /** Requests of anybody that arrived while such an answer asked to stay away. */
  readonly intruders: number
  readonly firstIntruderAtMs: number | null
}

export interface BudgetFacts {
  readonly firstTries: number
  readonly resends: number
  readonly failures: number
  /** Calls whose first try failed: whoever has no budget tries each of them again. */
  readonly failedFirstTries: number
  /** Failed attempts, and re-sends, once the server had recovered. */
  readonly failuresAfterRecovery: number
  readonly resendsAfterRecovery: number
}

/** What the fleet's guarantees judge: one run in figures. */
export interface FleetRun {
  readonly seed: number
  readonly clients: number
  readonly calls: number
  readonly attempts: number
  readonly failures: number
  readonly queueWaitP95Ms: number
  /** Of the run without the doomed jobs; null if there was none. */
  readonly twinQueueWaitP95Ms: number | null
  readonly secondWave: SecondWave
  /** From the end of the outage until the server answered as before; Infinity: not while the load lasted; null: no outage, or no load for a second after it. */
  readonly recoveryMs: number | null
  readonly limit: LimitFacts
  readonly budget: BudgetFacts
}

/** A batch, a herd, or a trial with several calls. */
export interface FleetReport {
  readonly kind: 'batch' | 'herd' | 'trial'
  /** The strategy, or the name of the client. */
  readonly client: string
  readonly runs: readonly FleetRun[]
  /** A test had put a Math.random of its own in place: clients of the user's do not spread. */
  readonly randomReplaced?: true
}

/** What reports of experiments carry for the matchers. */
export interface FleetJudgeable {
  readonly fleet: FleetReport
}
