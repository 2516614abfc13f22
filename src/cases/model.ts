import type { Contract } from '../guarantees/contract.js'
import type { GuaranteeId, Level, Stage, Verdict } from '../guarantees/model.js'
import type { ScheduleInput } from '../schedule/model.js'
import type { Trial } from '../trace/model.js'
import type { Client, TrialOptions } from '../trial/model.js'

/** The keyword of the source itself; 'ought' = none, 'vendor' = documented for clients of that vendor, 'eng' = engineering judgement. */
export type SourceKeyword = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY' | 'ought' | 'vendor' | 'eng'

/** Which calls a case is run with. A keyless POST carries no idempotency key. */
export type CallKind = 'GET' | 'POST' | 'keyless-POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'

/** What a case needs to make its trials: runs one, with the client, call, seed and transport of this battery filled in. */
export type RunOne = (schedule: ScheduleInput, options?: TrialOptions) => Promise<Trial>

/** One row of the catalogue. */
export interface Case {
  /** 'RAF-01'. */
  readonly id: string
  readonly guarantee: GuaranteeId
  /** What a correct client does, one sentence. */
  readonly title: string
  readonly level: Level
  readonly stage: Stage
  readonly source: string
  readonly keyword: SourceKeyword
  /** The wrong client that must be failed by it: its file name in fixtures/clients/wrong. */
  readonly wrong: string
  /** Run and shown, never scored. */
  readonly informational: boolean
  /** Why it cannot be played yet. Such cases are counted apart: neither kept nor broken. */
  readonly unsupported?: string
  /** Default ['GET', 'POST'], or the one method that the user named. */
  readonly calls?: readonly CallKind[]
  /** It draws tens of fresh clients, each with a seed of its own: with a Math.random that a test has replaced it shows nothing. */
  readonly statistical?: boolean
  /** `calls` is short to save time, not because of the method: one that the user named is run in its place. */
  readonly anyMethod?: boolean
  /** Why this case cannot be asked of this client or contract; null when it can. */
  appliesTo?(contract: Contract, client: Client): string | null
  /** A contract to judge this case by, where the case itself fixes something (a deadline, a code). */
  contractFor?(contract: Contract): Contract
  /** Whether the contract promises the very thing: then a break weighs as much as the guarantee says, not only as `level`. */
  promised?(contract: Contract): boolean
  /** Makes the trials of one call kind; all of them are judged together. Statistics take their seeds from `seed` on. */
  play(run: RunOne, contract: Contract, seed: number): Promise<readonly Trial[]>
}

/** A case as its file states it: the stage is the guarantee's, and what is only a `may` is informational. */
export type Row = Omit<Case, 'stage' | 'informational'> & Partial<Pick<Case, 'informational'>>

/** What one case came to with one kind of call. */
export interface CaseResult {
  readonly case: Case
  readonly call: CallKind
  readonly verdict: Verdict
  readonly trials: readonly Trial[]
}

/** The whole battery of a guarantee, run against one client. */
export interface BatteryReport {
  readonly guarantee: GuaranteeId
  readonly client: string
  readonly verdict: Verdict
  readonly results: readonly CaseResult[]
}
