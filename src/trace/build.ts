import type { Outcome, Trial, TrialRecord } from './model.js'
import { resends } from './operations.js'
import { saveTrial } from './save.js'

const NO_CALL: Outcome = { kind: 'unobserved' }

/** The latest settling; null while a call is unsettled, or when there was none. */
function lastSettledAtMs(calls: TrialRecord['calls']): number | null {
  let latest: number | null = null
  for (const { settledAtMs } of calls) {
    if (settledAtMs === null) return null
    latest = Math.max(latest ?? settledAtMs, settledAtMs)
  }
  return latest
}

const frozenCopies = <T extends object>(items: readonly T[]): readonly T[] =>
  Object.freeze(items.map((item) => Object.freeze({ ...item })))

/**
 * Makes a finished trial of its record: adds the short forms that people assert on. The trial and its attempts, calls and operations
 * are frozen copies, so that several judgements can share it.
 *
 * @param timeline Writes the trace as text; injected, since the picture of a trace stands above the trace.
 */
export function makeTrial(record: TrialRecord, timeline: (trial: Trial) => string): Trial {
  const attempts = frozenCopies(record.attempts)
  const operations = frozenCopies(record.operations)
  const calls = frozenCopies(record.calls)
  const trial: Trial = Object.freeze({
    ...record,
    attempts,
    operations,
    calls,
    statuses: Object.freeze(attempts.map(({ result }) => result)),
    gapsMs: Object.freeze(resends({ attempts, operations }).map(({ gapMs }) => gapMs)),
    outcome: calls[0]?.outcome ?? NO_CALL,
    settledAtMs: lastSettledAtMs(calls),
    timeline: () => timeline(trial),
    toJSON: () => saveTrial(trial),
  })
  return trial
}
