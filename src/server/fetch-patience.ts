import type { Clock } from '../clock/model.js'

/** How long undici waits for the headers, and between two pieces of the body. */
const LIMIT_MS = 300_000
/** undici counts such times in ticks. */
const TICK_MS = 499
const GIVES_UP_AFTER_MS = Math.ceil(LIMIT_MS / TICK_MS) * TICK_MS

/** undici's own headersTimeout and bodyTimeout: without them a client that sets none would wait for ever for what never comes. */
export class Patience {
  readonly #clock: Clock
  #cancel: (() => void) | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Something has come: from here on `giveUp` waits for the next thing. */
  renew(giveUp: () => void): void {
    this.end()
    this.#cancel = this.#clock.after(GIVES_UP_AFTER_MS, giveUp)
  }

  end(): void {
    this.#cancel?.()
    this.#cancel = null
  }
}
