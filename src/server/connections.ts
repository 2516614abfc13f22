import type { Server as Listener, Socket } from 'node:net'
import type { Clock } from '../clock/model.js'

/** One connection of the client, as far as the server cares. */
export interface Connection {
  readonly socket: Socket
  /** 1, 2, 3, ...; null until its first request is handled, so that the order does not hang on the kernel's. */
  number: number | null
  /** It breaks as the next request arrives on it. */
  raceNext: boolean
  /** Requests on it that are not over. */
  underWay: number
  /** The harness took it away: what is left of it is not the client's doing. */
  dropped: boolean
}

const fresh = (socket: Socket): Connection => ({ socket, number: null, raceNext: false, underWay: 0, dropped: false })

const counter = (): (() => number) => {
  let last = 0
  return () => ++last
}

/** The open connections of a server. */
export class Connections {
  readonly #clock: Clock
  readonly #open = new Map<Socket, Connection>()
  readonly #nextNumber: () => number

  constructor(listener: Listener, clock: Clock, nextNumber: () => number = counter()) {
    this.#clock = clock
    this.#nextNumber = nextNumber
    listener.on('connection', (socket) => {
      this.#open.set(socket, fresh(socket))
      socket.once('close', () => this.#open.delete(socket))
    })
  }

  get size(): number {
    return this.#open.size
  }

  of(socket: Socket): Connection {
    // A request that is handled after its connection closed still has one.
    return this.#open.get(socket) ?? fresh(socket)
  }

  /** The number of the next connection that the client makes, or fails to make. */
  nextNumber(): number {
    return this.#nextNumber()
  }

  numberOf(connection: Connection): number {
    connection.number ??= this.nextNumber()
    return connection.number
  }

  /** Numbers of the connections that hold bytes which the client has not taken. */
  unread(): readonly number[] {
    const numbers: number[] = []
    for (const { socket, number } of this.#open.values()) {
      const bytes = socket.writableLength + (this.#clock.unreadBytes?.(socket) ?? 0)
      if (number !== null && bytes > 0) numbers.push(number)
    }
    return numbers.sort((a, b) => a - b)
  }

  /** Ends the connections that wait for a next request. */
  closeIdle(): void {
    for (const { socket, underWay } of this.#open.values()) if (underWay === 0) socket.destroySoon()
  }

  destroyAll(): void {
    for (const connection of this.#open.values()) {
      connection.dropped = true
      connection.socket.destroy()
    }
  }
}
