import * as fc from 'fast-check'
import type { ResponseStep, StepInput } from '../schedule/model.js'
import { shortest } from '../schedule/print.js'
import { fair, type StepList, scheduleShrinker } from './schedule-shrinker.js'
import { shrinkBy } from './shrinking.js'
import { type Outage, type SearchConstraints, type Space, spaceOf } from './space.js'
import { asStep } from './step-shrinker.js'
import {
  anyStep,
  brokenConnections,
  eventStreams,
  hinted,
  lostAnswers,
  permanentAnswers,
  success,
  transientAnswers,
  troubledSuccess,
} from './steps.js'

/** For more attempts than a single call makes. */
const lasting = (step: fc.Arbitrary<ResponseStep>): fc.Arbitrary<ResponseStep> =>
  fc.tuple(step, fc.integer({ min: 3, max: 12 })).map(([one, repeat]) => ({ ...one, repeat }))

/** As long as it takes until what all calls share is used up, as long again until it is back, and a failure that needs it. */
const outages = (space: Space, { failures, successes }: Outage): fc.Arbitrary<StepList> => {
  const times = (n: number) => fc.integer({ min: n, max: 3 * n })
  // The same failure again: then nothing but what the calls share can make the difference.
  return fc
    .tuple(fc.constantFrom(...space.transientStatuses), times(failures), success, times(successes))
    .map(([status, failed, well, succeeded]) => [{ status, repeat: failed }, { ...well, repeat: succeeded }, { status }])
}

/** Steps in a row that belong together: where single steps, drawn one by one, would hardly ever get to. */
function scenes(space: Space): fc.Arbitrary<StepList> {
  const transient = transientAnswers(space)
  const broken = brokenConnections(space)
  const inTurn = (...steps: fc.Arbitrary<StepInput>[]): fc.Arbitrary<StepList> => fc.tuple(...steps)
  const forContract: fc.WeightedArbitrary<StepList>[] = [
    ...(space.outage === null ? [] : [{ weight: 10, arbitrary: outages(space, space.outage) }]),
    // An empty answer ends a stream that would be opened again.
    ...(space.streaming ? [{ weight: 2, arbitrary: inTurn(eventStreams(space), fc.constant(204)) }] : []),
  ]
  return fc.oneof<fc.WeightedArbitrary<StepList>[]>(
    ...forContract,
    { weight: 8, arbitrary: inTurn(anyStep(space)) },
    { weight: 2, arbitrary: inTurn(transient, success) },
    // Several faults in a row, alike or not; a refusal that stays a refusal.
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.oneof(transient, broken, permanentAnswers(space)), fc.integer({ min: 2, max: 5 }))
        .map(([step, n]) => Array(n).fill(step)),
    },
    { weight: 1, arbitrary: fc.array(fc.oneof(transient, broken), { minLength: 2, maxLength: 4 }) },
    { weight: 2, arbitrary: inTurn(permanentAnswers(space)) },
    // An outage, a recovery, and the next outage: what is counted over many calls is used up, refilled and needed again.
    { weight: 1, arbitrary: inTurn(lasting(transient), success, transient) },
    { weight: 3, arbitrary: inTurn(hinted(space)) },
    // The wait that was asked for must outlive the fault between.
    { weight: 2, arbitrary: inTurn(hinted(space), broken) },
    { weight: 2, arbitrary: inTurn(transient, permanentAnswers(space)) },
    { weight: 2, arbitrary: inTurn(fc.oneof(transient, broken), troubledSuccess(space)) },
    { weight: 2, arbitrary: inTurn(lostAnswers(space), success) },
  )
}

/**
 * Schedules that lead a client into deep states: faults in a row, a hint and then a broken connection, work that was done and not
 * acknowledged, success just inside and just outside a promised time. The last step repeats, as in every schedule.
 *
 * Shrinks to fewer steps, then to plainer faults (503 before 429 before reset before hang), then to fewer options and rounder numbers.
 * Steps that never end are left out unless the contract promises a time-out or a deadline.
 *
 * @param constraints `maxSteps` (default 6), `contract`, `streaming`, `transport`
 * @returns an arbitrary of schedules as data, in the notation that `runTrial`, files and the command line take
 * @throws {SearchOptionsError} for constraints that make no sense
 * @example
 * test.prop([faultSchedule({ maxSteps: 4 })])('upholds', async (schedule) => {
 *   await expect(await runTrial(client, schedule)).toUphold(contract)
 * })
 */
export function faultSchedule(constraints: SearchConstraints = {}): fc.Arbitrary<StepList> {
  const space = spaceOf(constraints)
  const scene = scenes(space)
  // Half of the schedules are a single scene, whose last step then goes on for ever: a client is seen at its limits.
  const parts = fc.oneof(fc.tuple(scene), fc.array(scene, { minLength: 2, maxLength: 4 }))
  const steps = parts.map((some) => fair(some.flat().slice(0, space.maxSteps)).map((step) => shortest(asStep(step))))
  return shrinkBy(steps, scheduleShrinker)
}
