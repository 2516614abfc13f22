import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

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
  /** Connections that are being made for a request. */
  readonly #underWay = new Set<Socket>()
  #connecting = false

  constructor(port: number) {
    this.#port = String(port)
    subscribe('undici:request:create', this.#onCreate)
    subscribe('undici:client:sendHeaders', this.#onSent)
    subscribe('undici:request:error', this.#onSent)
    subscribe('undici:client:beforeConnect', this.#onConnect)
  }

  /** Told as a connection begins: true when it is undici's and no request waits for it that has not a connection on its way already. */
  connectsAhead(socket: Socket): boolean {
    if (!this.#connecting) return false
    this.#connecting = false
    for (const request of this.#unsent) if (request.aborted || request.completed) this.#unsent.delete(request)
    if (this.#unsent.size <= this.#underWay.size) return true
    this.#underWay.add(socket)
    const isOver = () => this.#underWay.delete(socket)
    socket.once('connect', isOver)
    socket.once('close', isOver)
    return false
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
