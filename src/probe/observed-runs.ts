import type { Attempt, CallRecord, Trial } from '../trace/model.js'
import { endOf } from '../trace/operations.js'

/** One call as far as a trace shows it. */
export interface ObservedRun {
  readonly trial: Trial
  /** null in a trace of a server, which sees attempts only. */
  readonly call: CallRecord | null
  readonly attempts: readonly Attempt[]
}

/** Without a key or a caller, a request that comes later than this after the same one is a call of its own. */
const SAME_CALL_WITHIN_MS = 60_000

export const succeededAnswer = ({ status, answerComplete }: Attempt): boolean =>
  status !== null && status >= 200 && status < 300 && answerComplete

/**
 * The calls of traces. A trial knows its calls. The trace of a server or a HAR file does not: there, attempts with one key are a call;
 * without a key, the same request again is a re-send until one has been answered with a success, or a minute has passed.
 */
export function observedRuns(trials: readonly Trial[]): readonly ObservedRun[] {
  return trials.flatMap((trial) => (trial.calls.length > 0 ? callsOf(trial) : guessedCalls(trial)))
}

function callsOf(trial: Trial): ObservedRun[] {
  const isOnly = trial.calls.length === 1
  return trial.calls.map((call) => ({
    trial,
    call,
    attempts: trial.attempts.filter((attempt) => attempt.call === call.index || (isOnly && attempt.call === null)),
  }))
}

function guessedCalls(trial: Trial): ObservedRun[] {
  const runs: Attempt[][] = []
  const open = new Map<string, Attempt[]>()
  for (const attempt of trial.attempts) {
    const { method, path, idempotencyKey, bodyHash } = attempt
    const identity = idempotencyKey === null ? `${method} ${path} ${bodyHash}` : `key ${idempotencyKey}`
    const known = open.get(identity)
    const last = known?.at(-1)
    if (known !== undefined && last !== undefined && (idempotencyKey !== null || goesOn(last, attempt))) known.push(attempt)
    else {
      const started = [attempt]
      runs.push(started)
      open.set(identity, started)
    }
  }
  return runs.map((attempts) => ({ trial, call: null, attempts }))
}

const goesOn = (last: Attempt, next: Attempt): boolean =>
  !succeededAnswer(last) && next.arrivedAtMs - (endOf(last) ?? last.arrivedAtMs) <= SAME_CALL_WITHIN_MS
