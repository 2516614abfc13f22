import type { VerdictKind } from '../guarantees/model.js'
import type { DecisionTable } from './decision-table.js'

/** What a failing test that ran a trial carries in `task.meta.retrial`: for JSON reports, the UI and reporters. */
export interface RetrialMeta {
  /** The matcher that failed; null for an ordinary assertion in a test that ran a trial. */
  readonly matcher: string | null
  /** First line of the failure; null likewise. */
  readonly headline: string | null
  readonly client: string
  /** One line of JSON; null for a function schedule. */
  readonly schedule: string | null
  readonly verdicts: readonly { readonly guarantee: string; readonly kind: VerdictKind; readonly text: string }[]
  /** Line by line: the UI shows it as JSON. */
  readonly timeline: readonly string[]
}

/** One case of a contract suite, as its test tells it. */
export interface CaseMeta {
  /** Name of the suite. */
  readonly suite: string
  readonly client: string
  readonly catalogue: string
  readonly id: string
  readonly title: string
  readonly guarantee: string
  readonly status: string
  readonly note: string
}

/** What a search came to. */
export interface SearchMeta {
  readonly client: string
  readonly kind: 'upheld' | 'broken' | 'inconclusive'
  readonly seed: number
  readonly runs: number
  readonly skipped: number
  readonly elapsedMs: number
  /** Which faults were met, as a table. */
  readonly coverage: string
  readonly schedule?: string
  readonly path?: string | null
}

/** Something that a test wants to be shown in the report: a decision table, or a table as text. */
export interface ShownTable {
  readonly title: string
  readonly table: DecisionTable | string
}

/** What Retrial leaves in the meta of tests. */
export interface RetrialTaskMeta {
  retrial?: RetrialMeta
  retrialCase?: CaseMeta
  retrialSearch?: SearchMeta
  retrialTables?: ShownTable[]
}
