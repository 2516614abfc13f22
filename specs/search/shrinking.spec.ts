import { expect, test } from 'vitest'
import { contract } from '../../fixtures/clients/index.js'
import { callPlan, faultSchedule } from '../../src/property/index.js'
import { isFault, type Step, type StepInput } from '../../src/schedule/model.js'
import { rounder } from '../../src/search/numbers.js'
import { kindOfStep } from '../../src/search/plainness.js'
import { asStep, plainerSteps } from '../../src/search/step-shrinker.js'
import { expectShrinksTo, shrinksOf } from '../support/laws.js'

const schedules = faultSchedule({ contract })
const isStep = (step: StepInput, matches: (step: Step) => boolean) => matches(asStep(step))
const waits = (step: Step): number => (!isFault(step) && typeof step.retryAfter === 'number' ? step.retryAfter : 0)

test('whatever always fails shrinks to a plain 200 in one step', () => expectShrinksTo(schedules, () => true, [200]))

test('an answer that is no success shrinks to 503', () =>
  expectShrinksTo(schedules, (steps) => steps.some((step) => isStep(step, (one) => isFault(one) || one.status >= 300)), [503]))

test('a broken connection shrinks to a reset', () =>
  expectShrinksTo(schedules, (steps) => steps.some((step) => isStep(step, isFault)), ['reset']))

test('work that is done and then lost keeps what it takes', () =>
  expectShrinksTo(schedules, (steps) => steps.some((step) => isStep(step, (one) => isFault(one) && one.apply === true)), [
    { fault: 'reset', apply: true },
  ]))

test('a wait above a threshold shrinks to the round number above it', () =>
  expectShrinksTo(schedules, (steps) => steps.some((step) => isStep(step, (one) => waits(one) > 2_147_483)), [
    { status: 200, retryAfter: 3_000_000 },
  ]))

test('two different kinds in turn stay two steps', () =>
  expectShrinksTo(
    schedules,
    (steps) =>
      steps.some(
        (step, index) => index > 0 && kindOfStep(asStep(step)) === '404' && kindOfStep(asStep(steps[index - 1]!)) === '503',
      ),
    [503, 404],
  ))

test('plainer kinds are tried in the order 200, 503, 429, reset, close, hang', () => {
  const tried = shrinksOf(schedules, [{ status: 200, stall: 'body' }]).map((steps) => steps[0])
  const plain = tried.filter((step) => typeof step !== 'object')
  expect(plain).toEqual([200, 503, 500, 429, 400, 'reset', 'close', 'hang'])
})

test('a step is replaced by one that keeps its options before the options go', () => {
  const tried = [...plainerSteps({ status: 429, retryAfter: 30 })]
  expect(tried.slice(0, 4)).toEqual([200, { status: 200, retryAfter: 30 }, 503, { status: 503, retryAfter: 30 }])
})

test('equal neighbours become one step that repeats', () => {
  expect(shrinksOf(schedules, [503, 503, 404])).toContainEqual([{ status: 503, repeat: 2 }, 404])
})

test('plans lose the abort first and the second call next', () => {
  const plans = callPlan({ contract })
  const shrunk = shrinksOf(plans, { abort: 'during-wait', calls: 2, concurrency: 2, seed: 5 })
  expect(shrunk.slice(0, 3)).toEqual([
    { calls: 2, concurrency: 2, seed: 5 },
    { abort: 'during-wait', seed: 5 },
    { abort: 'during-wait', calls: 2, seed: 5 },
  ])
})

test.each([
  [0, []],
  [4_096, [0, 1, 10, 1_000, 2_000, 4_000, 4_000, 5_000]],
  [4_000, [0, 1, 10, 1_000, 2_000, 3_000, 4_000, 5_000]],
  [10_000, [0, 1, 100, 10_000, 5_000, 9_000, 10_000, 20_000]],
  [-30, [0, -1, -1, -10, -10, -20, -30, -40]],
  [0.5, [0]],
])('%d becomes rounder and then lower', (number, expected) => {
  expect(rounder(number)).toEqual(expected)
})
