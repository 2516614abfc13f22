import type { Clock } from '../clock/model.js'
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
  /** 0 = ephemeral. Default 0. */
  readonly port?: number
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
  /** Base URL of a call: origin plus the prefix '/~token.index'; null for a client that serves many calls: '/~token'. */
  baseUrl(callIndex: number | null): string
  /** A snapshot of everything seen so far, in order. */
  attempts(): readonly Attempt[]
  ledger(): Ledger
  /** Steps that no attempt reached. */
  unplayed(): readonly Step[]
  /** Requests that met the keep-alive race; they are no attempts. */
  racedRequests(): readonly RacedRequest[]
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
