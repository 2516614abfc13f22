import type { Server, Socket } from 'node:net'

export type ClockKind = 'virtual' | 'real'

/**
 * The time of a trial. The server, the trial and the experiments read time and wait only through this interface; under `virtual` it
 * moves only when nothing is happening, under `real` it is the monotonic clock of the process.
 */
export interface Clock {
  readonly kind: ClockKind
  /** Milliseconds since the clock was started; whole numbers under virtual time. */
  nowMs(): number
  /** Milliseconds since 1970 as the trial's `Date` shows them (the wall clock may be shifted against `nowMs`). */
  wallMs(): number
  /** Runs `fn` once after `delayMs` on this clock, outside of the 32-bit clamp; returns a function that cancels it. */
  after(delayMs: number, fn: () => void): () => void
  /** Runs `fn` at the next quiescent point (real clock: as soon as possible). Several are run one at a time, lowest `order()` first, then first come first. */
  atQuiescence(fn: () => void, order?: () => number): void
  /** Makes the sockets of a listening server part of the byte accounting. Call it before the first connection. */
  adoptServer(server: Server): void
  /** The creation order of the client socket behind a server-side socket: 1, 2, 3, ... */
  socketOrder(serverSideSocket: Socket): number
  /** Bytes that the server wrote to this server-side socket and the client behind it has not read. Absent where it cannot be told. */
  unreadBytes?(serverSideSocket: Socket): number
  /** Work that the clock cannot see (a worker, a native add-on): time stands still until it settles. */
  track<T>(promise: Promise<T>): Promise<T>
}

/** A wall clock that is off by `offsetMs` from `atMs` on (a step in the middle of a trial). */
export interface WallClockStep {
  readonly atMs: number
  readonly offsetMs: number
}

export interface ClockOptions {
  /** Seeds Math.random and the reachable crypto sources inside the run; `null` leaves them alone. Default 1. */
  readonly seed?: number | null
  /** Shift of Date against the monotonic clock. Default 0. */
  readonly wallClockOffsetMs?: number | readonly WallClockStep[]
  /** Virtual time after which a run is a runaway. Default 30 days. */
  readonly maxVirtualMs?: number
  /** Timers and dispatches after which a run is a runaway. Default 200 000. */
  readonly maxEvents?: number
  /** Real time for which one and the same thing may keep the clock busy. Default 5 000. */
  readonly realStallMs?: number
  /** Real time to wait for invisible work before a deadlock is declared. Default 200. */
  readonly deadlockGraceMs?: number
  /** Hosts (host:port) other than the trial's own server that may be connected to. Default none. */
  readonly allowHosts?: readonly string[]
}

/** A timer that is still armed, named so that a person finds it. */
export interface PendingTimer {
  readonly dueAtMs: number
  readonly delayMs: number
  readonly repeats: boolean
  readonly refed: boolean
  /** Function name and the first frame outside node's own code and outside this package: "retryLater (client.ts:12:5)". */
  readonly origin: string
  /** Made by code outside node's own modules (undici's and http's own timers are not). */
  readonly byUserCode: boolean
}

/** A timer delay that Node turns into 1 ms: above 2^31-1, NaN, negative. */
export interface TimerOverflow {
  readonly atMs: number
  readonly requestedMs: number
  readonly origin: string
}

export interface ForeignConnection {
  readonly atMs: number
  readonly host: string
  readonly port: number
  readonly refused: boolean
}

export type UnsettledReason = 'deadlock' | 'runaway' | 'stall'

/** How the driven promise ended. */
export type DriveResult =
  | { readonly kind: 'settled'; readonly atMs: number }
  | { readonly kind: 'unsettled'; readonly reason: UnsettledReason; readonly atMs: number; readonly pending: readonly string[] }

/**
 * A clock together with the power to move it. One trial: `start` → `drive` (until the calls settle) → `linger` (what they left behind) →
 * `stop`. `stop` must be called in a `finally`; it never throws.
 */
export interface ClockRun {
  readonly clock: Clock
  /** Runs `body` under this clock and moves time until the promise it returns settles, or cannot settle any more. `body`'s rejection is not rethrown. */
  drive(body: () => Promise<unknown>): Promise<DriveResult>
  /** Goes on moving time until nothing is armed any more, at most `forMs` of it and `maxEvents` timers. */
  linger(forMs: number, maxEvents?: number): Promise<void>
  pendingTimers(): readonly PendingTimer[]
  overflows(): readonly TimerOverflow[]
  foreignConnections(): readonly ForeignConnection[]
  /** Times that the clock was busy again after it had been seen quiet: must be 0. */
  relapses(): number
  /** Cancels the timers that the client's code armed and nobody will wait for: an unsettled client must not go on in the next trial. */
  abandon(): void
  /** Gives time, Date, Math.random and the network back. Timers still armed go on in real time. */
  stop(): void
}
