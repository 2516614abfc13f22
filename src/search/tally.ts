import type { Contract } from '../guarantees/contract.js'
import type { GuaranteeId, Verdict, VerdictKind } from '../guarantees/model.js'
import { Coverage } from './coverage.js'
import type { JudgedRun } from './model.js'

const NONE: Readonly<Record<VerdictKind, number>> = { pass: 0, fail: 0, inconclusive: 0, 'not-applicable': 0 }

/** Whether a guarantee had something to say. */
export const isMet = ({ kind }: Verdict): boolean => kind === 'pass' || kind === 'fail'

/** What the runs of a search came to, up to the first failure: those of the shrinking after it would count one bug many times. */
export class Tally {
  readonly counts = new Map<GuaranteeId, Record<VerdictKind, number>>()
  readonly coverage = new Coverage()
  runs = 0
  skipped = 0

  add({ verdicts, trials }: JudgedRun, hintHeaders: readonly string[]): void {
    if (verdicts.some(isMet)) this.runs += 1
    else this.skipped += 1
    for (const { guarantee, kind } of verdicts) {
      const counts = this.counts.get(guarantee as GuaranteeId) ?? { ...NONE }
      counts[kind] += 1
      this.counts.set(guarantee as GuaranteeId, counts)
    }
    for (const trial of trials) this.coverage.add(trial, hintHeaders)
  }

  /** Promised by the contract, and never met. */
  unmet(contract: Contract, canAbort: boolean): readonly GuaranteeId[] {
    const promised: Partial<Record<GuaranteeId, boolean>> = {
      transience: contract.transient !== undefined && contract.maxAttempts !== 1,
      deadline: contract.deadlineMs !== undefined,
      attempts: contract.maxAttempts !== undefined,
      backoff: contract.backoff !== undefined,
      key: contract.idempotency?.required === true,
      abort: contract.abort === true && canAbort,
    }
    return (Object.keys(promised) as GuaranteeId[]).filter((id) => promised[id] && this.#neverMet(id))
  }

  #neverMet(id: GuaranteeId): boolean {
    const { pass, fail, 'not-applicable': exempt, inconclusive } = this.counts.get(id) ?? NONE
    // A contract may exempt what it also promises (stages): then nothing was to be met.
    return pass + fail === 0 && !(exempt > 0 && inconclusive === 0)
  }
}
