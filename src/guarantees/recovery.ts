import type { Trial } from '../trace/model.js'
import { measureFleet } from './fleet/measure.js'
import type { FleetOutage } from './fleet/model.js'
import { fleetOfTrial, recordOfTrial } from './fleet/of-trial.js'
import { judgeRecovery } from './fleet/recovery.js'
import type { Reason } from './model.js'
import { isSuccess } from './wire.js'

/** The outage under load (catalogue, BUD-05). */
export const LOAD_OUTAGE = { fromMs: 1_000, untilMs: 3_000 } as const
/** Fewer calls are no load. */
const LEAST_CALLS = 20
/** Times the outage. */
const LONGEST_RECOVERY = 3

/** All was well before the outage and nothing in it; then the load went on for as long as a recovery may take. */
function outageOf({ attempts, calls }: Trial): FleetOutage | null {
  const { fromMs, untilMs } = LOAD_OUTAGE
  const loadEndsAtMs = attempts.at(-1)?.arrivedAtMs ?? 0
  // A client that was stopped because its requests had no end was still at it.
  const isRunaway = calls.some(({ outcome }) => outcome.kind === 'unsettled' && outcome.reason === 'runaway')
  const watchedFor = isRunaway ? 1 : LONGEST_RECOVERY + 0.5
  const isLong = loadEndsAtMs >= untilMs + watchedFor * (untilMs - fromMs)
  const isSuch = attempts.every(({ arrivedAtMs, status }) => arrivedAtMs >= untilMs || isSuccess(status) === arrivedAtMs < fromMs)
  const wasAsked = attempts.some(({ arrivedAtMs }) => arrivedAtMs >= fromMs && arrivedAtMs < untilMs)
  return calls.length >= LEAST_CALLS && isSuch && isLong && wasAsked ? { fromMs, untilMs, loadEndsAtMs } : null
}

/** A server that is asked for less than it can take is well again soon after an outage: what the client adds does not keep it down. */
export function judgeRecoveryUnderLoad(trial: Trial, trialIndex: number): readonly Reason[] {
  const outage = outageOf(trial)
  if (outage === null) return []
  const report = { ...fleetOfTrial(trial), runs: [measureFleet({ ...recordOfTrial(trial), outage })] }
  const { reasons } = judgeRecovery(report, LONGEST_RECOVERY * (outage.untilMs - outage.fromMs))
  return reasons.map((reason) => ({ ...reason, trial: trialIndex }))
}
