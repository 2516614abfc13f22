import type { Clock, ForeignConnection } from '../clock/model.js'
import type { Schedule, Step } from '../schedule/model.js'
import type { Attempt, DedupMode, Ledger } from '../trace/model.js'

export type AttemptChange = 'arrived' | 'headers' | 'ended' | 'hung-up'

/** A request that met the keep-alive race (`closeAfter: 'next-request'`): its connection broke as it arrived. No step was played for it. */
export interface RacedRequest {
  readonly method: string
  /** Without the harness's prefix. */
  readonly path: string
  readonly call: number | null
  readonly socket: number
  readonly atMs: number
}

/** A request before anything is done with it: its target as it was sent, with prefix and query. */
export interface IncomingTarget {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
}

/** What a request outside of the schedule is answered with. */
export interface ControlAnswer {
  readonly status: number
  readonly type: string
  readonly body: string
}

export interface ServerOptions {
  readonly schedule: Schedule
  readonly clock: Clock
  readonly dedup: DedupMode
  /** Lower-case name of the key header. */
  readonly keyHeader: string
  /** A stored key is forgotten after this long. Default: never. */
  readonly keyExpiryMs?: number
  /** Part of the path prefix; requests with another token are stragglers of an earlier trial and are refused without touching the schedule. */
  readonly token: string
  /** Which call a request belongs to whose prefix carries no index (a client made once for many calls, an SDK without a base path). Default: null. */
  readonly attribute?: (idempotencyKey: string | null) => number | null
  /** What the calls ask for: what a refused connection was for, as long as its call has sent nothing. Default: unknown, both empty. */
  readonly asked?: { readonly method: string; readonly path: string }
  /** 0 = ephemeral. Default 0. */
  readonly port?: number
  /** Asked first: a request that it answers is no attempt. Only over sockets. Default: none is answered. */
  readonly control?: (request: IncomingTarget) => ControlAnswer | null
  /** Called when an attempt has arrived, and again whenever its record changes. */
  readonly onAttempt?: (attempt: Attempt, change: AttemptChange) => void
  /** Called when the script itself fails (a function schedule that throws). Default: thrown from where it happened, on the clock. */
  readonly onError?: (error: unknown) => void
}

/** A running server, whatever the transport. */
export interface ScriptedServer {
  /** http://127.0.0.1:port */
  readonly origin: string
  readonly port: number
  /** Base URL of a call: origin plus the prefix '/~retrial-token.index'; null for a client that serves many calls: '/~retrial-token'. */
  baseUrl(callIndex: number | null): string
  /** A snapshot of everything seen so far, in order. */
  attempts(): readonly Attempt[]
  ledger(): Ledger
  /** Steps that no attempt reached. */
  unplayed(): readonly Step[]
  /** Requests that met the keep-alive race; they are no attempts. */
  racedRequests(): readonly RacedRequest[]
  /** Requests that the transport cannot carry: of a client that does not send through fetch. Default: none. */
  foreignRequests?(): readonly ForeignConnection[]
  /** Begins anew: the schedule from its first step, an empty ledger, attempt 1. What is under way goes on, unrecorded. Only over sockets. */
  reset?(): void
  /** From now on attempts count as 'after settling'. */
  markSettled(): void
  /** Connections that hold an answer the client has not read. */
  unreadAnswers(): readonly number[]
  openSockets(): number
  /** Destroys every connection; goes on listening. */
  dropConnections(): void
  /** Stops listening and destroys every connection at once. */
  close(): Promise<void>
}
