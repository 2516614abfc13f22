import type { Clock } from '../../clock/model.js'
import { type Body, isFault, type ResponseStep } from '../../schedule/model.js'
import { type FleetServer, type LoggedAttempt, markEnded, markHungUp } from './fleet-server.js'
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
  const play = (asked: Asked): Promise<Response> => new Exchange(clock, asked, arrive(clock, server, asked)).promise
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

/** One request and its answer. */
class Exchange {
  readonly promise: Promise<Response>
  readonly #clock: Clock
  readonly #attempt: LoggedAttempt | null
  readonly #signal: AbortSignal | null
  #resolve!: (response: Response) => void
  #reject!: (error: unknown) => void
  #cancel: (() => void) | undefined

  constructor(clock: Clock, { signal, url }: Asked, attempt: LoggedAttempt | null) {
    this.#clock = clock
    this.#attempt = attempt
    this.#signal = signal
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    if (attempt === null) {
      this.#reject(networkError('ENOTFOUND', `${url.host} is not the experiment's server: call the url that the client is given`))
      return
    }
    signal?.addEventListener('abort', this.#onAbort, { once: true })
    const { step } = attempt
    // A hang is never answered. Everything else goes through the clock, so that a client without any wait is counted as a runaway.
    if (!isFault(step) || step.fault !== 'hang') this.#cancel = clock.after(step.delayMs ?? 0, this.#answer)
  }

  readonly #answer = (): void => {
    this.#signal?.removeEventListener('abort', this.#onAbort)
    const attempt = this.#attempt!
    markEnded(attempt, this.#clock.nowMs())
    const { step } = attempt
    if (isFault(step)) this.#reject(networkError('ECONNRESET', 'read ECONNRESET'))
    else this.#resolve(toResponse(step))
  }

  readonly #onAbort = (): void => {
    this.#cancel?.()
    markHungUp(this.#attempt!, this.#clock.nowMs())
    this.#reject(this.#signal!.reason)
  }
}

/** The shape in which the platform's own `fetch` reports a failed connection. */
function networkError(code: string, message: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) })
}

function toResponse({ status, retryAfter, body }: ResponseStep): Response {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter)
  return new Response(textOf(body), { status, headers })
}

const textOf = (body: Body | undefined): string | null =>
  body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
