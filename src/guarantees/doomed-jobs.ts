import type { CallRecord, Trial } from '../trace/model.js'
import { fleetOfTrial } from './fleet/of-trial.js'
import { judgeQueueWait } from './fleet/queue-wait.js'
import type { Reason } from './model.js'
import { attemptsOfCall, hasStrays, succeeded } from './wire.js'

/** Fewer jobs are no batch. */
const LEAST_JOBS = 50
const GONE: readonly unknown[] = [404, 410]

const isDoomed = (trial: Trial, call: CallRecord): boolean =>
  attemptsOfCall(trial, call).some(({ status }) => GONE.includes(status))

/** The same batch without its doomed jobs, which all succeeded; null when it is not among the judged trials. */
function twinOf(batch: Trial, trials: readonly Trial[]): Trial | null {
  const doomed = batch.calls.filter((call) => isDoomed(batch, call)).length
  if (doomed === 0 || doomed === batch.calls.length || hasStrays(batch)) return null
  const { client, seed } = batch
  return (
    trials.find(
      (other) =>
        other.client.name === client.name &&
        other.seed === seed &&
        other.calls.length === batch.calls.length - doomed &&
        other.attempts.every(succeeded),
    ) ?? null
  )
}

/** Jobs that can never succeed do not hold up the others: the queue moves about as fast as without them. */
export function judgeDoomedJobs(trials: readonly Trial[]): readonly Reason[] {
  return trials.flatMap((batch, index) => {
    const twin = batch.calls.length < LEAST_JOBS ? null : twinOf(batch, trials)
    if (twin === null) return []
    const report = fleetOfTrial(batch)
    const [twinRun] = fleetOfTrial(twin).runs
    const runs = report.runs.map((run) => ({ ...run, twinQueueWaitP95Ms: twinRun?.queueWaitP95Ms ?? null }))
    return judgeQueueWait({ ...report, runs }).reasons.map((reason) => ({ ...reason, trial: index }))
  })
}
