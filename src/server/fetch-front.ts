import type { ArrivedRequest } from './attempt-book.js'
import { refusedError } from './connect-hook.js'
import type { Engine } from './engine.js'
import type { Exchange } from './exchange.js'
import type { FetchConnection, FetchConnections } from './fetch-connections.js'
import { closedError } from './fetch-errors.js'
import type { Handler } from './fetch-handler.js'
import { type DispatchOptions, headersOf, readBody } from './fetch-request.js'
import { FetchWire } from './fetch-wire.js'
import type { ServerOptions } from './model.js'

const EMPTY = new Uint8Array(0)

/** A request on its way to the engine. */
interface Flight {
  readonly arrived: Omit<ArrivedRequest, 'socket' | 'body' | 'complete'>
  readonly body: AsyncIterable<Uint8Array> | null
  readonly connection: FetchConnection
  readonly wire: FetchWire
  /** Quiescent points of this server, and the time, when it left. */
  readonly leftAt: { readonly turn: number; readonly ms: number }
  exchange: Exchange | null
  /** Nothing more can be decided about it: it is in the engine's hands, or waits for its turn there, or never left. */
  handedOver: boolean
  dropped: boolean
}

/** Between undici's `fetch` and the engine: does what sockets and node:http do on the `socket` transport. */
export class FetchFront {
  readonly #engine: Engine
  readonly #connections: FetchConnections
  readonly #options: ServerOptions
  readonly #port: number
  readonly #flights = new Set<Flight>()
  #turn = 0

  constructor(engine: Engine, connections: FetchConnections, options: ServerOptions, port: number) {
    this.#engine = engine
    this.#connections = connections
    this.#options = options
    this.#port = port
  }

  /** Takes a request. */
  receive(options: DispatchOptions, handler: Handler): void {
    const { clock } = this.#options
    let flight: Flight | undefined
    const wire = new FetchWire(handler, options.method, clock, {
      gone: () => flight !== undefined && this.#gone(flight),
      released: (reusable) => {
        if (flight === undefined) return
        this.#flights.delete(flight)
        this.#connections.release(flight.connection, reusable)
      },
    })
    const headers = headersOf(options)
    if (headers instanceof Error) {
      wire.fail(headers)
      return
    }
    const target = this.#engine.readTarget(options.path)
    if (target === null) {
      // A straggler of an earlier trial meets a closed door.
      wire.start()
      queueMicrotask(() => wire.fail(closedError()))
      return
    }
    const connection = this.#connect(wire)
    if (connection === null) return
    flight = {
      arrived: { target, method: options.method, headers, keepAlive: headers.connection !== 'close' },
      body: options.body ?? null,
      connection,
      wire,
      leftAt: { turn: this.#turn, ms: clock.nowMs() },
      exchange: null,
      handedOver: false,
      dropped: false,
    }
    this.#flights.add(flight)
    wire.start()
    if (wire.open) this.#await(flight)
  }

  /** Numbers of the connections that hold bytes which the client has not taken. */
  unread(): readonly number[] {
    const numbers = [...this.#flights].filter(({ wire }) => wire.unread).map(({ connection }) => connection.number)
    return numbers.filter((number) => number !== null).sort((a, b) => a - b)
  }

  dropAll(): void {
    for (const flight of [...this.#flights]) {
      flight.dropped = true
      flight.wire.fail(closedError())
    }
    this.#connections.closeIdle()
  }

  #connect(wire: FetchWire): FetchConnection | null {
    const idle = this.#connections.reuse()
    if (idle !== null || !this.#engine.refusesNext()) return idle ?? this.#connections.connect()
    this.#engine.refuseConnection(this.#connections.nextNumber())
    process.nextTick(() => wire.fail(refusedError(this.#port)))
    return null
  }

  /** Reads the body, unless the step in line strikes before that; either way the request is handled in its turn. */
  #await(flight: Flight): void {
    const { headers } = flight.arrived
    if (!this.#engine.strikesBeforeBody(headers)) {
      this.#read(flight)
      return
    }
    this.#inTurn(flight, () => {
      if (flight.handedOver) return
      // Another request may have met that step in the meantime.
      if (this.#engine.strikesBeforeBody(headers)) this.#handle(flight, EMPTY, false)
      else this.#read(flight)
    })
  }

  #read(flight: Flight): void {
    const handOver = (body: Uint8Array): void => {
      if (flight.handedOver || !flight.wire.open) return
      flight.handedOver = true
      flight.wire.sent()
      this.#inTurn(flight, () => this.#handle(flight, body, true))
    }
    if (flight.body === null) handOver(EMPTY)
    else void readBody(flight.body).then(handOver)
  }

  #handle(flight: Flight, body: Uint8Array, complete: boolean): void {
    flight.handedOver = true
    flight.exchange = this.#engine.handle(this.#whole(flight, body, complete), flight.wire)
    // Only a client that has to connect can be refused.
    if (this.#engine.refusesNext()) this.#options.clock.atQuiescence(() => this.#connections.closeIdle())
  }

  /** The client went away: while it was served, while its request was under way, or before anything of it had left. */
  #gone(flight: Flight): void {
    flight.exchange?.hungUp()
    const isOnTheWire = flight.leftAt.turn !== this.#turn || flight.leftAt.ms !== this.#options.clock.nowMs()
    if (flight.exchange !== null || !isOnTheWire) {
      flight.dropped = true
      return
    }
    if (flight.handedOver) return
    flight.handedOver = true
    this.#inTurn(flight, () => this.#engine.recordBrokenOff(this.#whole(flight, EMPTY, false)))
  }

  #whole({ arrived, connection }: Flight, body: Uint8Array, complete: boolean): ArrivedRequest {
    return { ...arrived, body, complete, socket: this.#connections.numberOf(connection) }
  }

  #inTurn(flight: Flight, handle: () => void): void {
    const unlessDropped = (): void => {
      this.#turn++
      if (!flight.dropped) handle()
    }
    this.#options.clock.atQuiescence(unlessDropped, () => flight.connection.order)
  }
}
