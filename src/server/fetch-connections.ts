import type { Clock } from '../clock/model.js'

/** undici closes a connection that has been idle for this long. */
const KEEP_ALIVE_MS = 4_000

/** A connection that would be there if there were sockets: it decides who is served first, and which attempts share a number. */
export interface FetchConnection {
  /** In the order in which the client made them. */
  readonly order: number
  /** 1, 2, 3, ...; null until its first request is handled. */
  number: number | null
  /** null while a request is under way on it. */
  idleSinceMs: number | null
}

/** The connections that undici's pool would hold: the oldest free one is used again, or else a new one is made. */
export class FetchConnections {
  readonly #clock: Clock
  #open: FetchConnection[] = []
  #made = 0
  #numbers = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    this.#expire()
    return this.#open.length
  }

  /** An idle connection; null if a new one has to be made. */
  reuse(): FetchConnection | null {
    this.#expire()
    const free = this.#open.find(({ idleSinceMs }) => idleSinceMs !== null)
    if (free === undefined) return null
    free.idleSinceMs = null
    return free
  }

  connect(): FetchConnection {
    const connection: FetchConnection = { order: ++this.#made, number: null, idleSinceMs: null }
    this.#open.push(connection)
    return connection
  }

  numberOf(connection: FetchConnection): number {
    connection.number ??= this.nextNumber()
    return connection.number
  }

  nextNumber(): number {
    return ++this.#numbers
  }

  /** The request on it is over. */
  release(connection: FetchConnection, reusable: boolean): void {
    connection.idleSinceMs = this.#clock.nowMs()
    if (!reusable) this.#open = this.#open.filter((other) => other !== connection)
  }

  closeIdle(): void {
    this.#open = this.#open.filter(({ idleSinceMs }) => idleSinceMs === null)
  }

  #expire(): void {
    const since = this.#clock.nowMs() - KEEP_ALIVE_MS
    this.#open = this.#open.filter(({ idleSinceMs }) => idleSinceMs === null || idleSinceMs > since)
  }
}
