import { createServer, type Agent as HttpAgent, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Clock } from '../clock/model.js'
import { AttemptBook } from '../server/attempt-book.js'
import { readTarget } from '../server/attribution.js'
import { headersOf } from '../server/http-front.js'
import type { AttemptChange } from '../server/model.js'
import type { Attempt } from '../trace/model.js'
import { passing, Relay } from './relay.js'
import type { Upstream } from './upstream.js'

const HOST = '127.0.0.1'
const EMPTY = new Uint8Array(0)

export interface ProxyOptions {
  readonly upstream: Upstream
  readonly clock: Clock
  /** Lower-case name of the key header. */
  readonly keyHeader: string
  /** Part of the path prefix: requests of another run are refused. */
  readonly token: string
  readonly attribute: (idempotencyKey: string | null) => number | null
  /** Asked before each request goes out; false refuses it: the ceiling is reached. */
  readonly admit: () => boolean
  /** The endpoint cannot be reached at all: an unknown host, a certificate that is not trusted. */
  readonly onSetupFailure: (code: string) => void
  readonly onAttempt?: (attempt: Attempt, change: AttemptChange) => void
}

/** A proxy between a client and a real endpoint; its record has secrets in it, `observed` takes them out. */
export interface RecordingProxy {
  readonly origin: string
  baseUrl(callIndex: number | null): string
  attempts(): readonly Attempt[]
  openSockets(): number
  dropConnections(): void
  close(): Promise<void>
}

/** One connection of the client, and the connection to the endpoint behind it. */
interface Line {
  readonly number: number
  readonly agent: HttpAgent
  underWay: number
}

/** Starts a recording proxy on loopback: the client speaks plain HTTP to it, it speaks http or https to the endpoint. */
export async function startRecordingProxy(options: ProxyOptions): Promise<RecordingProxy> {
  const proxy = new Proxying(options)
  const server = createServer({ keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 })
  server.on('connection', (socket) => proxy.connected(socket))
  server.on('request', (request, response) => proxy.receive(request, response))
  server.on('clientError', (_error, socket) => socket.destroy())
  server.on('connect', (_request, socket) => socket.destroy())
  await listen(server)
  options.clock.adoptServer(server)
  proxy.origin = `http://${HOST}:${(server.address() as AddressInfo).port}`
  let closing: Promise<void> | undefined
  return {
    origin: proxy.origin,
    baseUrl: (callIndex) => proxy.origin + proxy.book.announce(callIndex),
    attempts: () => proxy.book.snapshots(),
    openSockets: () => proxy.lines.size,
    dropConnections: () => proxy.drop(),
    close() {
      closing ??= new Promise((resolve) => {
        server.close(() => resolve())
        proxy.drop()
      })
      return closing
    },
  }
}

const listen = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, HOST, resolve)
  })

class Proxying {
  readonly book: AttemptBook
  readonly lines = new Map<Socket, Line>()
  origin = ''
  readonly #options: ProxyOptions
  readonly #relays = new Set<Relay>()
  #connections = 0

  constructor(options: ProxyOptions) {
    this.#options = options
    this.book = new AttemptBook(options)
  }

  connected(socket: Socket): void {
    const line: Line = { number: ++this.#connections, agent: this.#options.upstream.createAgent(), underWay: 0 }
    this.lines.set(socket, line)
    socket.setNoDelay(true)
    // A client that resets its connection is recorded as a hang-up; without a listener it would be thrown.
    socket.on('error', () => {})
    socket.once('close', () => {
      this.lines.delete(socket)
      line.agent.destroy()
    })
  }

  receive(request: IncomingMessage, response: ServerResponse): void {
    const target = readTarget(request.url!, this.#options.token)
    const line = this.lines.get(request.socket)
    if (target === null || line === undefined || !this.#options.admit()) {
      request.socket.destroy()
      return
    }
    const record = this.book.arrive({
      target,
      method: request.method!,
      headers: headersOf(request),
      body: EMPTY,
      complete: false,
      socket: line.number,
      keepAlive: true,
    })
    line.underWay++
    const relay = new Relay(request, response, {
      clock: this.#options.clock,
      book: this.book,
      record,
      rewriteLocation: (location) => this.#throughProxy(location, target.prefix),
      onSetupFailure: this.#options.onSetupFailure,
      onOver: () => {
        line.underWay--
        this.#relays.delete(relay)
      },
    })
    this.#relays.add(relay)
    this.book.publish(record, 'arrived')
    const outgoing = this.#options.upstream.request({
      method: request.method!,
      path: target.path,
      headers: [...passing(request.rawHeaders, ['host', 'expect']), ...framingOf(request)],
      agent: line.agent,
    })
    outgoing.once('socket', (upstream) => pair(upstream, request.socket, line))
    relay.start(outgoing)
  }

  drop(): void {
    for (const relay of this.#relays) relay.abandon()
    this.#relays.clear()
    for (const socket of this.lines.keys()) socket.destroy()
  }

  #throughProxy(location: string, prefix: string): string {
    const { origin, basePath } = this.#options.upstream
    const path = location.startsWith(`${origin}/`) ? location.slice(origin.length) : location
    if (!path.startsWith(`${basePath}/`) || path.startsWith('//')) return location
    return this.origin + prefix + path.slice(basePath.length)
  }
}

/** A body of unknown length stays one, whatever the method. */
const framingOf = ({ headers }: IncomingMessage): string[] =>
  headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked']

const paired = new WeakSet<Socket>()

/** When the endpoint closes an idle connection, the client's end of it closes, too. */
function pair(upstream: Socket, client: Socket, line: Line): void {
  if (paired.has(upstream)) return
  paired.add(upstream)
  upstream.once('close', () => {
    if (line.underWay === 0) client.destroySoon()
  })
}
