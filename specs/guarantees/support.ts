import type { Contract } from '../../src/guarantees/contract.js'
import { guarantees } from '../../src/guarantees/index.js'
import type { GuaranteeId, Reason, Verdict } from '../../src/guarantees/model.js'
import { resolveContract } from '../../src/guarantees/resolve.js'
import type { Trial } from '../../src/trace/model.js'
import { type AttemptSketch, type TrialSketch, trialOf } from '../support/make-trial.js'

/** Judges hand-made trials by one guarantee. */
export function judged(id: GuaranteeId, trials: Trial | readonly Trial[], contract: Contract = {}): Verdict {
  return guarantees[id].judge([trials].flat() as Trial[], resolveContract(contract))
}

/** Judges one trial, given by its attempts. */
export const judgedAttempts = (
  id: GuaranteeId,
  attempts: readonly AttemptSketch[],
  contract: Contract = {},
  sketch: Omit<TrialSketch, 'attempts'> = {},
): Verdict => judged(id, trialOf({ attempts, ...sketch }), contract)

/** The kind of a verdict and its deciding sentence, which is the first line of a failure. */
export const gist = ({ kind, reasons }: Verdict): string => `${kind}: ${reasons[0]?.text}`

/** Kind and rule of every reason: 'fail RAF-01'. */
export const rulesOf = ({ reasons }: Verdict): string[] => reasons.map(({ kind, rule }) => `${kind} ${rule}`)

export const reasonOf = ({ reasons }: Verdict): Reason => {
  const [reason] = reasons
  if (reason === undefined) throw new Error('a verdict without a reason')
  return reason
}
