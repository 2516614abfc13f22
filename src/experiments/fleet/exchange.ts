import type { Clock } from '../../clock/model.js'
import { type Body, isFault, type ResponseStep, type Step } from '../../schedule/model.js'
import { type LoggedAttempt, markEnded, markHungUp } from './fleet-server.js'

/** Node's own `fetch` gives up on the headers of an answer after this long. */
const HEADERS_TIMEOUT_MS = 300_000

/** One request that the server has received, and its answer. */
export class Exchange {
  readonly promise: Promise<Response>
  readonly #clock: Clock
  readonly #attempt: LoggedAttempt
  readonly #signal: AbortSignal | null
  readonly #cancel: () => void
  #resolve!: (response: Response) => void
  #reject!: (error: unknown) => void

  constructor(clock: Clock, attempt: LoggedAttempt, signal: AbortSignal | null) {
    this.#clock = clock
    this.#attempt = attempt
    this.#signal = signal
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    signal?.addEventListener('abort', this.#onAbort, { once: true })
    const delayMs = delayOf(attempt.step)
    // Even an answer at once goes through the clock, so that a client without any wait is counted as a runaway.
    this.#cancel =
      delayMs < HEADERS_TIMEOUT_MS ? clock.after(delayMs, this.#answer) : clock.after(HEADERS_TIMEOUT_MS, this.#giveUp)
  }

  readonly #answer = (): void => {
    this.#signal?.removeEventListener('abort', this.#onAbort)
    markEnded(this.#attempt, this.#clock.nowMs())
    const { step } = this.#attempt
    if (isFault(step)) this.#reject(networkError('ECONNRESET', 'read ECONNRESET'))
    else this.#resolve(toResponse(step))
  }

  readonly #giveUp = (): void => {
    this.#signal?.removeEventListener('abort', this.#onAbort)
    markHungUp(this.#attempt, this.#clock.nowMs())
    this.#reject(networkError('UND_ERR_HEADERS_TIMEOUT', 'Headers Timeout Error'))
  }

  readonly #onAbort = (): void => {
    this.#cancel()
    markHungUp(this.#attempt, this.#clock.nowMs())
    this.#reject(this.#signal!.reason)
  }
}

const delayOf = (step: Step): number => (isFault(step) && step.fault === 'hang' ? Number.POSITIVE_INFINITY : (step.delayMs ?? 0))

/** The shape in which the platform's own `fetch` reports a failed connection. */
export function networkError(code: string, message: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) })
}

function toResponse({ status, retryAfter, body }: ResponseStep): Response {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter)
  return new Response(textOf(body), { status, headers })
}

const textOf = (body: Body | undefined): string | null =>
  body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
