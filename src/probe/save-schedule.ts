import type { Step } from '../schedule/model.js'
import { shortest } from '../schedule/print.js'
import type { Attempt, Trial } from '../trace/model.js'
import { succeededAnswer } from './observed-runs.js'
import { observedStep } from './observed-step.js'

/** The attempt whose work a replayed answer is the result of: the first of its operation under its key that got no answer of success. */
function originOf(replay: Attempt, attempts: readonly Attempt[]): Attempt | undefined {
  return attempts.find(
    ({ number, operation, idempotencyKey, ledger }) =>
      number < replay.number && operation === replay.operation && idempotencyKey === replay.idempotencyKey && ledger !== 'replay',
  )
}

/**
 * Turns what an endpoint did to one call into a schedule that does it again: statuses, hints, bodies, delays, broken connections. Where
 * the endpoint recognised a key, the lost attempt becomes one that was applied, and the schedule's own ledger answers the re-send.
 *
 * @param attempts of one run, as a trial has them
 * @returns the steps, at least one
 * @example
 * const { trials } = await probe(client, { baseURL: 'http://127.0.0.1:8787', runs: 1 })
 * const again = await runTrial(client, scheduleFrom(trials[0].attempts))
 */
export function scheduleFrom(attempts: readonly Attempt[]): readonly Step[] {
  const applied = new Set<number>()
  const answeredByKey = new Set<number>()
  for (const attempt of attempts) {
    const origin = attempt.ledger === 'replay' && attempt.idempotencyKey !== null ? originOf(attempt, attempts) : undefined
    if (origin === undefined) continue
    applied.add(origin.number)
    answeredByKey.add(attempt.number)
  }
  return attempts
    .filter(({ number }) => !answeredByKey.has(number))
    .map((attempt) => {
      const step = observedStep(attempt)
      return applied.has(attempt.number) && !succeededAnswer(attempt) ? { ...step, apply: true } : step
    })
}

/**
 * The run that has the most to tell: the most attempts that failed; of equals, the first.
 *
 * @returns undefined when no run has an attempt
 * @example
 * const schedule = scheduleFrom(mostTelling(report.trials)!.attempts)
 */
export function mostTelling(trials: readonly Trial[]): Trial | undefined {
  const failures = ({ attempts }: Trial) => attempts.filter((attempt) => !succeededAnswer(attempt)).length
  return trials
    .filter(({ attempts }) => attempts.length > 0)
    .reduce<Trial | undefined>(
      (best, trial) => (best === undefined || failures(trial) > failures(best) ? trial : best),
      undefined,
    )
}

/**
 * A schedule file of one run, ready to be written: it opens in an editor with completion and plays with `retrial serve`.
 *
 * @param trial the run to replay
 * @param target how the endpoint is called in its title
 * @example
 * writeFileSync('seen.json', JSON.stringify(scheduleFile(trial, report.target), null, 2))
 */
export function scheduleFile({ attempts, client }: Trial, target: string): Record<string, unknown> {
  return {
    title: `What ${target} did to one call`,
    description: `Recorded by a probe with ${client.name}: ${attempts.map(({ result }) => result).join(', ')}. Secrets were taken out.`,
    steps: scheduleFrom(attempts).map(shortest),
  }
}
