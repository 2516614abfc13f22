import type { FaultKind } from '../schedule/model.js'
import { isFault } from '../schedule/model.js'
import type { Attempt, CallRecord, Operation, Trial } from '../trace/model.js'
import { type Resend, resends } from '../trace/operations.js'
import type { Contract } from './contract.js'

/** Node turns a longer timer delay into 1 ms. */
export const TIMER_LIMIT_MS = 2 ** 31 - 1

/** How much earlier than asked is not yet early: Node truncates timer delays; on the real clock the machine is in the way. */
export const toleranceMs = (trial: Trial): number => (trial.clock === 'virtual' ? 1 : 50)

/** Only virtual time says that something came too late: on the real clock the machine may have been slow. */
export const judgesLateness = (trial: Trial): boolean => trial.clock === 'virtual'

const UNSAFE = new Set(['POST', 'PATCH'])
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY', 'PUT', 'DELETE'])

/** Methods whose repetition may do the work twice (RFC 9110 §9.2.2). */
export const isUnsafe = (method: string): boolean => UNSAFE.has(method)
export const isIdempotent = (method: string): boolean => IDEMPOTENT.has(method)

/** The answer was a 2xx and arrived whole. */
export const succeeded = ({ status, answerComplete }: Attempt): boolean => isSuccess(status) && answerComplete
export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/** The client gave up before the answer was complete. */
export const timedOut = ({ hungUpAtMs, answerComplete }: Attempt): boolean => hungUpAtMs !== null && !answerComplete

export const faultOf = ({ step }: Attempt): FaultKind | null => (step !== null && isFault(step) ? step.fault : null)

/** "a 429", "a reset", "a time-out": what an attempt came to, for a sentence. */
export function answerOf(attempt: Attempt): string {
  if (attempt.status !== null) return attempt.answerComplete ? `a ${attempt.status}` : `an incomplete ${attempt.status}`
  const fault = faultOf(attempt)
  if (timedOut(attempt)) return 'a time-out'
  if (fault === 'close') return 'a closed connection'
  if (fault === 'refuse') return 'a refused connection'
  if (fault === 'garbage') return 'an answer that is not HTTP'
  return fault === null || fault === 'hang' ? 'no answer' : 'a reset'
}

/** The idempotency key an attempt carried; null for none, or an empty one. */
export function keyOf(attempt: Attempt, contract: Contract): string | null {
  const header = contract.idempotency?.header?.toLowerCase()
  const key = header === undefined ? attempt.idempotencyKey : (attempt.headers[header] ?? null)
  return key === null || key.trim() === '' ? null : key
}

/** With several calls, an attempt that cannot be attributed may belong to any of them: nothing follows from two of those. */
const isAttributed = (trial: Trial, call: number | null): boolean => call !== null || trial.calls.length < 2

/** Some attempt may have been any call's: what a call did not do cannot be told, nor what it waited for. */
export const hasStrays = (trial: Trial): boolean => trial.attempts.some(({ call }) => !isAttributed(trial, call))

export const attributedOperations = (trial: Trial): readonly Operation[] =>
  trial.operations.filter(({ call }) => isAttributed(trial, call))

export const attributedResends = (trial: Trial): readonly Resend[] =>
  resends(trial).filter(({ operation }) => isAttributed(trial, operation.call))

export const attemptsOf = (trial: Trial, operation: Operation): readonly Attempt[] =>
  operation.attempts.flatMap((number) => trial.attempts.find((attempt) => attempt.number === number) ?? [])

/** Attempts of one call, in order of arrival; all of a trial that has only one. */
export const attemptsOfCall = (trial: Trial, call: CallRecord): readonly Attempt[] =>
  trial.attempts.filter((attempt) => attempt.call === call.index || (attempt.call === null && trial.calls.length === 1))

/** The call an attempt belongs to; undefined when nobody saw the call (`serve`), or when it cannot be told. */
export const callOf = (trial: Trial, { call }: Pick<Attempt, 'call'>): CallRecord | undefined =>
  trial.calls.find(({ index }) => index === call) ?? (trial.calls.length === 1 ? trial.calls[0] : undefined)

/** The caller or the harness aborted the call before `atMs`. */
export const abortedBy = (call: CallRecord | undefined, atMs: number): boolean =>
  call !== undefined && call.abortedAtMs !== null && call.abortedAtMs <= atMs

/** The calls that a client was seen to make; `serve` sees none. */
export const isUnsettled = (call: CallRecord | undefined): boolean => call?.outcome.kind === 'unsettled'
