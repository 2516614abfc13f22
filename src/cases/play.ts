import type { Contract } from '../guarantees/contract.js'
import type { ResponseStep, ScheduleFunction, ScheduleInput } from '../schedule/model.js'
import type { Trial } from '../trace/model.js'
import type { TrialOptions } from '../trial/model.js'
import type { Case } from './model.js'

type Play = Case['play']
/** One trial of a case. */
export type Plan = readonly [schedule: ScheduleInput, options?: TrialOptions]

/** Plays plans one after the other: virtual time is global. */
export const planned =
  (plans: (contract: Contract, seed: number) => readonly Plan[]): Play =>
  async (run, contract, seed) => {
    const trials: Trial[] = []
    for (const [schedule, options] of plans(contract, seed)) trials.push(await run(schedule, options))
    return trials
  }

/** One trial for each schedule; the last step of a schedule repeats for ever. */
export const each = (...schedules: readonly ScheduleInput[]): Play => planned(() => schedules.map((schedule) => [schedule]))

/**
 * Bounds a trial whose schedule never ends well, so that a client without a bound is known for one within a second or two. A sound
 * client needs about five events for an attempt.
 */
export const BOUNDED: TrialOptions = { maxEvents: 10_000 }

/** Schedules that never end well. */
export const endless = (...schedules: readonly ScheduleInput[]): Play =>
  planned(() => schedules.map((schedule) => [schedule, BOUNDED]))

/** The same schedule for so many fresh clients, each with a seed of its own. */
export const overSeeds = (count: number, schedule: ScheduleInput, seed: number): readonly Plan[] =>
  Array.from({ length: count }, (_, offset) => [schedule, { seed: seed + offset }])

/**
 * A 503 with each of these Retry-After values, for ever, and the twin without the header that shows the client's own waits: before and
 * after the others, which shows whether they are the same every time.
 */
export const malformedHints = (...values: readonly string[]): Play =>
  endless([503], ...values.map((retryAfter) => [{ status: 503, retryAfter }]), [503])

/** Every call of a trial meets one failure, then success. A key tells calls apart that the prefix of the URL does not. */
export const failsEachCallOnce: ScheduleFunction = (request, history) =>
  history.some(({ call, idempotencyKey }) => call === request.call && idempotencyKey === request.idempotencyKey) ? 200 : 503

/** A body long enough to be cut in a telling way. */
const LONG_TEXT = 'abcdefghi '.repeat(100)
export const longAnswer = (more: Partial<ResponseStep>): ResponseStep => ({ status: 200, body: { text: LONG_TEXT }, ...more })
