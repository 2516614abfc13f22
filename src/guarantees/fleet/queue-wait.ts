import type { Verdict } from '../model.js'
import { formatMs } from '../words.js'
import type { FleetReport } from './model.js'
import { fleetVerdict, overRuns, ratioText, typical } from './verdict.js'

export interface QueueWaitBound {
  /** Bound on the 95th percentile of submission to start, in milliseconds. */
  readonly p95Ms?: number
  /** Bound on the same against the run without the doomed jobs. Default 1.3 when no `p95Ms` is given. */
  readonly ratio?: number
}

/** Catalogue, BUD-06. */
const DEFAULT_RATIO = 1.3
const GUARANTEE = 'queue-wait'

/** Judges how long jobs wait for their turn. */
export function judgeQueueWait(
  report: FleetReport,
  { p95Ms, ratio = p95Ms === undefined ? DEFAULT_RATIO : undefined }: QueueWaitBound = {},
): Verdict {
  const waitMs = typical(report.runs, (run) => run.queueWaitP95Ms)
  const at = { rule: 'BUD-06' } as const
  if (Number.isNaN(waitMs)) {
    return fleetVerdict(GUARANTEE, report, { ...at, kind: 'inconclusive', text: 'no job was submitted, so nothing waited' })
  }
  const received = `queue wait p95 = ${formatMs(waitMs)}${overRuns(report)}`
  if (p95Ms !== undefined && waitMs > p95Ms) {
    const text = `95 % of the jobs waited up to ${formatMs(waitMs)} for their turn`
    return fleetVerdict(GUARANTEE, report, {
      ...at,
      kind: 'fail',
      text,
      expected: `queue wait p95 ≤ ${formatMs(p95Ms)}`,
      received,
    })
  }
  if (ratio === undefined)
    return fleetVerdict(GUARANTEE, report, { ...at, kind: 'pass', text: `the queue moved: ${received}`, received })
  return againstTwin(report, waitMs, ratio, received)
}

function againstTwin(report: FleetReport, waitMs: number, ratio: number, received: string): Verdict {
  const at = { rule: 'BUD-06', received } as const
  if (report.runs.some(({ twinQueueWaitP95Ms }) => twinQueueWaitP95Ms === null)) {
    const text =
      'there is no run without doomed jobs to compare the queue wait with; give p95Ms, or a report of batch() with retired models'
    return fleetVerdict(GUARANTEE, report, { ...at, kind: 'inconclusive', text })
  }
  const twinMs = typical(report.runs, (run) => run.twinQueueWaitP95Ms!)
  const times = typical(report.runs, (run) => quotient(run.queueWaitP95Ms, run.twinQueueWaitP95Ms!))
  const comparison = `${ratioText(times)} times the ${formatMs(twinMs)} of the same jobs without the doomed ones`
  const kind = times > ratio ? 'fail' : 'pass'
  const text = `95 % of the jobs waited up to ${formatMs(waitMs)} for their turn, ${comparison}`
  return fleetVerdict(GUARANTEE, report, { ...at, kind, text, expected: `at most ${ratioText(ratio)} times ${formatMs(twinMs)}` })
}

/** No wait against no wait is no growth. */
const quotient = (a: number, b: number): number => (a === b ? 1 : a / b)
