import { EventEmitter } from 'node:events'
import type { ClientRequest } from 'node:http'
import type { ArrivedRequest } from './attempt-book.js'
import { refusedError } from './connect-hook.js'
import type { Engine } from './engine.js'
import type { Exchange } from './exchange.js'
import type { ServerOptions } from './model.js'
import type { InterceptedRequest, NockInterception } from './nock-loader.js'
import { NockWire } from './nock-wire.js'

/** Between the interceptor of node:http and the engine. Each request counts as a connection of its own. */
export class NockFront {
  readonly #engine: Engine
  readonly #options: ServerOptions
  readonly #origin: string
  readonly #nextNumber: () => number
  readonly #rawRequestOf: NockInterception['rawRequestOf']
  readonly #open = new Set<NockWire>()
  #arrivals = 0

  constructor(
    engine: Engine,
    options: ServerOptions,
    origin: string,
    nextNumber: () => number,
    rawRequestOf: NockInterception['rawRequestOf'],
  ) {
    this.#engine = engine
    this.#options = options
    this.#origin = origin
    this.#nextNumber = nextNumber
    this.#rawRequestOf = rawRequestOf
  }

  /** Answers a request to the origin; any other one is let through, to where the clock refuses it. */
  readonly listen = async (event: InterceptedRequest): Promise<void> => {
    const { request } = event
    const url = new URL(request.url)
    if (url.origin !== this.#origin) return
    const wire = new NockWire(event)
    this.#open.add(wire)
    let exchange: Exchange | undefined
    this.#whenGone(request, () => {
      wire.hangUp()
      exchange?.hungUp()
    })
    if (this.#engine.refusesNext()) {
      this.#engine.refuseConnection(this.#nextNumber())
      wire.fail(refusedError(Number(url.port) || (url.protocol === 'https:' ? 443 : 80)))
      return
    }
    connect(this.#rawRequestOf(request))
    const order = ++this.#arrivals
    const body = new Uint8Array(await request.clone().arrayBuffer())
    this.#options.clock.atQuiescence(
      () => {
        if (this.#open.has(wire)) exchange = this.#engine.handle(this.#arrived(request, url, body), wire)
      },
      () => order,
    )
    await wire.settled
  }

  dropAll(): void {
    for (const wire of this.#open) wire.close()
    this.#open.clear()
  }

  #arrived(request: Request, url: URL, body: Uint8Array): ArrivedRequest {
    return {
      target: { prefix: '', call: null, path: url.pathname + url.search },
      method: request.method,
      headers: Object.fromEntries(request.headers),
      body,
      complete: true,
      socket: this.#nextNumber(),
      keepAlive: true,
    }
  }

  #whenGone(request: Request, gone: () => void): void {
    // The signal of an intercepted request of node:http never fires.
    const raw = this.#rawRequestOf(request)
    if (raw instanceof EventEmitter) raw.once('close', gone)
  }
}

/**
 * The socket that nock gives a client of node:http connects only when the answer is there, and until it connects no socket time-out
 * is armed: one that hangs would never be given up.
 */
function connect(raw: unknown): void {
  const socket = raw instanceof EventEmitter ? (raw as ClientRequest).socket : null
  if (!socket?.connecting) return
  Object.assign(socket, { connecting: false })
  socket.emit('connect')
}
