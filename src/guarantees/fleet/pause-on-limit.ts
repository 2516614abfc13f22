import type { Verdict } from '../model.js'
import { formatMs, plural } from '../words.js'
import type { FleetReport } from './model.js'
import { fleetVerdict } from './verdict.js'

const GUARANTEE = 'pause-on-limit'

/** Judges whether a 429 that says when to come back holds back everybody, in every run. */
export function judgePauseOnLimit(report: FleetReport): Verdict {
  const at = { rule: 'FLT-01', expected: 'no request of anybody before the limit is over' } as const
  const limits = report.runs.reduce((sum, { limit }) => sum + limit.limits, 0)
  if (limits === 0) {
    const text = 'no 429 said when to come back, so there was no limit to share; give one, as with batch({ limit })'
    return fleetVerdict(GUARANTEE, report, { ...at, kind: 'inconclusive', text })
  }
  const broken = report.runs.find(({ limit }) => limit.intruders > 0)
  if (broken === undefined) {
    const text = `nothing was sent while one of ${plural(limits, 'answer')} 429 asked to stay away`
    return fleetVerdict(GUARANTEE, report, { ...at, kind: 'pass', text })
  }
  const { intruders, firstIntruderAtMs } = broken.limit
  const text = `${plural(intruders, 'request')} arrived while a 429 asked everybody to stay away, the first at ${formatMs(firstIntruderAtMs!)}`
  return fleetVerdict(GUARANTEE, report, {
    ...at,
    kind: 'fail',
    text,
    received: `${plural(intruders, 'request')} (seed ${broken.seed})`,
  })
}
