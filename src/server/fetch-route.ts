import { invalidArgumentError } from './fetch-errors.js'
import type { Handler } from './fetch-handler.js'
import { type DispatchOptions, isFetch } from './fetch-request.js'

/** Where undici 6, 7 and 8 look for the dispatcher of a `fetch` that names none. */
const SLOTS = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')]

interface Dispatcher {
  dispatch(options: DispatchOptions, handler: Handler): boolean
}

type Slots = typeof globalThis & Record<symbol, Dispatcher | undefined>

/** Whatever `fetch` was captured when, it asks the global dispatcher at each request. */
class RoutingDispatcher implements Dispatcher {
  readonly #isOwn: (origin: string) => boolean
  readonly #receive: (options: DispatchOptions, handler: Handler) => void
  readonly #refuse: () => string
  readonly #others: Dispatcher

  constructor(
    isOwn: (origin: string) => boolean,
    refuse: () => string,
    receive: (options: DispatchOptions, handler: Handler) => void,
    others: Dispatcher,
  ) {
    this.#isOwn = isOwn
    this.#refuse = refuse
    this.#receive = receive
    this.#others = others
  }

  dispatch(options: DispatchOptions, handler: Handler): boolean {
    // Other hosts are the clock's business: it refuses and records the connection, or lets it go.
    if (!this.#isOwn(String(options.origin))) return this.#others.dispatch(options, handler)
    if (isFetch(options)) this.#receive(options, handler)
    else failOf(handler)(invalidArgumentError(this.#refuse()))
    return true
  }

  async close(): Promise<void> {
    // Not the client's to close: it outlives every one of them.
  }

  async destroy(): Promise<void> {
    // See close.
  }
}

const failOf = (handler: Handler) => (error: Error) =>
  'onRequestStart' in handler ? handler.onResponseError(null, error) : handler.onError(error)

/**
 * Sends what `fetch` asks of the trial's origin to `receive`, and everything else where it went before.
 *
 * @param refuse what the other functions of undici are told, which have times of their own; called for each of their requests.
 * @returns A function that puts back what was there.
 */
export function routeFetch(
  isOwn: (origin: string) => boolean,
  refuse: () => string,
  receive: (options: DispatchOptions, handler: Handler) => void,
): () => void {
  const slots = globalThis as Slots
  const before = SLOTS.map((slot) => slots[slot])
  const routed = SLOTS.map((slot, index) => {
    const others = before[index] ?? before.find((dispatcher) => dispatcher !== undefined)
    const dispatcher = new RoutingDispatcher(isOwn, refuse, receive, others!)
    setSlot(slot, dispatcher)
    return dispatcher
  })
  return () => {
    for (const [index, slot] of SLOTS.entries()) if (slots[slot] === routed[index]) setSlot(slot, before[index])
  }
}

/** As undici does it: neither listed nor removable. */
const setSlot = (slot: symbol, value: Dispatcher | undefined): void => {
  Object.defineProperty(globalThis, slot, { value, writable: true, enumerable: false, configurable: false })
}
