import 'vitest'
import type { BackoffPromise, Contract } from '../guarantees/contract.js'
import type { QueueWaitBound } from '../guarantees/fleet/queue-wait.js'
import type { RetryBudgetBound } from '../guarantees/fleet/retry-budget.js'
import type { SpreadBound } from '../guarantees/fleet/spread.js'
import type { AttemptResult } from '../trace/model.js'
import type { MatcherOptions } from './options.js'
import type { UpholdOptions } from './uphold-options.js'

/**
 * The matchers, as `expect(trialOrClient)` offers them. Each takes a finished trial (judged at once) or a client (put through the
 * guarantee's battery in virtual time) and is awaited in either form. All throw `InconclusiveError`, also under `.not`, when what they ask
 * about did not happen, and `MatcherUsageError` for anything that is neither a trial nor a client.
 */
export interface RetrialMatchers {
  /**
   * No re-send after an answer classed permanent (400, 401, 403, 404, 410, 422, ...; RFC 9110 §15.5).
   * @param options what all matchers take: contract, call, strict, seeds, transport, known
   * @example await expect(client).toNotRetryPermanent()
   */
  toNotRetryPermanent(options?: MatcherOptions): Promise<void>
  /**
   * A transient fault leads to a re-send, and recovery to success: never retrying is not the cure.
   * @example await expect(client).toRetryTransient()
   */
  toRetryTransient(options?: MatcherOptions): Promise<void>
  /**
   * No re-send arrives inside the window of a Retry-After, in any of its forms (RFC 9110 §10.2.3, §5.6.7); a malformed one counts as absent.
   * @example await expect(client).toHonorRetryAfter()
   */
  toHonorRetryAfter(options?: MatcherOptions): Promise<void>
  /**
   * The call settles, body included, within the deadline, and nothing arrives after it.
   * @param deadlineMs milliseconds from the start of the call
   * @example await expect(client).toStayWithinDeadline(8_000)
   */
  toStayWithinDeadline(deadlineMs: number, options?: MatcherOptions): Promise<void>
  /**
   * After an answer was lost although the work was accepted: one key, the same bytes, applied once, and the caller gets the first result
   * (draft-ietf-httpapi-idempotency-key-header-07 §2.2, §2.6).
   * @example await expect(client).toDedupOnTimeout()
   */
  toDedupOnTimeout(options?: MatcherOptions): Promise<void>
  /**
   * The key is on every attempt, the same within a call, another one for the next call.
   * @example await expect(client).toKeepIdempotencyKey()
   */
  toKeepIdempotencyKey(options?: MatcherOptions): Promise<void>
  /**
   * A POST or PATCH without a key is not sent again once it may have been applied (RFC 9110 §9.2.2).
   * @example await expect(client).toNotReplayUnsafe()
   */
  toNotReplayUnsafe(options?: MatcherOptions): Promise<void>
  /**
   * Every re-send carries the same bytes, multipart boundaries aside.
   * @example await expect(client).toResendSameBody()
   */
  toResendSameBody(options?: MatcherOptions): Promise<void>
  /**
   * Each gap lies in the declared band, capped and spread over runs; no wait after the last attempt.
   * @param backoff baseMs, factor (default 2), capMs, jitter; in milliseconds. Default: only what every backoff has to keep
   * @example await expect(client).toBackOff({ baseMs: 250, capMs: 2_000, jitter: { min: 1, max: 1.25 } })
   */
  toBackOff(backoff?: BackoffPromise, options?: MatcherOptions): Promise<void>
  /**
   * At most this many requests for one call on a fault that never ends.
   * @param attempts the first try counts
   * @example await expect(client).toAttemptAtMost(5)
   */
  toAttemptAtMost(attempts: number, options?: MatcherOptions): Promise<void>
  /**
   * Exactly this many requests for one call on a fault that never ends.
   * @param attempts the first try counts
   * @example await expect(client).toAttemptExactly(3)
   */
  toAttemptExactly(attempts: number, options?: MatcherOptions): Promise<void>
  /**
   * After an abort the call rejects within 100 ms and sends nothing more.
   * @example await expect(client).toStopOnAbort()
   */
  toStopOnAbort(options?: MatcherOptions): Promise<void>
  /**
   * An incomplete answer is never reported as success (RFC 9112 §8).
   * @example await expect(client).toReturnIntactResponse()
   */
  toReturnIntactResponse(options?: MatcherOptions): Promise<void>
  /**
   * No timer, listener, attempt, unread answer or unhandled rejection outlives the call.
   * @example await expect(client).toLeaveNothingBehind()
   */
  toLeaveNothingBehind(options?: MatcherOptions): Promise<void>
  /**
   * Call k behaves like call 1, in sequence and in parallel.
   * @example await expect(client).toIsolateCalls()
   */
  toIsolateCalls(options?: MatcherOptions): Promise<void>
  /**
   * The trace is exactly this (trials only).
   * @param statuses one per attempt: a status, or the name of a fault
   * @example await expect(trial).toFollowSchedule([429, 'reset', 200])
   */
  toFollowSchedule(statuses: readonly AttemptResult[]): Promise<void>
  /**
   * Nothing of what the contract promises is broken: by a trial, or by a client in a search over generated schedules and calls. A search that
   * finds something shrinks it and prints it as a schedule to paste; one that never meets what is promised is inconclusive.
   * @param contract what the client promises
   * @param options for a client: runs (default 200), seed (default 1, or RETRIAL_SEED), path, budgetMs (real time), corpus (a directory of
   *   counterexamples), shard ("i/n", or RETRIAL_SHARD), maxSteps, maxCalls, print, and what all matchers take but seeds
   * @example await expect(trial).toUphold({ maxAttempts: 4 })
   * @example await expect(client).toUphold({ maxAttempts: 4, deadlineMs: 8_000 }, { runs: 500, seed: 1 })
   */
  toUphold(contract?: Contract, options?: UpholdOptions): Promise<void>
  /**
   * Clients that failed together do not come back together (a report of `batch` or `herd`, or a trial with several calls).
   * @param bound maxShare: largest share of the clients whose first re-sends fall within 100 ms. Default 0.25
   * @example expect(await herd({ clients: 50, strategy: 'full-jitter' })).toSpreadRetries()
   */
  toSpreadRetries(bound?: SpreadBound): Promise<void>
  /**
   * Calls do not become more than so many requests each (a report of `batch` or `herd`, or a trial with several calls).
   * @param ratio requests per call; 1 allows no re-send
   * @example expect(await herd({ strategy: 'retry-budget' })).toBoundAmplification(1.5)
   */
  toBoundAmplification(ratio: number): Promise<void>
  /**
   * Jobs do not wait long for their turn (a report of `batch` or `herd`, or a trial with several calls).
   * @param bound p95Ms: bound on the 95th percentile, milliseconds; ratio: bound against the run without the doomed jobs. Default ratio 1.3
   * @example expect(await batch({ strategy: 'classified' })).toBoundQueueWait({ ratio: 1.3 })
   */
  toBoundQueueWait(bound?: QueueWaitBound): Promise<void>
  /**
   * After an outage the server answers as before within this time (a report of `herd` whose server has an outage).
   * @param withinMs milliseconds from the end of the outage
   * @example expect(await herd({ strategy: 'retry-budget', server })).toRecoverWithin(15_000)
   */
  toRecoverWithin(withinMs: number): Promise<void>
  /**
   * A 429 that says when to come back holds back everybody until then (a report of `batch` or `herd`, or a trial with several calls).
   * @example expect(await batch({ client, limit: { fromMs: 200, forMs: 5_000 } })).toPauseAllOnLimit()
   */
  toPauseAllOnLimit(): Promise<void>
  /**
   * Re-sends stay within a budget, first tries always go out, and retries come back (a report of `batch` or `herd`, or a trial with
   * several calls; gRPC A6).
   * @param bound tokens: re-sends of each client before any success, default 10; ratio: re-sends earned per call, default 0.1
   * @example expect(await herd({ strategy: 'retry-budget', server })).toKeepRetryBudget({ tokens: 10, ratio: 0.1 })
   */
  toKeepRetryBudget(bound?: RetryBudgetBound): Promise<void>
}

// Chai's Assertion is what every major of vitest maps over; augmenting `Matchers` would compile on one major only.
declare global {
  namespace Chai {
    interface Assertion extends RetrialMatchers {}
  }
}
declare module 'vitest' {
  interface AsymmetricMatchersContaining extends RetrialMatchers {}
}
