import { bandOf } from '../guarantees/backoff-band.js'
import type { BackoffPromise, Contract } from '../guarantees/contract.js'
import type { Client, TrialOptions } from '../trial/model.js'

// Why a case cannot be asked: each returns the reason in words, or null when the contract promises what the case needs.

export const needsDeadline = ({ deadlineMs }: Contract): string | null =>
  deadlineMs === undefined ? 'the contract does not promise a deadline' : null

export const needsAbort = ({ abort }: Contract): string | null =>
  abort === false ? 'the contract says that the client takes no signal' : null

export const needsAttempts = ({ maxAttempts }: Contract): string | null =>
  maxAttempts === undefined ? 'the contract does not promise a number of attempts' : null

export const needsBackoff = ({ backoff }: Contract): string | null =>
  backoff === undefined ? 'the contract does not promise a backoff' : null

export const needsHeader =
  (name: string) =>
  ({ retryAfter }: Contract): string | null =>
    retryAfter?.headers?.includes(name) ? null : `the contract does not list ${name} among the headers that it obeys`

export const needsShouldRetry = ({ shouldRetryHeader }: Contract): string | null =>
  shouldRetryHeader === undefined ? 'the contract speaks no should-retry header' : null

export const needsStreaming = (_contract: Contract, { options }: Client): string | null =>
  options.streaming === true ? null : 'the client is not declared to consume streams (streaming: true)'

/** Without a vendor nobody knows how a whole stream ends. */
export const needsTerminator = (contract: Contract, client: Client): string | null =>
  contract.preset === 'openai' || contract.preset === 'anthropic'
    ? needsStreaming(contract, client)
    : 'the contract names no vendor whose streams have a known terminator'

export const promisesDeadline = (contract: Contract): boolean => needsDeadline(contract) === null
export const promisesTransient =
  (...kinds: NonNullable<Contract['transient']>) =>
  ({ transient }: Contract): boolean =>
    kinds.some((kind) => transient?.includes(kind))
export const promisesPermanent =
  (...statuses: readonly number[]) =>
  ({ permanent }: Contract): boolean =>
    statuses.some((status) => permanent?.includes(status))

/** A server that never answers is only asked of a client that promises to end it by itself. */
export const endsHangs = ({ attemptTimeoutMs, deadlineMs }: Contract): boolean =>
  attemptTimeoutMs !== undefined || deadlineMs !== undefined

/** The caller's part in keeping a deadline: with `deadlineBy: 'signal'` the harness aborts. */
export const enforced = ({ deadlineBy, deadlineMs }: Contract): TrialOptions =>
  deadlineBy === 'signal' ? { abortAtMs: deadlineMs } : {}

/** The longest wait before re-send 1, 2, 3, ... that a backoff allows. */
function longestWaitMs({ baseMs, factor = 2, capMs = Number.POSITIVE_INFINITY, jitter }: BackoffPromise, resend: number): number {
  const growth = jitter === 'decorrelated' ? 3 : factor
  const spread = typeof jitter === 'object' ? jitter.max : 1
  const exponent = jitter === 'decorrelated' ? resend : resend - 1
  return Math.min(baseMs * growth ** exponent * spread, capMs)
}

/** How far apart clients that keep a declared backoff may come back after an outage; without limit where nothing is declared. */
export function declaredWidthMs(backoff: BackoffPromise | undefined, outageMs: number): number {
  if (backoff?.jitter === undefined) return Number.POSITIVE_INFINITY
  let widthMs = 0
  let earliestMs = 0
  for (let resend = 1; resend < 100 && earliestMs < outageMs; resend++) {
    const { lowMs, highMs } = bandOf(backoff, resend, null)
    widthMs += highMs - lowMs
    // Full jitter may come at once any number of times: half of the way is what it makes.
    earliestMs += Math.max(lowMs, highMs / 2)
  }
  return widthMs
}

/** What a call can take at most when every attempt runs into its time-out; null where that is not promised. */
export function longestCallMs({ attemptTimeoutMs, maxAttempts, backoff }: Contract): number | null {
  if (attemptTimeoutMs === undefined || maxAttempts === undefined || backoff === undefined) return null
  const waits = Array.from({ length: maxAttempts - 1 }, (_, index) => longestWaitMs(backoff, index + 1))
  return Math.ceil(maxAttempts * attemptTimeoutMs + waits.reduce((sum, waitMs) => sum + waitMs, 0))
}
