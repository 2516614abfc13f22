import type { Contract } from '../../guarantees/contract.js'
import type { DecisionRow } from '../../report/decision-table.js'
import type { ObservedRun } from '../observed-runs.js'

/** Everything that an observation may look at. */
interface Observed {
  readonly runs: readonly ObservedRun[]
  readonly contract: Contract
}

/** What an observation found; the rest of the row follows from it. */
export type Finding = Pick<DecisionRow, 'count' | 'of' | 'evidence'> &
  Partial<Pick<DecisionRow, 'observation' | 'interpretation'>>

/** One row of the table, and how it is recognised. */
export interface Observation extends Pick<DecisionRow, 'id' | 'kind' | 'observation' | 'interpretation' | 'action'> {
  /** null when it was not seen. */
  find(observed: Observed): Finding | null
}

/** The runs in which something was seen, with a sentence on the first of them. */
export function seenIn(runs: readonly ObservedRun[], sentenceOf: (run: ObservedRun) => string | null): Finding | null {
  const sentences = runs.map((run, index) => {
    const sentence = sentenceOf(run)
    return sentence === null ? null : `call ${index + 1}: ${sentence}`
  })
  const seen = sentences.filter((sentence) => sentence !== null)
  return seen[0] === undefined ? null : { count: seen.length, of: runs.length, evidence: seen[0] }
}
