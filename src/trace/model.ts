import type { ClockKind, ForeignConnection, PendingTimer, TimerOverflow, UnsettledReason } from '../clock/model.js'
import type { FaultKind, JsonValue, Step } from '../schedule/model.js'

/** What one attempt came to on the wire: the status if a status line left, else the fault, else 'hang-up' (the client gave up first) or 'open'. */
export type AttemptResult = number | FaultKind | 'hang-up' | 'open'

/** What an attempt did to the ledger. */
export type LedgerMark =
  | 'none' // nothing was accepted (an error without apply, a safe method that was not applied)
  | 'new' // the work was accepted for the first time under this key, or without a key
  | 'replay' // a known key: answered with the first result
  | 'in-progress' // a known key whose work was not finished: 409
  | 'reject' // a known key, dedup: 'reject': 409
  | 'mismatch' // a known key with another body: 422
  | 'duplicate' // dedup: 'ignore': the work was done again

/** One request on the wire, as the server saw it. Times are milliseconds since the trial began. */
export interface Attempt {
  /** 1-based, in order of handling over the whole trial. Attempt 1 is the first try. */
  readonly number: number
  /** 0-based index of the call it belongs to; null when it cannot be told (no prefix and several calls). */
  readonly call: number | null
  /** 0-based index into `trial.operations`. */
  readonly operation: number
  readonly method: string
  /** Path and query without the harness's prefix. */
  readonly path: string
  /** Lower-case names; repeated ones joined by ', '. */
  readonly headers: Readonly<Record<string, string>>
  readonly idempotencyKey: string | null
  readonly body: Uint8Array
  /** SHA-256 of the body, multipart boundaries normalised; hex. */
  readonly bodyHash: string
  /** False when the request itself broke off. */
  readonly requestComplete: boolean
  readonly arrivedAtMs: number
  /** When the header block of the final answer was flushed. */
  readonly headersAtMs: number | null
  /** What the server's wall clock showed when that header block was built (`clock.wallMs()`): an HTTP-date in it counts from here. */
  readonly servedWallMs: number | null
  /** Last byte of the answer, or its failure. */
  readonly endedAtMs: number | null
  /** When the client hung up before the answer was complete. */
  readonly hungUpAtMs: number | null
  /** 1, 2, 3, ... in order of the connections the client made. */
  readonly socket: number
  /** The step that was played; null when the ledger answered. */
  readonly step: Step | null
  /** 0-based index of that step in the schedule; null for a function schedule or the ledger. */
  readonly stepIndex: number | null
  /** The status if a status line left. */
  readonly status: number | null
  readonly result: AttemptResult
  /** Header block of the answer as it was sent: lower-case name, value; in order, repeated ones kept; a location without the harness's prefix. */
  readonly answerHeaders: readonly (readonly [string, string])[]
  /** Body bytes of the answer that were written. */
  readonly answerBody: Uint8Array
  /** The whole answer was written as its framing promised. */
  readonly answerComplete: boolean
  readonly ledger: LedgerMark
  /** The work was accepted before under this key, which the server had forgotten by now: it was done again. */
  readonly keyExpired?: true
  /** True when it arrived after every call had settled. */
  readonly afterSettling: boolean
}

/** The attempts of one call with the same method and target. */
export interface Operation {
  readonly call: number | null
  readonly method: string
  readonly path: string
  /** Attempt numbers, ascending. */
  readonly attempts: readonly number[]
}

export type Outcome =
  | {
      readonly kind: 'resolved'
      readonly value: unknown
      readonly status?: number
      readonly body?: string
      readonly bodyBytes?: Uint8Array
    }
  | { readonly kind: 'rejected'; readonly error: unknown; readonly phase: 'call' | 'body' }
  | { readonly kind: 'unsettled'; readonly reason: UnsettledReason; readonly pending: readonly string[] }
  /** The harness did not make the call (`serve`): what the caller got is not known. */
  | { readonly kind: 'unobserved' }

/** One logical operation that was asked of the client. */
export interface CallRecord {
  readonly index: number
  readonly method: string
  /** Path without the prefix. */
  readonly path: string
  /** The key that the call was given; null for none. */
  readonly idempotencyKey: string | null
  readonly startedAtMs: number
  /** null while unsettled. */
  readonly settledAtMs: number | null
  /** When the harness aborted the call's signal. */
  readonly abortedAtMs: number | null
  /** The signal was aborted before the client was called: times alone cannot tell that from an abort in the first millisecond. */
  readonly abortedBeforeCall?: boolean
  readonly outcome: Outcome
}

/** A piece of accepted work. */
export interface LedgerEntry {
  readonly key: string | null
  readonly method: string
  readonly path: string
  readonly bodyHash: string
  /** Attempt numbers at which the work was done; more than one is a duplicate. */
  readonly appliedBy: readonly number[]
  readonly acceptedAtMs: number
  /** When its result was ready. null: never. */
  readonly finishedAtMs: number | null
}

export interface Ledger {
  readonly dedup: DedupMode
  readonly entries: readonly LedgerEntry[]
  /** All work done, duplicates counted. */
  readonly applied: number
  /** Work done under one key. */
  appliedUnder(key: string): number
}

/**
 * Every way in which a server treats a key that it knows: answers with the first result; 409 while the first is being worked on; 409 always;
 * does the work again (draft-ietf-httpapi-idempotency-key-header-07 §2.6).
 *
 * @example
 * for (const dedup of DEDUP_MODES) await runTrial(client, [500, 200], { dedup })
 */
export const DEDUP_MODES = ['replay', 'conflict', 'reject', 'ignore'] as const
/** How the server treats an idempotency key that it knows. */
export type DedupMode = (typeof DEDUP_MODES)[number]

/** What outlived the calls. */
export interface Leftovers {
  readonly timers: readonly PendingTimer[]
  /** Attempts that arrived after every call had settled. */
  readonly attempts: readonly number[]
  /** Listeners left on the trial's signal, by the frame that registered them. */
  readonly abortListeners: readonly string[]
  /** Connections with an answer nobody read. */
  readonly unreadAnswers: readonly number[]
  /** Uncaught exceptions too. */
  readonly unhandledRejections: readonly unknown[]
  /** Connections still open and idle: information. */
  readonly idleSockets: number
}

export type Transport = 'socket' | 'fetch' | 'nock'

/** The complete record of one run of a client against one schedule. */
export interface TrialRecord {
  readonly client: {
    readonly name: string
    readonly repeatable: boolean
    readonly streaming: boolean
    readonly parses: 'json' | null
    readonly takesSignal: boolean | null
  }
  readonly clock: ClockKind
  readonly transport: Transport
  readonly seed: number
  /** A test had put a Math.random of its own in place: jitter shows nothing. */
  readonly randomReplaced?: true
  /** The schedule as one line of JSON, ready to paste; null for a function schedule. */
  readonly schedule: string | null
  readonly calls: readonly CallRecord[]
  readonly attempts: readonly Attempt[]
  readonly operations: readonly Operation[]
  readonly ledger: Ledger
  readonly leftovers: Leftovers
  /** Steps that no attempt reached. */
  readonly unplayed: readonly Step[]
  readonly timerOverflows: readonly TimerOverflow[]
  readonly foreignConnections: readonly ForeignConnection[]
  readonly relapses: number
  /** A deadline the harness enforced by abort, or null. */
  readonly abortAtMs: number | null
  /** Name of the key header, lower case. */
  readonly keyHeader: string
}

/** A trial as plain JSON: bodies are base64, errors are their name, message and code. */
export interface SavedTrial {
  readonly format: 'retrial-trace'
  readonly version: 1
  readonly [field: string]: JsonValue
}

/** A finished trial, with the short forms people assert on. */
export interface Trial extends TrialRecord {
  /** One per attempt: [429, 500, 'reset', 200]. */
  readonly statuses: readonly AttemptResult[]
  /** One per re-send: from the end of the answer before it to its arrival; null when they overlap. */
  readonly gapsMs: readonly (number | null)[]
  /** Of the first call. */
  readonly outcome: Outcome
  /** When the last call settled; null if one did not. */
  readonly settledAtMs: number | null
  /** The trace as text. */
  timeline(): string
  /** What `JSON.stringify` writes: a plain record that `loadTrial` reads back. */
  toJSON(): SavedTrial
}
