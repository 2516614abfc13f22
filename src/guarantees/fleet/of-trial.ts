import { hintOf } from '../../trace/hints.js'
import type { Trial } from '../../trace/model.js'
import { endOf } from '../../trace/operations.js'
import { type FleetRecord, measureFleet } from './measure.js'
import type { FleetAttempt, FleetReport } from './model.js'

/**
 * A trial with several calls, seen as a fleet: each call is a client of its own, submitted when the trial began. A trial knows of no outage,
 * and has no run without doomed calls beside it.
 */
export function fleetOfTrial(trial: Trial): FleetReport {
  const { client, randomReplaced } = trial
  return { kind: 'trial', client: client.name, runs: [measureFleet(recordOfTrial(trial))], randomReplaced }
}

/** The record behind it, for who knows of an outage. */
export function recordOfTrial(trial: Trial): FleetRecord {
  const resends = new Set(trial.operations.flatMap(({ attempts }) => attempts.slice(1)))
  const attempts = trial.attempts.map((attempt): FleetAttempt => {
    const hint = attempt.result === 429 ? hintOf(attempt, { headers: ['retry-after'] }) : null
    return {
      client: attempt.call ?? 0,
      call: attempt.call,
      resend: resends.has(attempt.number),
      arrivedAtMs: attempt.arrivedAtMs,
      endedAtMs: attempt.headersAtMs ?? endOf(attempt),
      result: attempt.result,
      hintUntilMs: hint?.closesAtMs ?? null,
    }
  })
  const calls = trial.calls.map(({ index, startedAtMs }) => ({ client: index, call: index, submittedAtMs: 0, startedAtMs }))
  return { seed: trial.seed, clients: calls.length, calls, attempts, outage: null, twinQueueWaitP95Ms: null }
}
