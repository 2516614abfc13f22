import type { Clock } from '../clock/model.js'

/** How long undici waits for the headers, and between two pieces of the body. */
const LIMIT_MS = 300_000
/** undici counts such times in ticks. */
const TICK_MS = 499
const LIMIT_TICKS = Math.ceil(LIMIT_MS / TICK_MS)

/** undici's own headersTimeout and bodyTimeout: without them a client that sets none would never get an answer to a hang. */
export class Patience {
  readonly #clock: Clock
  readonly #startMs: number
  #cancel: (() => void) | null = null

  constructor(clock: Clock) {
    this.#clock = clock
    this.#startMs = clock.nowMs()
  }

  /** Something has come: from here on `giveUp` waits for the next thing. */
  renew(giveUp: () => void): void {
    this.end()
    const nowMs = this.#clock.nowMs()
    const ticks = Math.floor((nowMs - this.#startMs) / TICK_MS)
    this.#cancel = this.#clock.after(this.#startMs + (ticks + LIMIT_TICKS) * TICK_MS - nowMs, giveUp)
  }

  end(): void {
    this.#cancel?.()
    this.#cancel = null
  }
}
