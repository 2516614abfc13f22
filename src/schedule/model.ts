/** What the server does to one attempt without a complete answer. Each kind is played by one file in `src/server/faults`. */
export const FAULT_KINDS = [
  'reset',
  'reset-early',
  'reset-headers',
  'reset-body',
  'close',
  'hang',
  'refuse',
  'garbage',
  'informational',
] as const

export type FaultKind = (typeof FAULT_KINDS)[number]

/**
 * The three forms of a date that a recipient has to understand (RFC 9110 §5.6.7): IMF-fixdate, and the obsolete RFC 850 and asctime.
 *
 * @example
 * const schedules = DATE_FORMS.map((form) => [{ status: 503, retryAfter: { date: 3, form } }, 200])
 */
export const DATE_FORMS = ['imf', 'rfc850', 'asctime'] as const
/** The three spellings of an HTTP-date (RFC 9110 §5.6.7). */
export type DateForm = (typeof DATE_FORMS)[number]

/**
 * A Retry-After header: seconds, an HTTP-date that many seconds after serving (rounded up), or a raw string sent as it is
 * (RFC 9110 §10.2.3).
 */
export type RetryAfter = number | { readonly date: number; readonly form?: DateForm } | string

/** Bytes in a schedule that has to survive JSON. */
export interface Base64Body {
  readonly $base64: string
}

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** Text, bytes, or a JSON value that is sent serialised. A string is sent as it is. A validated schedule holds bytes as `Base64Body`. */
export type Body = string | Uint8Array | Base64Body | JsonValue

/** One server-sent event; `delayMs` passes before it is written. */
export interface StreamEvent {
  readonly event?: string
  readonly data?: JsonValue
  readonly id?: string
  /** The `retry:` field, milliseconds. */
  readonly retryMs?: number
  readonly delayMs?: number
}

/** A `text/event-stream` answer; `end` says how it stops after the last event. */
export interface EventStream {
  readonly events: readonly StreamEvent[]
  /** 'clean' ends the message; 'reset' breaks the socket; 'stall' goes silent; 'close' closes without the last chunk. Default 'clean'. */
  readonly end?: 'clean' | 'reset' | 'stall' | 'close'
}

/** A header value computed when the answer is served: epoch seconds that many seconds later, rounded up (`x-ratelimit-reset`). */
export interface SecondsFromNow {
  readonly secondsFromNow: number
}

/** A list is sent as repeated header lines. */
export type HeaderValue = string | readonly string[] | SecondsFromNow

export interface ResponseStep {
  readonly status: number
  readonly headers?: Readonly<Record<string, HeaderValue>>
  readonly body?: Body
  readonly stream?: EventStream
  readonly retryAfter?: RetryAfter
  /** The `retry-after-ms` header. */
  readonly retryAfterMs?: number
  /** Before the headers. */
  readonly delayMs?: number
  /** Between the headers and the body. */
  readonly bodyDelayMs?: number
  /** Between single bytes of the body; with `endless` it never stops. */
  readonly dripMs?: number
  /** With dripMs: the body has no end. */
  readonly endless?: boolean
  /** Half the header block, or half the body, then silence. */
  readonly stall?: 'headers' | 'body'
  /** Half the body, then close: an incomplete message. */
  readonly truncate?: 'length' | 'chunked' | 'gzip'
  readonly json?: 'malformed'
  /** When the server closes the kept-alive connection: after the answer, or just as the next request arrives on it. */
  readonly closeAfter?: 'answer' | 'next-request'
  /** Whether the work is accepted into the ledger. Default: true for 2xx. */
  readonly apply?: boolean
  /** How many attempts this step is played for. Default 1. */
  readonly repeat?: number
}

export interface FaultStep {
  readonly fault: FaultKind
  /** Default false: `apply: true` is "did it, then failed to say so". */
  readonly apply?: boolean
  /** Between the arrival of the request and the fault. */
  readonly delayMs?: number
  readonly repeat?: number
}

export type Step = ResponseStep | FaultStep
/** A number is a status, a string is a fault, an object is the whole step. */
export type StepInput = number | FaultKind | Step

/** What a function schedule is told about an attempt. */
export interface ScheduledRequest {
  /** 1-based, over the whole trial. */
  readonly attempt: number
  /** 0-based index of the call it belongs to. */
  readonly call: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly idempotencyKey: string | null
  /** Milliseconds since the trial began. */
  readonly arrivedAtMs: number
}

export type ScheduleFunction = (request: ScheduledRequest, history: readonly ScheduledRequest[]) => StepInput

/** What a user hands in: a list of steps, or a function that chooses the step of each attempt. */
export type ScheduleInput = readonly StepInput[] | ScheduleFunction

/** A validated schedule. `steps` keeps `repeat`; `null` for a function schedule. */
export interface Schedule {
  readonly steps: readonly Step[] | null
  readonly choose: ScheduleFunction | null
}

/**
 * Whether a step breaks the connection or the protocol, rather than answering.
 *
 * @param step of a validated schedule, or of an attempt
 * @example
 * isFault({ fault: 'reset' }) // true
 */
export const isFault = (step: Step): step is FaultStep => 'fault' in step
