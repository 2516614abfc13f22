import { expect, test } from 'vitest'
import { FlakyPeriods } from '../../src/experiments/herd/flaky-periods.js'
import { makeBreaker, makeRetryBudget } from '../../src/experiments/herd/guards.js'
import type { HerdServer } from '../../src/experiments/herd/model.js'
import { HerdServerModel } from '../../src/experiments/herd/server-model.js'
import { randomStream } from '../../src/experiments/random.js'
import type { ScheduledRequest } from '../../src/schedule/model.js'

/** What a server does to requests that arrive at these times: [status or fault, delay]. */
function answersAt(server: HerdServer, ...timesMs: readonly number[]) {
  const model = new HerdServerModel(server, 1)
  return timesMs.map((arrivedAtMs) => {
    const { step } = model.decide({ arrivedAtMs } as ScheduledRequest)
    return 'fault' in step ? step.fault : [step.status, step.delayMs ?? 0]
  })
}

test('requests are worked on as far as there is room, the others wait in order of arrival', () => {
  // Two at once, 100 ms each: the third begins when the first is done, the fifth after two rounds.
  expect(answersAt({ capacity: 2, serviceMs: 100 }, 0, 0, 0, 0, 50)).toEqual([
    [200, 100],
    [200, 100],
    [200, 200],
    [200, 200],
    [200, 250],
  ])
})

test('who finds the queue full is refused at once, until somebody has begun', () => {
  const server: HerdServer = { capacity: 1, serviceMs: 100, queueLimit: 1, overload: 429, retryAfterS: 3 }
  expect(answersAt(server, 0, 0, 0, 99, 100, 100)).toEqual([
    [200, 100],
    [200, 200],
    [429, 0],
    [429, 0],
    [200, 200],
    [429, 0],
  ])
  const model = new HerdServerModel({ ...server, queueLimit: 0 }, 1)
  model.decide({ arrivedAtMs: 0 } as ScheduledRequest)
  expect(model.decide({ arrivedAtMs: 1 } as ScheduledRequest).step).toMatchObject({ status: 429, retryAfter: 3 })
})

test('an overloaded server can also leave requests unanswered', () => {
  expect(answersAt({ capacity: 1, serviceMs: 100, queueLimit: 0, overload: 'timeout' }, 0, 0)).toEqual([[200, 100], 'hang'])
})

test('an outage refuses from its first to before its last millisecond', () => {
  const server: HerdServer = { capacity: 9, serviceMs: 10, outage: { fromMs: 100, forMs: 50 } }
  expect(answersAt(server, 99, 100, 149, 150)).toEqual([
    [200, 10],
    [503, 0],
    [503, 0],
    [200, 10],
  ])
})

test('a stall begins nothing and answers after its end', () => {
  const server: HerdServer = { capacity: 1, serviceMs: 10, outage: { fromMs: 100, forMs: 50, answer: 'stall' } }
  expect(answersAt(server, 95, 96, 120)).toEqual([
    [200, 10],
    [200, 64],
    [200, 50],
  ])
})

test('after the outage the server speeds up evenly', () => {
  const server: HerdServer = {
    capacity: 9,
    serviceMs: 100,
    outage: { fromMs: 0, forMs: 10 },
    recovery: { forMs: 1_000, share: 0.5 },
  }
  // Half speed, three quarters of it, full speed.
  expect(answersAt(server, 10, 510, 1_010)).toEqual([
    [200, 200],
    [200, 133],
    [200, 100],
  ])
})

test('service times have the median and the 95th percentile that were asked for', () => {
  const model = new HerdServerModel({ capacity: 1e5, serviceMs: { medianMs: 1_000, p95Ms: 4_000 } }, 1)
  const times = Array.from({ length: 10_000 }, () => model.decide({ arrivedAtMs: 0 } as ScheduledRequest).workMs).sort(
    (a, b) => a - b,
  )
  // The standard error of the median of 10 000 log-normal draws is about 1 %, that of the 95th percentile about 2 %.
  expect(times[5_000]! / 1_000).toBeCloseTo(1, 1)
  expect(times[9_500]! / 4_000).toBeCloseTo(1, 1)
})

test('bad periods take the share of time that their lengths give them', () => {
  const periods = new FlakyPeriods({ goodMs: 900, badMs: 100 }, randomStream(1))
  const bad = Array.from({ length: 1_000_000 }, (_, ms) => periods.isBad(ms)).filter(Boolean).length
  // 1 000 periods of each kind: the share of 10 % is known to about 0.4 %.
  expect(bad / 1_000_000).toBeCloseTo(0.1, 1)
})

test('a retry budget is used up by failures, refilled by successes, and never holds back a first try', () => {
  const budget = makeRetryBudget({ tokens: 4, ratio: 0.5 })
  budget.ended(false, 0)
  expect(budget.mayRetry()).toBe(true)
  budget.ended(false, 0)
  expect(budget.mayRetry()).toBe(false)
  expect(budget.maySend(0)).toBe(true)
  budget.ended(true, 0)
  expect(budget.mayRetry()).toBe(true)
})

test('a breaker opens after failures in a row, rests, and lets one attempt through to see', () => {
  const breaker = makeBreaker({ failures: 2, cooldownMs: 1_000 })
  breaker.ended(false, 0)
  breaker.ended(true, 0)
  breaker.ended(false, 0)
  expect(breaker.maySend(0)).toBe(true)
  breaker.ended(false, 100)
  expect([breaker.maySend(100), breaker.maySend(1_099)]).toEqual([false, false])
  expect([breaker.maySend(1_100), breaker.maySend(1_100)]).toEqual([true, false])
  breaker.ended(false, 1_200)
  expect(breaker.maySend(1_300)).toBe(false)
  expect(breaker.maySend(2_200)).toBe(true)
  breaker.ended(true, 2_300)
  expect([breaker.maySend(2_300), breaker.maySend(2_300)]).toEqual([true, true])
})
