import type { Verdict } from '../model.js'
import { binomialTail } from '../statistics.js'
import { formatMs, plural, RANDOM_REPLACED } from '../words.js'
import type { FleetReport, FleetRun } from './model.js'
import { fleetVerdict, overRuns, typical } from './verdict.js'

export interface SpreadBound {
  /** Largest share of the clients whose first re-sends may fall within 100 ms. Default 0.25 (catalogue, BUD-04). */
  readonly maxShare?: number
}

const DEFAULT_SHARE = 0.25
/** Fewer cannot be spread: one of four is a quarter already. */
const MIN_CLIENTS = 5
/** Re-sends that are spread over a second, as by full jitter with a base of 1 s, fall into ten buckets of 100 ms. */
const BUCKETS = 10
const FALSE_ALARM = 1e-4
const GUARANTEE = 'spread-retries'
const percent = (share: number): string => `${Math.round(share * 100)} %`
const shareOf = ({ secondWave: { peak, clients } }: FleetRun): number => peak / clients

/** Judges whether clients that failed together come back together. */
export function judgeSpread(report: FleetReport, { maxShare = DEFAULT_SHARE }: SpreadBound = {}): Verdict {
  const at = { rule: 'BUD-04' } as const
  const clients = typical(report.runs, (run) => run.secondWave.clients)
  if (!(clients >= MIN_CLIENTS)) {
    const text = `${plural(clients, 'client')} re-sent anything, and fewer than ${MIN_CLIENTS} cannot be spread; give more clients, or a fault that all of them meet`
    return fleetVerdict(GUARANTEE, report, { ...at, kind: 'inconclusive', text })
  }
  const share = typical(report.runs, shareOf)
  const fullest = report.runs.find((run) => shareOf(run) === share)!.secondWave
  const text = `${fullest.peak} of the ${fullest.clients} clients that failed came back within the same 100 ms, from ${formatMs(fullest.peakAtMs)} on`
  const expected = `at most ${percent(maxShare)} of the clients within 100 ms`
  const received = `${percent(share)}${overRuns(report)}`
  if (share <= maxShare) return fleetVerdict(GUARANTEE, report, { ...at, kind: 'pass', text, expected, received })
  const doubt = report.randomReplaced
    ? RANDOM_REPLACED
    : mayBeChance(report.runs, share)
      ? 'so few may do so by chance: give more clients, or more runs'
      : null
  return fleetVerdict(
    GUARANTEE,
    report,
    doubt === null
      ? { ...at, kind: 'fail', text, expected, received }
      : { ...at, kind: 'inconclusive', text: `${text}; ${doubt}`, expected, received },
  )
}

/**
 * Whether clients that are spread evenly over a second could be seen as full in so many runs with a probability above 1 in 10 000. Of n
 * clients, one of ten buckets holds k or more with at most p = 10 P(Bin(n, 1/10) >= k); m of the runs do so with at most C(runs, m) p^m.
 */
function mayBeChance(runs: readonly FleetRun[], share: number): boolean {
  const full = runs.filter((run) => shareOf(run) >= share).map(({ secondWave }) => secondWave)
  const chance = Math.max(...full.map(({ clients, peak }) => BUCKETS * binomialTail(clients, peak, 1 / BUCKETS)))
  const together = full.reduce((product, _, i) => (product * chance * (runs.length - i)) / (i + 1), 1)
  return together > FALSE_ALARM
}
