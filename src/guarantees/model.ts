import type { Trial } from '../trace/model.js'
import type { Contract } from './contract.js'

/** How binding a rule is. `should` fails only under `strict`; `may` is information. */
export type Level = 'must' | 'should' | 'may'

/** 1 script, 2 classification and time, 3 no duplicate work, 4 real endpoint, 5 trace reading. */
export type Stage = 1 | 2 | 3 | 4 | 5

export type VerdictKind = 'pass' | 'fail' | 'inconclusive' | 'not-applicable'

/** One thing that was found, pointing at an attempt. */
export interface Reason {
  readonly kind: VerdictKind
  /** Id of the rule or case: 'RAF-01'. */
  readonly rule: string
  readonly level: Level
  /** "RFC 9110 §10.2.3"; 'suite' or 'eng' when it is this project's own judgement. */
  readonly source: string
  /** Index into the judged trials. */
  readonly trial: number
  /** The attempt that broke (or kept) the rule; null when the whole call did. */
  readonly attempt: number | null
  /** One sentence that names the attempt: "attempt 2 came 512 ms after a 429 that asked for 30 s". */
  readonly text: string
  /** What the rule asks for, as a sentence: "do not come back before Retry-After has passed". */
  readonly requirement: string
  readonly expected?: string
  readonly received?: string
  /** Short note for the timeline, at the attempt: "29 488 ms too early". */
  readonly mark?: string
}

export interface Verdict {
  readonly guarantee: string
  readonly kind: VerdictKind
  readonly level: Level
  readonly stage: Stage
  readonly source: string
  readonly reasons: readonly Reason[]
}

/** One rule that trials can keep or break. `judge` is pure: it reads nothing but its arguments. */
export interface Guarantee {
  readonly id: GuaranteeId
  readonly level: Level
  readonly stage: Stage
  readonly source: string
  /** What it asks for, one sentence. */
  readonly requirement: string
  judge(trials: readonly Trial[], contract: Contract): Verdict
}

export const GUARANTEE_IDS = [
  'permanence',
  'transience',
  'hint',
  'deadline',
  'dedup',
  'key',
  'unsafe-replay',
  'body',
  'attempts',
  'backoff',
  'abort',
  'intact',
  'leftovers',
  'isolation',
  'streaming',
  'layers',
] as const
export type GuaranteeId = (typeof GUARANTEE_IDS)[number]
