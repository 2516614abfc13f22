import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import zlib from 'node:zlib'
import type { Clock } from '../../../src/clock/model.js'
import { SERVER_OPTIONS } from '../support.js'

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly clock: Clock
}

type Route = (exchange: Exchange, ...numbers: number[]) => void

const repeat = (
  clock: Clock,
  times: number,
  everyMs: number,
  act: (index: number) => void,
  done: () => void,
  index = 0,
): void => {
  if (index === times) {
    done()
    return
  }
  act(index)
  clock.after(everyMs, () => repeat(clock, times, everyMs, act, done, index + 1))
}

/** Paths are /route/number/number. */
const ROUTES: Readonly<Record<string, Route>> = {
  after: ({ response, clock }, delayMs = 0) => void clock.after(delayMs, () => response.end('late')),
  status: ({ response }, status = 200) => void response.writeHead(status).end(status === 204 || status === 304 ? undefined : 'x'),
  big: ({ response }, bytes = 0) => void response.end(Buffer.alloc(bytes, 'b')),
  gzip: ({ response }, bytes = 0) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(zlib.gzipSync(Buffer.alloc(bytes, 'g'))),
  header: ({ response }, bytes = 0) => void response.writeHead(200, { 'x-huge': 'h'.repeat(bytes) }).end('x'),
  events: ({ response, clock }, count = 0, everyMs = 0) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (index: number) => response.write(`data: ${index}\n\n`)
    repeat(clock, count, everyMs, send, () => response.end())
  },
  trailers: ({ response }) => {
    response.writeHead(200, { trailer: 'x-sum' }).write('body')
    response.addTrailers({ 'x-sum': '42' })
    response.end()
  },
  close: ({ response }) => void response.writeHead(200, { connection: 'close' }).end('last'),
  drop: ({ request }) => void request.socket.destroy(),
  hang: () => {},
  early: ({ response }, status = 413) => void response.writeHead(status, { connection: 'close' }).end('too much'),
  slow: ({ request, response, clock }, pauses = 0, pauseMs = 0) => {
    let left = pauses
    request.on('data', () => {
      if (left-- <= 0) return
      request.pause()
      clock.after(pauseMs, () => request.resume())
    })
    request.on('end', () => response.end('read'))
  },
  count: ({ request, response }) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    request.on('end', () => response.end(`${bytes} ${request.trailers['x-sum'] ?? ''}`.trim()))
  },
}

/** Answers at quiescent points, as the product's own server does; it also speaks CONNECT and an upgrade that echoes. */
export class HuntServer {
  readonly http = createServer(SERVER_OPTIONS, (request, response) => this.#receive(request, response))
  clock!: Clock
  readonly #sockets = new Set<Socket>()

  async listen(): Promise<this> {
    Object.assign(this.http, { httpAllowHalfOpen: true })
    this.http.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    this.http.on('connect', echo)
    this.http.on('upgrade', echo)
    await new Promise<void>((resolve) => this.http.listen(0, '127.0.0.1', resolve))
    return this
  }

  get port(): number {
    return (this.http.address() as AddressInfo).port
  }

  /** Those of upgrades and tunnels, too. */
  dropConnections(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    this.dropConnections()
    await new Promise((resolve) => this.http.close(resolve))
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    request.on('error', () => {})
    response.on('error', () => {})
    response.sendDate = false
    const [, route = '', ...numbers] = new URL(request.url!, 'http://hunt').pathname.split('/')
    this.clock.atQuiescence(
      () => ROUTES[route]!({ request, response, clock: this.clock }, ...numbers.map(Number)),
      () => this.clock.socketOrder(request.socket),
    )
  }
}

/** The connection is a plain one from here on: what comes goes back, half a second later. */
function echo(this: unknown, request: IncomingMessage, stream: unknown): void {
  const socket = stream as Socket
  const line =
    request.method === 'CONNECT'
      ? '200 Connection Established'
      : '101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo'
  socket.on('error', () => {})
  socket.write(`HTTP/1.1 ${line}\r\n\r\n`)
  socket.on('data', (chunk) => setTimeout(() => socket.write(chunk), 500))
  socket.on('end', () => socket.end())
}
