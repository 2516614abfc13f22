import type { Clock } from '../clock/model.js'
import {
  abortedError,
  bodyTimeoutError,
  closedError,
  headersTimeoutError,
  invalidEofError,
  lengthMismatchError,
  resetError,
} from './fetch-errors.js'
import { type Handler, type Receiver, receiverOf } from './fetch-handler.js'
import { Patience } from './fetch-patience.js'
import type { HeaderLines, Wire } from './wire.js'

/** What one read of a socket brings. */
const ONE_READ = 65_536

/** undici before 6.25 takes what has come of a last answer on a connection for the whole of it, unless a length says otherwise. */
const TAKES_PART_FOR_WHOLE = /^([0-5]|6\.(1?\d|2[0-4]))\./.test(process.versions.undici ?? '')

export interface WireEvents {
  /** The client went away before the answer was complete. */
  gone(): void
  /** The connection is free again, or of no use any more. */
  released(reusable: boolean): void
}

/** An exchange without a socket: answers go straight to the dispatch handler that undici's `fetch` waits with. */
export class FetchWire implements Wire {
  readonly #method: string
  readonly #receiver: Receiver
  readonly #patience: Patience
  readonly #events: WireEvents
  readonly #pieces: Uint8Array[] = []
  #open = true
  #headers: HeaderLines | null = null
  #paused = false
  #pushing = false
  #ended = false
  #closing = false
  #reusable = true

  constructor(handler: Handler, method: string, clock: Clock, events: WireEvents) {
    this.#method = method
    this.#events = events
    this.#patience = new Patience(clock)
    this.#receiver = receiverOf(handler, {
      abort: (reason) => this.#giveUp(reason ?? abortedError()),
      pause: () => {
        this.#paused = true
      },
      resume: () => {
        this.#paused = false
        this.#push()
      },
    })
  }

  get open(): boolean {
    return this.#open
  }

  /** Bytes that the client has not taken. */
  get unread(): boolean {
    return this.#pieces.length > 0
  }

  /** Tells the client that its request is about to leave. */
  start(): void {
    this.#receiver.start()
  }

  /** The whole request has left: from here on the client waits for the answer. */
  sent(): void {
    this.#patience.renew(() => this.#giveUp(headersTimeoutError()))
  }

  /** Ends the request with an error, as if its connection had failed. */
  fail(error: Error): void {
    if (!this.#open) return
    this.#finish(false)
    this.#receiver.error(error)
  }

  head(status: number, headers: HeaderLines): void {
    if (!this.#open) return
    this.#headers = headers
    this.#reusable = headerOf(headers, 'connection') !== 'close'
    this.#waitForBody()
    this.#receiver.head(status, headers)
  }

  /** A client that asked with HEAD has all it wants, and hangs up if the server goes on. */
  flush(): void {
    if (!this.#open || this.#method !== 'HEAD') return
    this.#complete()
    queueMicrotask(() => this.#events.gone())
  }

  halfHead(): void {
    // Half a header block is nothing yet to who waits for the whole.
  }

  write(bytes: Uint8Array): void {
    if (!this.#open || bytes.length === 0) return
    for (let at = 0; at < bytes.length; at += ONE_READ) this.#pieces.push(bytes.subarray(at, at + ONE_READ))
    this.#waitForBody()
    this.#push()
  }

  end(bytes: Uint8Array, delivered: () => void): void {
    this.write(bytes)
    if (!this.#open) return
    this.#ended = true
    delivered()
    this.#push()
  }

  raw(): void {
    throw new TypeError('bytes outside of an answer need a socket')
  }

  raceNext(): void {
    throw new TypeError('the keep-alive race needs a socket')
  }

  reset(): void {
    if (this.#ended) return
    // An RST takes what has not been read along with it.
    this.#pieces.length = 0
    this.#breakOff(resetError())
  }

  close(): void {
    this.#reusable = false
    this.#closing = true
    this.#push()
  }

  #waitForBody(): void {
    this.#patience.renew(() => {
      // Who does not read does not wait either.
      if (!this.#paused) this.#giveUp(bodyTimeoutError())
    })
  }

  #push(): void {
    if (this.#pushing) return
    this.#pushing = true
    while (this.#open && !this.#paused && this.#pieces.length > 0) this.#receiver.data(this.#pieces.shift()!)
    this.#pushing = false
    if (!this.#open || this.#pieces.length > 0) return
    if (this.#ended) this.#complete()
    else if (this.#closing) this.#breakOff(closedError())
  }

  #complete(): void {
    this.#finish(this.#reusable)
    this.#receiver.complete()
  }

  #breakOff(error: Error): void {
    if (!this.#open) return
    const isLastAnswer = this.#headers !== null && headerOf(this.#headers, 'connection') === 'close'
    if (!isLastAnswer) this.fail(error)
    else if (!TAKES_PART_FOR_WHOLE) this.fail(invalidEofError())
    else if (headerOf(this.#headers!, 'content-length') !== undefined) this.fail(lengthMismatchError())
    else this.#complete()
  }

  /** The client breaks off. */
  #giveUp(error: Error): void {
    if (!this.#open) return
    this.fail(error)
    // The server hears of it later than the client knows it.
    queueMicrotask(() => this.#events.gone())
  }

  #finish(reusable: boolean): void {
    this.#open = false
    this.#patience.end()
    this.#pieces.length = 0
    this.#events.released(reusable)
  }
}

const headerOf = (headers: HeaderLines, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1].toLowerCase()
