import type { FaultKind } from '../schedule/model.js'
import type { Attempt } from '../trace/model.js'
import type { Stage } from './model.js'

/** What a client promises about its waits. The wait before re-send n (n = 1, 2, ...) is nominally min(baseMs * factor^(n-1), capMs). */
export interface BackoffPromise {
  readonly baseMs: number
  /** Default 2. */
  readonly factor?: number
  /** Applied after jitter. Default: none. */
  readonly capMs?: number
  /** full: 0..nominal; equal: half..nominal; decorrelated: base..3 x previous; a band multiplies the nominal wait. Default 'none'. */
  readonly jitter?: JitterPromise
}
export type JitterPromise = 'none' | 'full' | 'equal' | 'decorrelated' | { readonly min: number; readonly max: number }

export interface RetryAfterPromise {
  /** Above this wait the client gives up or goes on waiting; going early is never sound. Default: none. */
  readonly capMs?: number
  /** Default: either is sound. */
  readonly overCap?: 'fail' | 'wait'
  /** Header names in order of precedence, lower case. Default ['retry-after']. */
  readonly headers?: readonly string[]
}

export type Classification = 'permanent' | 'transient' | 'unjudged'
/** Decides how an answer is to be classed; undefined leaves it to the lists. */
export type Classifier = (attempt: Attempt) => Classification | undefined

/** What the client promises. What is not promised is not judged. */
export interface Contract {
  readonly preset?: PresetName
  /** Requests per operation, the first try included. */
  readonly maxAttempts?: number
  readonly deadlineMs?: number
  /** 'client': it keeps the deadline itself. 'signal': the harness aborts at deadlineMs. Default 'client'. */
  readonly deadlineBy?: 'client' | 'signal'
  readonly attemptTimeoutMs?: number
  /** Statuses that must not be re-sent, in place of the default list. */
  readonly permanent?: readonly number[]
  /** Statuses and faults that are re-sent, in place of the default list. */
  readonly transient?: readonly (number | FaultKind | 'timeout')[]
  /** Machine-readable codes of an error body that make any answer permanent. */
  readonly permanentCodes?: readonly string[]
  readonly classify?: Classifier
  readonly retryAfter?: RetryAfterPromise
  readonly backoff?: BackoffPromise
  readonly idempotency?: { readonly header?: string; readonly required?: boolean }
  /** Whether the client takes an AbortSignal. Default: judged when it does. */
  readonly abort?: boolean
  /**
   * Re-sends that the calls of one client share. tokens: what it starts with and holds at most, a re-send costing one or more. ratio: what a
   * call that succeeds gives back. cost: what a re-send takes, and goes out for as soon as it is there; left out, a client may wait until the
   * budget is full again. What is left out is not judged.
   */
  readonly budget?: { readonly tokens?: number; readonly ratio?: number; readonly cost?: number }
  readonly breaker?: { readonly failures?: number; readonly cooldownMs?: number }
  readonly stages?: readonly Stage[]
  /** `should` fails too. Default false. */
  readonly strict?: boolean
  /** Speaks x-should-retry / stripe-should-retry. Lower-case header name. */
  readonly shouldRetryHeader?: string
  /** Case id -> ticket: known failures. A listed case that passes fails the run. */
  readonly expectedFailures?: Readonly<Record<string, string>>
}

export const PRESET_NAMES = ['strict', 'openai', 'anthropic', 'stripe', 'aws-standard', 'google', 'github', 'azure'] as const
export type PresetName = (typeof PRESET_NAMES)[number]
