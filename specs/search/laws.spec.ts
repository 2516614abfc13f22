import { describe, test } from 'vitest'
import { contract } from '../../fixtures/clients/index.js'
import { callPlan, faultSchedule, retryHeaders } from '../../src/property/index.js'
import { parseSchedule } from '../../src/schedule/parse.js'
import { printSchedule } from '../../src/schedule/print.js'
import { planShrinker } from '../../src/search/plan-shrinker.js'
import { scheduleShrinker } from '../../src/search/schedule-shrinker.js'
import { isSmaller, type Shrinker } from '../../src/search/shrinking.js'
import { sizeOfFields } from '../../src/search/step-shrinker.js'
import { expectRoundTrips, expectSameSeedSameValue, expectShrinksSmaller } from '../support/laws.js'

const by =
  <T>({ sizeOf }: Pick<Shrinker<T>, 'sizeOf'>) =>
  (a: T, b: T) =>
    isSmaller(sizeOf(a), sizeOf(b))

const SCHEDULES = {
  'schedules without a contract': faultSchedule(),
  'schedules for a contract': faultSchedule({ contract }),
  'schedules of a stream': faultSchedule({ contract, streaming: true }),
  'schedules for fetch': faultSchedule({ contract, transport: 'fetch' }),
}

describe.each(Object.entries(SCHEDULES))('%s', (_name, arbitrary) => {
  test('come again with the seed', () => expectSameSeedSameValue(arbitrary))
  test('shrink to strictly smaller ones that can be played', () => expectShrinksSmaller(arbitrary, by(scheduleShrinker)))
  test('print and parse back', () => {
    expectRoundTrips(
      arbitrary,
      (steps) => printSchedule(steps) as string,
      (text) => JSON.parse(printSchedule(parseSchedule(text)) as string),
    )
  })
})

describe('call plans', () => {
  const plans = callPlan({ contract })
  test('come again with the seed', () => expectSameSeedSameValue(plans))
  test('shrink to strictly smaller ones that can be run', () => expectShrinksSmaller(plans, by(planShrinker)))
  test('print as JSON and read back', () => expectRoundTrips(plans, JSON.stringify, JSON.parse))
})

describe('hints', () => {
  const hints = retryHeaders()
  test('come again with the seed', () => expectSameSeedSameValue(hints))
  test('shrink to strictly smaller ones', () => expectShrinksSmaller(hints, by({ sizeOf: sizeOfFields })))
  test('print as JSON and read back', () => expectRoundTrips(hints, JSON.stringify, JSON.parse))
})
