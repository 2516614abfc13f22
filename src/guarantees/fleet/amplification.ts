import type { Verdict } from '../model.js'
import { plural } from '../words.js'
import type { FleetReport } from './model.js'
import { fleetVerdict, overRuns, ratioText, typical } from './verdict.js'

const GUARANTEE = 'amplification'

/** Judges how many requests became of each call: attempts / calls. */
export function judgeAmplification(report: FleetReport, ratio: number): Verdict {
  const at = { rule: 'BUD-01' } as const
  const failures = typical(report.runs, (run) => run.failures)
  const calls = typical(report.runs, (run) => run.calls)
  if (!(failures > 0) || !(calls > 0)) {
    const text = `nothing failed in ${plural(calls, 'call')}, so there was nothing to amplify; give a server that fails`
    return fleetVerdict(GUARANTEE, report, { ...at, kind: 'inconclusive', text })
  }
  const attempts = typical(report.runs, (run) => run.attempts)
  const amplification = typical(report.runs, (run) => run.attempts / run.calls)
  const text = `${plural(calls, 'call')} became ${plural(attempts, 'request')}, ${ratioText(amplification)} for each`
  const kind = amplification > ratio ? 'fail' : 'pass'
  const received = `${ratioText(amplification)}${overRuns(report)}`
  return fleetVerdict(GUARANTEE, report, {
    ...at,
    kind,
    text,
    expected: `at most ${ratioText(ratio)} requests per call`,
    received,
  })
}
