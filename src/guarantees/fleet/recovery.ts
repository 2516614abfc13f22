import type { Verdict } from '../model.js'
import { formatWait } from '../words.js'
import type { FleetReport } from './model.js'
import { fleetVerdict, overRuns, typical } from './verdict.js'

const GUARANTEE = 'recovery'

/** Judges how long after an outage the server answers as before. */
export function judgeRecovery(report: FleetReport, withinMs: number): Verdict {
  const at = { rule: 'BUD-05', expected: `as before within ${formatWait(withinMs)} after the outage` } as const
  if (report.runs.length === 0 || report.runs.some(({ recoveryMs }) => recoveryMs === null)) {
    const text =
      'there was no outage to recover from, or no load for a second after it; give a report of herd() whose server has one, and more requests'
    return fleetVerdict(GUARANTEE, report, { ...at, kind: 'inconclusive', text })
  }
  const recoveryMs = typical(report.runs, (run) => run.recoveryMs!)
  const stuck = report.runs.filter((run) => run.recoveryMs === Number.POSITIVE_INFINITY).length
  if (recoveryMs === Number.POSITIVE_INFINITY) {
    const text = 'the server never answered as before again while the load lasted, although the outage was over'
    return fleetVerdict(GUARANTEE, report, {
      ...at,
      kind: 'fail',
      text,
      received: `not recovered in ${stuck} of ${report.runs.length} runs`,
    })
  }
  const text = `the server answered as before ${formatWait(recoveryMs)} after the outage`
  const received = `${formatWait(recoveryMs)}${overRuns(report)}`
  return fleetVerdict(GUARANTEE, report, { ...at, kind: recoveryMs > withinMs ? 'fail' : 'pass', text, received })
}
