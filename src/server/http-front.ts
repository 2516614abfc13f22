import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Server as Listener } from 'node:net'
import type { ArrivedRequest } from './attempt-book.js'
import type { Connection, Connections } from './connections.js'
import type { Engine } from './engine.js'
import type { Exchange } from './exchange.js'
import { HttpWire } from './http-wire.js'
import type { RacedRequest, ServerOptions } from './model.js'

const EMPTY = new Uint8Array(0)

/** A request whose header block has arrived. */
interface Incoming {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly connection: Connection
  readonly arrived: Omit<ArrivedRequest, 'socket' | 'body' | 'complete'>
  /** The client waits to be asked for its body (Expect: 100-continue). */
  readonly continues: boolean
}

/** Between node:http and the engine: reads requests, and hands them over one at a time in the order of the client's connections. */
export class HttpFront {
  readonly raced: RacedRequest[] = []
  readonly #engine: Engine
  readonly #connections: Connections
  readonly #options: ServerOptions

  constructor(engine: Engine, connections: Connections, options: ServerOptions) {
    this.#engine = engine
    this.#connections = connections
    this.#options = options
  }

  /**
   * Gives the listener's connections to an HTTP server that does not listen itself: one that listens keeps a timer to look for slow
   * clients, and while any timer is armed nobody could tell that a trial waits for nothing.
   */
  serve(listener: Listener): void {
    const server = createServer({ keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 })
    listener.on('connection', (socket) => server.emit('connection', socket))
    server.on('request', (request, response) => this.#receive(request, response, false))
    server.on('checkContinue', (request, response) => this.#receive(request, response, true))
    // Any other expectation is the client's own business; without a listener node would answer it.
    server.on('checkExpectation', (request, response) => this.#receive(request, response, false))
    server.on('connect', (_request, socket) => {
      socket.end('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    })
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      if (socket.writable && error.code !== 'ECONNRESET') {
        socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      } else socket.destroy()
    })
  }

  #receive(request: IncomingMessage, response: ServerResponse, continues: boolean): void {
    if (this.#answeredByControl(request, response)) return
    const target = this.#engine.readTarget(request.url!)
    if (target === null) {
      request.socket.destroy()
      return
    }
    const connection = this.#connections.of(request.socket)
    connection.underWay++
    response.once('close', () => connection.underWay--)
    const arrived = { target, method: request.method!, headers: headersOf(request), keepAlive: response.shouldKeepAlive }
    const incoming: Incoming = { request, response, connection, arrived, continues }
    if (connection.raceNext) this.#race(incoming)
    else this.#await(incoming)
  }

  #answeredByControl(request: IncomingMessage, response: ServerResponse): boolean {
    const { control } = this.#options
    const answer = control?.({ method: request.method!, target: request.url!, headers: headersOf(request) }) ?? null
    if (answer === null) return false
    request.resume()
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body)
    return true
  }

  #race({ connection, arrived }: Incoming): void {
    this.raced.push({
      method: arrived.method,
      path: arrived.target.path,
      call: this.#engine.callOf(arrived.target, arrived.headers),
      socket: this.#connections.numberOf(connection),
      atMs: this.#options.clock.nowMs(),
    })
    connection.socket.resetAndDestroy()
  }

  /** Reads the body, unless the step in line strikes before that; either way the request is handled in its turn. */
  #await(incoming: Incoming): void {
    const { headers } = incoming.arrived
    let exchange: Exchange | null = null
    let handedOver = false
    const handOver = (body: Uint8Array, complete: boolean): void => {
      handedOver = true
      exchange = this.#handle(incoming, body, complete)
    }
    const read = (): void =>
      readBody(incoming, (body) => {
        handedOver = true
        this.#inTurn(incoming, () => handOver(body, true))
      })
    incoming.response.once('close', () => {
      exchange?.hungUp()
      if (handedOver) return
      handedOver = true
      this.#inTurn(incoming, () => this.#engine.recordBrokenOff(this.#whole(incoming, EMPTY, false)))
    })
    if (!this.#engine.strikesBeforeBody(headers)) {
      read()
      return
    }
    this.#inTurn(incoming, () => {
      if (handedOver) return
      // Another connection may have met that step in the meantime.
      if (this.#engine.strikesBeforeBody(headers)) handOver(EMPTY, false)
      else read()
    })
  }

  #handle(incoming: Incoming, body: Uint8Array, complete: boolean): Exchange {
    const { response, connection } = incoming
    const wire = new HttpWire(response, connection.socket, () => {
      connection.raceNext = true
    })
    const exchange = this.#engine.handle(this.#whole(incoming, body, complete), wire)
    // Only a client that has to connect can be refused.
    if (this.#engine.refusesNext()) this.#options.clock.atQuiescence(() => this.#connections.closeIdle())
    return exchange
  }

  #whole({ arrived, connection }: Incoming, body: Uint8Array, complete: boolean): ArrivedRequest {
    return { ...arrived, body, complete, socket: this.#connections.numberOf(connection) }
  }

  #inTurn({ connection }: Incoming, handle: () => void): void {
    const { clock } = this.#options
    const unlessDropped = (): void => {
      if (!connection.dropped) handle()
    }
    clock.atQuiescence(unlessDropped, () => clock.socketOrder(connection.socket))
  }
}

function readBody({ request, response, continues }: Incoming, done: (body: Uint8Array) => void): void {
  const chunks: Buffer[] = []
  if (continues) response.writeContinue()
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => done(chunks.length === 1 ? chunks[0]! : chunks.length === 0 ? EMPTY : Buffer.concat(chunks)))
  // The socket reports it as a close; without a listener it would be thrown.
  request.on('error', () => {})
}

/** node's own `headers` drop some repeated ones. */
export function headersOf({ rawHeaders }: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase()
    const value = rawHeaders[index + 1]!
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value
  }
  return headers
}
