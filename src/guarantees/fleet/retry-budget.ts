import type { Verdict } from '../model.js'
import { plural } from '../words.js'
import type { FleetReport, FleetRun } from './model.js'
import { type FleetFinding, fleetVerdict } from './verdict.js'

export interface RetryBudgetBound {
  /** Re-sends that each client has before any success. Default 10. */
  readonly tokens?: number
  /** Re-sends that are earned per call. Default 0.1. */
  readonly ratio?: number
}

/** The example of gRPC A6. */
const DEFAULTS = { tokens: 10, ratio: 0.1 } as const
/** So many failures after the recovery without any re-send mean that the budget never refilled. */
const FAILURES_WITHOUT_RETRY = 20
const GUARANTEE = 'retry-budget'

/** Judges, run by run, whether re-sends stay within a budget, first tries go out whatever is left of it, and retries come back. */
export function judgeRetryBudget(report: FleetReport, bound: RetryBudgetBound = {}): Verdict {
  const { tokens = DEFAULTS.tokens, ratio = DEFAULTS.ratio } = bound
  const findings = report.runs.map((run) => judgeRun(run, tokens, ratio))
  const telling = findings.find(({ kind }) => kind === 'fail') ?? findings.find(({ kind }) => kind === 'pass') ?? findings[0]
  const none: FleetFinding = { kind: 'inconclusive', rule: 'BUD-01', text: 'there was no run to judge' }
  return fleetVerdict(GUARANTEE, report, telling ?? none)
}

function judgeRun({ seed, clients, calls, budget }: FleetRun, tokens: number, ratio: number): FleetFinding {
  const { firstTries, resends, failures, failedFirstTries, failuresAfterRecovery, resendsAfterRecovery } = budget
  const allowed = Math.floor(tokens * clients + ratio * calls)
  if (firstTries < calls) {
    const text = `${plural(calls - firstTries, 'call')} of ${calls} never reached the server: a budget holds back re-sends, not first tries`
    return { kind: 'fail', rule: 'BUD-02', text, expected: `${calls} first tries`, received: `${firstTries} (seed ${seed})` }
  }
  if (resends > allowed) {
    const text = `${plural(resends, 're-send')} for ${plural(calls, 'call')} of ${plural(clients, 'client')}`
    const expected = `at most ${allowed} re-sends: ${tokens} for each client and ${ratio} for each call`
    return { kind: 'fail', rule: 'BUD-01', text, expected, received: `${resends} (seed ${seed})` }
  }
  // Fewer than that, and a client without any budget keeps within it.
  if (failedFirstTries <= allowed) {
    const text = `${plural(failedFirstTries, 'call')} failed at first, too few to use up a budget of ${plural(allowed, 're-send')}; give a server that fails longer`
    return { kind: 'inconclusive', rule: 'BUD-01', text }
  }
  if (failuresAfterRecovery >= FAILURES_WITHOUT_RETRY && resendsAfterRecovery === 0) {
    const text = `none of ${failuresAfterRecovery} failures after the recovery was tried again: the budget never refilled`
    return {
      kind: 'fail',
      rule: 'BUD-02',
      text,
      expected: 'retries once successes have refilled the budget',
      received: `none (seed ${seed})`,
    }
  }
  const text = `${plural(resends, 're-send')} for ${plural(failures, 'failure')}, within a budget of ${allowed}`
  return { kind: 'pass', rule: 'BUD-01', text }
}
