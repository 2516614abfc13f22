import type { Verdict } from '../model.js'
import { formatMs, plural, RANDOM_REPLACED } from '../words.js'
import type { FleetReport } from './model.js'
import { fleetVerdict, overRuns, typical } from './verdict.js'

export interface SpreadBound {
  /** Largest share of the clients whose first re-sends may fall within 100 ms. Default 0.25 (catalogue, BUD-04). */
  readonly maxShare?: number
}

const DEFAULT_SHARE = 0.25
/** Fewer cannot be spread: one of four is a quarter already. */
const MIN_CLIENTS = 5
const GUARANTEE = 'spread-retries'
const percent = (share: number): string => `${Math.round(share * 100)} %`

/** Judges whether clients that failed together come back together. */
export function judgeSpread(report: FleetReport, { maxShare = DEFAULT_SHARE }: SpreadBound = {}): Verdict {
  const at = { rule: 'BUD-04' } as const
  const clients = typical(report.runs, (run) => run.secondWave.clients)
  if (!(clients >= MIN_CLIENTS)) {
    const text = `${plural(clients, 'client')} re-sent anything, and fewer than ${MIN_CLIENTS} cannot be spread; give more clients, or a fault that all of them meet`
    return fleetVerdict(GUARANTEE, report, { ...at, kind: 'inconclusive', text })
  }
  const share = typical(report.runs, ({ secondWave }) => secondWave.peak / secondWave.clients)
  const fullest = report.runs.find(({ secondWave }) => secondWave.peak / secondWave.clients === share)!.secondWave
  const text = `${fullest.peak} of the ${fullest.clients} clients that failed came back within the same 100 ms, from ${formatMs(fullest.peakAtMs)} on`
  const expected = `at most ${percent(maxShare)} of the clients within 100 ms`
  const received = `${percent(share)}${overRuns(report)}`
  if (share <= maxShare) return fleetVerdict(GUARANTEE, report, { ...at, kind: 'pass', text, expected, received })
  return fleetVerdict(
    GUARANTEE,
    report,
    report.randomReplaced
      ? { ...at, kind: 'inconclusive', text: `${text}; ${RANDOM_REPLACED}` }
      : { ...at, kind: 'fail', text, expected, received },
  )
}
