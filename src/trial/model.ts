import type { ClockKind, WallClockStep } from '../clock/model.js'
import type { Body } from '../schedule/model.js'
import type { DedupMode, Transport } from '../trace/model.js'

/** One logical operation that a client is asked to perform. */
export interface Call {
  /** Absolute URL of the target; carries a prefix that attributes attempts to calls. */
  readonly url: string
  /** `url` without the path: for SDKs that take a base URL. */
  readonly baseURL: string
  readonly method: string
  /** content-type only with a body, the key header only on POST and PATCH. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly idempotencyKey: string | undefined
  /** The caller's signal. */
  readonly signal: AbortSignal
  /** 0-based. */
  readonly index: number
}

export type CallFunction = (call: Call) => unknown

/** A client with state: quota, breaker, limiter, pool. `create` runs once per trial. */
export interface StatefulClient<T = unknown> {
  create(context: { readonly baseURL: string }): T | Promise<T>
  call(instance: T, call: Call): unknown
  dispose?(instance: T): void | Promise<void>
}

/** A bare function is a fetch-style client: called as (url, init), returns a Response which the harness reads to its end. */
export type FetchStyleFunction = (url: string, init: RequestInit & { body?: string }) => unknown

export interface ClientOptions {
  /** The built-in host of the client: 'https://api.example.com'. Routed by nock. */
  readonly origin?: string
  /** A POST that may safely be repeated without a key. */
  readonly repeatable?: boolean
  /** The client consumes event streams. */
  readonly streaming?: boolean
  /** The client parses JSON itself, so a malformed one must not resolve. */
  readonly parses?: 'json'
}

/** What `defineClient` returns. */
export interface Client {
  readonly name: string
  readonly form: 'fetch' | 'call' | 'stateful'
  readonly options: ClientOptions
  readonly implementation: StatefulClient
}

export type ClientInput = FetchStyleFunction | Client

/** The request that a trial asks the client for. */
export interface CallPlan {
  /** Default POST. */
  readonly method?: string
  /** Default '/'. */
  readonly path?: string
  /** Default { prompt: 'hi' } for POST, PUT and PATCH; a string is sent as it is, anything else as JSON. */
  readonly body?: Body
  readonly headers?: Readonly<Record<string, string>>
  /** 'auto': a fresh key for each call of a POST or PATCH; 'none'; any other string is the key. Default 'auto'. */
  readonly idempotencyKey?: string
}

/** When the caller gives up. */
export type AbortPlan = { readonly onAttempt: number } | 'before-call' | 'during-attempt' | 'during-wait' | 'during-body'

export interface TrialOptions {
  readonly clock?: ClockKind
  /**
   * 'socket' is the wire. 'fetch' plays without one, for clients that send through fetch: faster, and without the steps that only a socket can
   * show. A client with `origin` has its own. Default 'socket'.
   */
  readonly transport?: Exclude<Transport, 'nock'>
  readonly call?: CallPlan
  /** Calls on one client. Default 1. */
  readonly calls?: number
  /** Calls under way at once. Default 1. */
  readonly concurrency?: number
  /** Aborts the call's signal this long after the call began. */
  readonly abortAtMs?: number
  readonly abort?: AbortPlan
  /** Default 1. */
  readonly seed?: number
  /** 'real' leaves Math.random alone. */
  readonly random?: 'seeded' | 'real'
  /** Default 'replay'. */
  readonly dedup?: DedupMode
  /** Default 'Idempotency-Key'. */
  readonly keyHeader?: string
  /** The server forgets a key after so many ms. Default: never. */
  readonly keyExpiryMs?: number
  readonly wallClockOffsetMs?: number | readonly WallClockStep[]
  readonly maxVirtualMs?: number
  readonly maxEvents?: number
  /** Requests after which a client that has not settled is a runaway. Default 300 for each call. */
  readonly maxRequests?: number
  readonly allowHosts?: readonly string[]
}
