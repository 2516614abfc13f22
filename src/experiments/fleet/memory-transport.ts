import type { Clock } from '../../clock/model.js'
import { Exchange, networkError } from './exchange.js'
import type { FleetServer, LoggedAttempt } from './fleet-server.js'
import type { FleetTransport } from './model.js'

const ORIGIN = 'http://fleet.invalid'
const PREFIX = /^\/~(\d+)(\/.*)?$/

/** A request that `fetch` was asked for, in the plain form that most clients use. */
interface Asked {
  readonly url: URL
  readonly method: string
  readonly headers: RequestInit['headers']
  readonly body: string
  readonly signal: AbortSignal | null
}

/**
 * Plays the server without sockets: a `fetch` that answers on the clock. It takes the place of `globalThis.fetch` while it is open, so
 * that a client which calls the global one reaches it.
 */
export function openMemoryTransport(clock: Clock, server: FleetServer): FleetTransport {
  const play = (asked: Asked): Promise<Response> => {
    const attempt = arrive(clock, server, asked)
    if (attempt !== null) return new Exchange(clock, attempt, asked.signal).promise
    throw networkError('ENOTFOUND', `${asked.url.host} is not the experiment's server: call the url that the client is given`)
  }
  const answer = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const asked = readRequest(input, init)
    return play(asked instanceof Promise ? await asked : asked)
  }
  const platform = globalThis.fetch
  globalThis.fetch = answer
  return {
    fetch: answer,
    baseUrl: (index) => `${ORIGIN}/~${index}`,
    close: async () => {
      if (globalThis.fetch === answer) globalThis.fetch = platform
    },
  }
}

function readRequest(input: string | URL | Request, init: RequestInit = {}): Asked | Promise<Asked> {
  const { body } = init
  if (typeof input !== 'object' || input instanceof URL) {
    if (body === undefined || body === null || typeof body === 'string') {
      const url = new URL(input)
      return { url, method: init.method ?? 'GET', headers: init.headers, body: body ?? '', signal: init.signal ?? null }
    }
  }
  const request = new Request(input, init)
  const { method, headers, signal } = request
  return request.text().then((text) => ({ url: new URL(request.url), method, headers, body: text, signal }))
}

/** Null for a request that leads somewhere else. */
function arrive(clock: Clock, server: FleetServer, { url, method, headers, body, signal }: Asked): LoggedAttempt | null {
  signal?.throwIfAborted()
  const [, index, path = '/'] = PREFIX.exec(url.pathname) ?? []
  if (url.origin !== ORIGIN || index === undefined) return null
  return server.receive({
    attempt: server.attempts.length + 1,
    call: Number(index),
    method,
    path: path + url.search,
    body,
    arrivedAtMs: clock.nowMs(),
    // Made only for the model that asks: most look at nothing but the path.
    get headers() {
      return Object.fromEntries(new Headers(headers))
    },
    get idempotencyKey() {
      return new Headers(headers).get('idempotency-key')
    },
  })
}
