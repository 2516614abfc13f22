import { HINT_NAMES, hintOf } from '../trace/hints.js'
import type { Trial } from '../trace/model.js'
import type { Distribution, ProbeReport } from './model.js'

type Seen = Pick<ProbeReport, 'client' | 'target' | 'runs' | 'deadlineMs' | 'trials' | 'pausedMs' | 'stopped'>

/** Nearest rank: always a value that was measured. */
function distributionOf(values: readonly number[]): Distribution | null {
  const sorted = [...values].sort((a, b) => a - b)
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!
  return sorted.length === 0 ? null : { min: sorted[0]!, p50: rank(0.5), p95: rank(0.95), max: sorted.at(-1)! }
}

function countBy<T>(items: readonly T[], nameOf: (item: T) => string | number): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + 1
  return counts
}

const waitsMs = ({ attempts }: Trial): number[] =>
  attempts.flatMap((attempt) => hintOf(attempt, { headers: HINT_NAMES })?.waitMs ?? [])

function tookMs({ calls: [call] }: Trial): number | null {
  return call === undefined || call.settledAtMs === null ? null : call.settledAtMs - call.startedAtMs
}

const isSuccess = ({ outcome }: Trial): boolean =>
  outcome.kind === 'resolved' && (outcome.status === undefined || (outcome.status >= 200 && outcome.status < 300))

/** Counts what the runs of a probe showed. */
export function probeReport(seen: Seen): ProbeReport {
  const { trials, deadlineMs } = seen
  const hints = trials.map(waitsMs)
  const all = hints.flat()
  const attempts = trials.flatMap((trial) => trial.attempts)
  const isLate = (trial: Trial) => trial.calls[0]?.abortedAtMs != null || (tookMs(trial) ?? Number.POSITIVE_INFINITY) > deadlineMs
  const report = {
    ...seen,
    requests: attempts.length,
    succeeded: trials.filter(isSuccess).length,
    latencyMs: distributionOf(trials.flatMap((trial) => tookMs(trial) ?? [])),
    attempts: countBy(trials, (trial) => trial.attempts.length),
    answers: countBy(attempts, ({ result }) => result),
    hints: {
      answers: all.length,
      runs: hints.filter((waits) => waits.length > 0).length,
      longestMs: all.length === 0 ? null : Math.max(...all),
    },
    deadlineBreaches: trials.filter(isLate).length,
  }
  return { ...report, toJSON: () => ({ format: 'retrial-probe', version: 1, ...report }) }
}
