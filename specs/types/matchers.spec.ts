import { type batch, defineClient, type herd, type runTrial } from 'retrial'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { RetrialMatchers } from '../../src/matchers/index.js'
import { matchers } from '../../src/matchers/index.js'

type Received = Awaited<ReturnType<typeof runTrial>>
const client = defineClient('client', ({ url, signal }) => fetch(url, { signal }))

/** Every matcher with the arguments it takes, on everything it takes, in every way that vitest offers: compiled, never called. */
async function compiles(trial: Received, fleet: Awaited<ReturnType<typeof batch | typeof herd>>): Promise<void> {
  await expect(trial).toNotRetryPermanent()
  await expect(client).toNotRetryPermanent({ strict: true, seeds: 5, call: { method: 'GET' }, known: { 'CLS-03': 'T-1' } })
  await expect(fetch).toRetryTransient({ contract: { transient: [503, 'reset', 'timeout'] } })
  await expect([trial, trial]).toHonorRetryAfter({ transport: 'fetch' })
  await expect(client).toStayWithinDeadline(8_000, { seeds: [1, 2] })
  await expect(client).toDedupOnTimeout()
  await expect(client).toKeepIdempotencyKey({ contract: { idempotency: { header: 'X-Key', required: true } } })
  await expect(client).toNotReplayUnsafe()
  await expect(client).toResendSameBody()
  await expect(client).toBackOff()
  await expect(client).toBackOff({ baseMs: 250, factor: 2, capMs: 2_000, jitter: { min: 1, max: 1.25 } }, { strict: true })
  await expect(client).toAttemptAtMost(4)
  await expect(trial).toAttemptExactly(3)
  await expect(client).toStopOnAbort()
  await expect(client).toReturnIntactResponse()
  await expect(client).toLeaveNothingBehind()
  await expect(client).toIsolateCalls()
  await expect(trial).toFollowSchedule([429, 'reset', 'hang-up', 200])
  await expect(trial).toUphold({ preset: 'openai', maxAttempts: 5 })
  await expect(client).toUphold({}, { runs: 500, seed: 7, budgetMs: 1_000 })
  await expect(fleet).toSpreadRetries({ maxShare: 0.25 })
  await expect(fleet).toBoundAmplification(1.2)
  await expect(fleet).toBoundQueueWait({ p95Ms: 900, ratio: 1.3 })
  await expect(fleet).toRecoverWithin(15_000)
  await expect(fleet).toPauseAllOnLimit()
  await expect(fleet).toKeepRetryBudget({ tokens: 10, ratio: 0.1 })

  await expect(trial).not.toHonorRetryAfter()
  await expect(Promise.resolve(trial)).resolves.toHonorRetryAfter()
  await expect(Promise.resolve(trial)).resolves.not.toUphold({ maxAttempts: 1 })
  await expect.soft(trial).toHonorRetryAfter()
  expect({ trial }).toEqual({ trial: expect.toFollowSchedule([200]) })
}

/** What has to be refused where it is written, not when it runs. */
async function refused(trial: Received): Promise<void> {
  // @ts-expect-error a deadline is a number of milliseconds
  await expect(trial).toStayWithinDeadline('8s')
  // @ts-expect-error a deadline is needed
  await expect(trial).toStayWithinDeadline()
  // @ts-expect-error a number of attempts is needed
  await expect(trial).toAttemptAtMost({ contract: {} })
  // @ts-expect-error an option that no matcher knows
  await expect(trial).toHonorRetryAfter({ strickt: true })
  // @ts-expect-error a status or the name of a fault
  await expect(trial).toFollowSchedule([429, 'explode'])
  // @ts-expect-error the base of a backoff is needed
  await expect(trial).toBackOff({ capMs: 2_000 })
  // @ts-expect-error a contract promises what its fields say, and nothing else
  await expect(trial).toUphold({ maxRetries: 4 })
  // @ts-expect-error not a preset
  await expect(trial).toUphold({ preset: 'acme' })
  // @ts-expect-error a search takes one seed
  await expect(trial).toUphold({}, { seeds: 5 })
  // @ts-expect-error no such matcher
  await expect(trial).toHonourRetryAfter()
}

describe('the types of the matchers', () => {
  test('have each matcher that is registered, and no other', () => {
    expectTypeOf<keyof RetrialMatchers>().toEqualTypeOf<keyof typeof matchers>()
    expect(Object.keys(matchers)).toHaveLength(23)
  })

  test('compile where they are right, and are refused where they are wrong', () => {
    expectTypeOf(compiles).returns.resolves.toBeVoid()
    expectTypeOf(refused).returns.resolves.toBeVoid()
  })

  test('say that all of them are to be awaited', () => {
    expectTypeOf<ReturnType<RetrialMatchers[keyof RetrialMatchers]>>().toEqualTypeOf<Promise<void>>()
    expect(Object.values(matchers).every((matcher) => typeof matcher === 'function')).toBe(true)
  })
})
