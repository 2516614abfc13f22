import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/** The parts of undici's request that tell whether anybody waits for it. */
interface UndiciRequest {
  readonly origin?: string | URL
  readonly aborted?: boolean
  readonly completed?: boolean
}

interface ConnectParams {
  readonly port?: string
  readonly hostname?: string
}

/**
 * What undici (and so `fetch`) wants of a port. When a client hangs up, undici makes a new connection for the request that has just been
 * given up, and keeps it for the next one: nobody has asked for anything yet, so it must not be taken for an attempt.
 */
export class UndiciRequests {
  readonly #port: string
  readonly #unsent = new Set<UndiciRequest>()
  #connecting = false

  constructor(port: number) {
    this.#port = String(port)
    subscribe('undici:request:create', this.#onCreate)
    subscribe('undici:client:sendHeaders', this.#onSent)
    subscribe('undici:request:error', this.#onSent)
    subscribe('undici:client:beforeConnect', this.#onConnect)
  }

  /** Asked as a connection begins: true when it is undici's and no request waits for it. */
  connectsAhead(): boolean {
    if (!this.#connecting) return false
    this.#connecting = false
    for (const request of this.#unsent) if (request.aborted || request.completed) this.#unsent.delete(request)
    return this.#unsent.size === 0
  }

  stop(): void {
    unsubscribe('undici:request:create', this.#onCreate)
    unsubscribe('undici:client:sendHeaders', this.#onSent)
    unsubscribe('undici:request:error', this.#onSent)
    unsubscribe('undici:client:beforeConnect', this.#onConnect)
    this.#unsent.clear()
  }

  readonly #onCreate = (message: unknown): void => {
    const { request } = message as { request: UndiciRequest }
    if (String(request.origin).endsWith(`:${this.#port}`)) this.#unsent.add(request)
  }

  readonly #onSent = (message: unknown): void => {
    this.#unsent.delete((message as { request: UndiciRequest }).request)
  }

  readonly #onConnect = (message: unknown): void => {
    const { connectParams } = message as { connectParams: ConnectParams }
    if (connectParams.port !== this.#port) return
    this.#connecting = true
    // The connection begins at once, or not at all.
    queueMicrotask(() => {
      this.#connecting = false
    })
  }
}
