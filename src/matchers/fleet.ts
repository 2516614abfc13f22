import type { MatcherResult, MatcherState } from 'vitest'
import type { FleetJudgeable, FleetReport } from '../guarantees/fleet/model.js'
import { fleetOfTrial } from '../guarantees/fleet/of-trial.js'
import type { Verdict } from '../guarantees/model.js'
import type { Trial } from '../trace/model.js'
import { show } from '../trial/client.js'
import { MatcherUsageError } from './errors.js'
import { resultOf } from './judged.js'
import { isTrial } from './subject.js'

/** The body that matchers of a fleet share: a report of `batch` or `herd`, or a trial with several calls. */
export function judgeFleet(
  state: MatcherState,
  matcher: string,
  received: unknown,
  judge: (report: FleetReport) => Verdict,
): MatcherResult {
  const trials: readonly Trial[] = isTrial(received) ? [received] : []
  return resultOf(state, { matcher, verdict: judge(fleetOf(matcher, received)), trials })
}

function fleetOf(matcher: string, received: unknown): FleetReport {
  if (isReport(received)) return received.fleet
  if (isTrial(received) && received.calls.length > 1) return fleetOfTrial(received)
  const hint = received instanceof Promise ? ' (await it first)' : ''
  const what = isTrial(received)
    ? 'a trial with one call: give runTrial(client, schedule, { calls: 8, concurrency: 8 })'
    : `${show(received)}${hint}`
  throw new MatcherUsageError(
    `${matcher}: expected a report of batch() or herd(), or a trial with several calls, received ${what}`,
  )
}

function isReport(value: unknown): value is FleetJudgeable {
  const fleet = (value as Partial<FleetJudgeable> | null | undefined)?.fleet
  return typeof fleet === 'object' && fleet !== null && Array.isArray(fleet.runs)
}

/** Checks a number that bounds a figure. */
export function requireBound(place: string, value: unknown, allowed: string, holds: (value: number) => boolean): void {
  if (typeof value !== 'number' || !holds(value))
    throw new MatcherUsageError(`${place}: expected ${allowed}, received ${show(value)}`)
}

/** Checks the names and values of a bound that is an object; all of its fields are optional. */
export function requireBounds(
  place: string,
  bound: object,
  fields: Readonly<Record<string, readonly [allowed: string, holds: (value: number) => boolean]>>,
): void {
  if (typeof bound !== 'object' || bound === null) {
    throw new MatcherUsageError(`${place}: expected an object with ${Object.keys(fields).join(', ')}, received ${show(bound)}`)
  }
  for (const [name, value] of Object.entries(bound)) {
    const field = fields[name]
    if (field === undefined)
      throw new MatcherUsageError(`${place}.${name}: unknown, allowed are ${Object.keys(fields).join(', ')}`)
    if (value !== undefined) requireBound(`${place}.${name}`, value, ...field)
  }
}
