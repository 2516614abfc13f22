import * as fc from 'fast-check'
import type { WallClockStep } from '../clock/model.js'
import type { JsonValue } from '../schedule/model.js'
import type { DedupMode } from '../trace/model.js'
import type { AbortPlan, CallPlan } from '../trial/model.js'
import { around, spreadUpTo } from './numbers.js'
import { planShrinker, type TrialPlan } from './plan-shrinker.js'
import { shrinkBy } from './shrinking.js'
import { type SearchConstraints, type Space, spaceOf } from './space.js'

const LATEST_ABORT_MS = 99_900
const LARGEST_CLOCK_STEP_MS = 99_900_000
const MAX_SEED = 2 ** 31 - 1

const rarely = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 10, arbitrary: fc.constant(undefined) }, { weight, arbitrary })

const BODIES: readonly JsonValue[] = ['plain text', { text: 'päivää ✓' }, { nested: { list: [1, 2, 3] } }, [], 'x'.repeat(500)]

/** Methods that carry a body are the ones that can do work twice: they come most often. */
function requests({ methods }: Space): fc.Arbitrary<CallPlan> {
  const weighted = methods.map((method) => ({
    weight: method === 'POST' || method === 'GET' ? 4 : 1,
    arbitrary: fc.constant(method),
  }))
  const optional = fc.record({
    key: rarely(4, fc.constant('none')),
    body: rarely(2, fc.constantFrom(...BODIES)),
  })
  return fc.tuple(fc.oneof(...weighted), optional).map(([method, { key, body }]) => ({
    ...(method === 'POST' ? {} : { method }),
    ...(key !== undefined && ['POST', 'PATCH'].includes(method) ? { idempotencyKey: key } : {}),
    ...(body !== undefined && ['POST', 'PUT', 'PATCH'].includes(method) ? { body } : {}),
  }))
}

/** When the caller gives up: at a moment of the exchange, or at a time. */
function aborts({ abort, edgesMs }: Space): fc.Arbitrary<Pick<TrialPlan, 'abort' | 'abortAtMs'> | undefined> {
  if (!abort) return fc.constant(undefined)
  // A body takes time in few schedules only: that moment is tried more often than the others.
  const moment = fc.oneof<fc.WeightedArbitrary<AbortPlan>[]>(
    { weight: 5, arbitrary: fc.constant<AbortPlan>('during-body') },
    { weight: 4, arbitrary: fc.constantFrom<AbortPlan[]>('before-call', 'during-attempt', 'during-wait', { onAttempt: 2 }) },
  )
  const atMs = fc.oneof(spreadUpTo(LATEST_ABORT_MS), ...edgesMs.map(around))
  return rarely(
    6,
    fc.oneof(
      { weight: 2, arbitrary: moment.map((at) => ({ abort: at })) },
      { weight: 1, arbitrary: atMs.map((ms) => ({ abortAtMs: ms })) },
    ),
  )
}

/** The wall clock is set while a call is under way. */
const clockSteps: fc.Arbitrary<readonly WallClockStep[]> = fc
  .tuple(spreadUpTo(9_990), spreadUpTo(LARGEST_CLOCK_STEP_MS), fc.boolean())
  .map(([atMs, byMs, back]) => [{ atMs, offsetMs: back ? -byMs : byMs }])

/** Calls on one client, one after the other or at once; enough of them, too, to use up and refill what they share. */
function callCounts({ maxCalls, outage }: Space): fc.Arbitrary<Pick<TrialPlan, 'calls' | 'concurrency'> | undefined> {
  if (maxCalls < 2) return fc.constant(undefined)
  const some = fc
    .tuple(fc.integer({ min: 2, max: maxCalls }), fc.boolean())
    .map(([calls, parallel]) => ({ calls, ...(parallel ? { concurrency: calls } : {}) }))
  if (outage === null) return rarely(6, some)
  const enough = outage.failures + outage.successes
  const many = fc.integer({ min: Math.ceil(enough / 2), max: 2 * enough }).map((calls) => ({ calls }))
  return rarely(16, fc.oneof({ weight: 6, arbitrary: some }, { weight: 10, arbitrary: many }))
}

/**
 * Ways to call a client: method, idempotency key or none, kinds of body, when the caller gives up (at a moment, or as a deadline in
 * `abortAtMs`), several calls in turn or at once, how the server treats a key that it knows, and a wall clock that is set on the way.
 *
 * Shrinks to no abort, then to one call, then to the plainest request, then to round numbers.
 *
 * @param constraints `methods`, `maxCalls` (default 4), `abort`, `contract`
 * @returns an arbitrary of options for `runTrial`; times in milliseconds
 * @throws {SearchOptionsError} for constraints that make no sense
 * @example
 * test.prop([faultSchedule(), callPlan({ methods: ['GET'] })])('upholds', async (schedule, plan) => {
 *   await expect(await runTrial(client, schedule, plan)).toUphold(contract)
 * })
 */
export function callPlan(constraints: SearchConstraints = {}): fc.Arbitrary<TrialPlan> {
  const space = spaceOf(constraints)
  const parts = fc.tuple(
    requests(space),
    aborts(space),
    callCounts(space),
    rarely(7, fc.constantFrom<DedupMode[]>('conflict', 'reject', 'ignore')),
    rarely(4, clockSteps),
    // Small seeds are no better than large ones, and a seed that comes again gives the same jitter.
    fc.noBias(fc.integer({ min: 1, max: MAX_SEED })),
  )
  const plans = parts.map(
    ([call, abort, calls, dedup, wallClockOffsetMs, seed]): TrialPlan => ({
      ...(Object.keys(call).length === 0 ? {} : { call }),
      ...abort,
      ...calls,
      ...(dedup === undefined ? {} : { dedup }),
      ...(wallClockOffsetMs === undefined ? {} : { wallClockOffsetMs }),
      seed,
    }),
  )
  return shrinkBy(plans, planShrinker)
}
