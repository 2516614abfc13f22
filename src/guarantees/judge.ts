import type { Trial } from '../trace/model.js'
import type { Contract } from './contract.js'
import { guarantees } from './index.js'
import { GUARANTEE_IDS, type Guarantee, type GuaranteeId, type Verdict } from './model.js'
import { resolveContract } from './resolve.js'
import { notApplicable } from './verdict.js'

/** Why a contract does not speak of a guarantee; null when it does, or when the guarantee is judged whatever is promised. */
function unpromised({ id, stage }: Guarantee, contract: Contract): string | null {
  if (contract.stages !== undefined && !contract.stages.includes(stage))
    return `the contract asks for stages ${contract.stages.join(', ')} only`
  if (id === 'transience' && contract.transient === undefined) return 'the contract lists nothing transient'
  if (id === 'backoff' && contract.backoff === undefined) return 'the contract promises no backoff'
  return null
}

/**
 * Judges finished trials, without throwing on any of them: one verdict for each guarantee.
 *
 * What the contract does not promise is not applicable. Always judged: permanent statuses, the hint, finite attempts, unsafe replays,
 * one key and the same bytes, intact answers, abort if the client takes a signal, and that nothing is left behind.
 *
 * @param trials One trial, or several of one client where runs are to be compared (seeds, a twin without the hint).
 * @param contract What the client promises; waits in ms. Default: nothing beyond what is always judged.
 * @param ids The guarantees to judge, promised or not. Default: all, each only if the contract promises it.
 * @throws ContractError for a contract that cannot be.
 * @example
 * const verdicts = judge(trial, { maxAttempts: 4 })
 * verdicts.filter(({ kind }) => kind === 'fail').map(({ reasons }) => reasons[0].text)
 */
export function judge(trials: Trial | readonly Trial[], contract: Contract = {}, ids?: readonly GuaranteeId[]): Verdict[] {
  const all: readonly Trial[] = Array.isArray(trials) ? trials : [trials]
  for (const trial of all) {
    if (Array.isArray(trial?.attempts) && Array.isArray(trial.calls)) continue
    throw new TypeError('judge(trials, contract): expected a trial or a list of trials, as runTrial and loadTrial give them')
  }
  const resolved = resolveContract(contract)
  return (ids ?? GUARANTEE_IDS).map((id) => {
    const guarantee = guarantees[id]
    const why = ids === undefined ? unpromised(guarantee, resolved) : null
    return why === null ? guarantee.judge(all, resolved) : notApplicable(guarantee, why)
  })
}
