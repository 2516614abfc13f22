import http from 'node:http'
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import type { Engine } from './engine.js'
import type { HttpRoute } from './http-route.js'
import { type Listening, listen } from './listener.js'
import type { ServerOptions } from './model.js'

/** Not documented, and the same from Node 0.12 to 26: every request that has an agent goes through it. */
interface RequestingAgent {
  addRequest(request: http.ClientRequest, options: http.RequestOptions, ...rest: unknown[]): void
}

interface RequestTarget {
  readonly protocol: string
  readonly host: string
}

const agentPrototype = http.Agent.prototype as unknown as RequestingAgent

/**
 * Leads the requests that node:http has for the origin to the script over real connections of loopback: what the client sees is a socket of
 * the platform with the platform's own errors. For what mocks sockets themselves (nock 15) nobody could tell when the wire is quiet.
 */
export async function routeAgents(
  engine: Engine,
  options: ServerOptions,
  origin: string,
  nextNumber: () => number,
): Promise<HttpRoute> {
  const listening = await listen(engine, { ...options, port: 0 }, nextNumber)
  const agents = new WeakMap<object, LoopbackAgent>()
  const { addRequest } = agentPrototype
  const routed: RequestingAgent['addRequest'] = function addRequestInTrial(this: http.Agent, request, asked, ...rest) {
    if (this instanceof LoopbackAgent || originOf(request, asked) !== origin) {
      return Reflect.apply(addRequest, this, [request, asked, ...rest])
    }
    const agent = agents.get(this) ?? new LoopbackAgent(this, listening)
    agents.set(this, agent)
    return Reflect.apply(addRequest, agent, [request, asked])
  }
  agentPrototype.addRequest = routed
  return {
    unread: () => listening.connections.unread(),
    openSockets: () => listening.connections.size,
    drop: () => listening.connections.destroyAll(),
    close() {
      if (agentPrototype.addRequest === routed) agentPrototype.addRequest = addRequest
      return listening.close()
    },
  }
}

/** Keeps connections as the client's own agent does; they go to the script. */
class LoopbackAgent extends http.Agent {
  readonly #port: number

  constructor(ofClient: http.Agent, { port }: Listening) {
    const { options } = ofClient as unknown as { options: http.AgentOptions }
    const { keepAlive, keepAliveMsecs, maxSockets, maxTotalSockets, maxFreeSockets, scheduling, timeout } = options
    super({ keepAlive, keepAliveMsecs, maxSockets, maxTotalSockets, maxFreeSockets, scheduling, timeout })
    this.#port = port
  }

  override createConnection(asked: NetConnectOpts): Socket {
    const socket = connect({ port: this.#port, host: '127.0.0.1', timeout: asked.timeout })
    if ((asked as { protocol?: string }).protocol === 'https:') pretendSecure(socket)
    return socket
  }
}

/** Clients wait for the handshake before they send (Stripe), or look whether there was one. */
function pretendSecure(socket: Socket): void {
  Object.assign(socket, { encrypted: true, authorized: true })
  socket.once('connect', () => socket.emit('secureConnect'))
}

function originOf(request: http.ClientRequest, { port }: http.RequestOptions): string | null {
  const { protocol, host } = request as unknown as RequestTarget
  const url = `${protocol}//${host.includes(':') ? `[${host}]` : host}:${port}`
  return URL.canParse(url) ? new URL(url).origin : null
}
