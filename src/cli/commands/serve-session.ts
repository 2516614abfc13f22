import { startClock } from '../../clock/index.js'
import type { ClockRun } from '../../clock/model.js'
import type { AttemptChange } from '../../server/model.js'
import { HINT_NAMES, hintOf } from '../../trace/hints.js'
import type { Attempt, Trial } from '../../trace/model.js'

/** Quiet after the last call, in case that one more request comes which should not. */
const AFTER_LAST_CALL_MS = 1_000
/** With a number of calls: a client that has given up sends nothing more, so the wait for it has an end. */
const IDLE_MS = 10_000

export type EndReason = 'interrupted' | 'calls' | 'idle'

export interface SessionOptions {
  /** Ends after this many calls were answered with a success. */
  readonly calls?: number
  /** Ends after this long without a request. */
  readonly idleMs?: number
  /** Begins anew after each success, so that every call meets the schedule from its first step. */
  readonly resetAfterSuccess: boolean
}

const isSuccess = ({ status, answerComplete }: Attempt): boolean =>
  status !== null && status >= 200 && status < 300 && answerComplete

/** Decides when a server that waits for somebody else's client has seen enough. */
export class ServeSession {
  readonly runs: Trial[] = []
  readonly ended: Promise<EndReason>
  readonly #options: SessionOptions
  readonly #run: ClockRun
  readonly #reset: () => void
  #end: (reason: EndReason) => void = () => {}
  #succeeded = 0
  #cancelIdle: () => void = () => {}
  /** A client that was told to wait is not idle. */
  #quietUntilMs = 0

  constructor(options: SessionOptions, reset: () => void) {
    this.#options = options
    this.#reset = reset
    this.#run = startClock('real', { seed: null })
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    if (options.idleMs !== undefined) this.#watchIdle(options.idleMs)
  }

  interrupt(): void {
    this.#end('interrupted')
  }

  onAttempt(attempt: Attempt, change: AttemptChange): void {
    const { calls, idleMs = calls === undefined ? undefined : IDLE_MS } = this.#options
    this.#cancelIdle()
    if (change === 'arrived') return
    const waitMs = hintOf(attempt, { headers: HINT_NAMES })?.waitMs ?? 0
    this.#quietUntilMs = Math.max(this.#quietUntilMs, this.#run.clock.nowMs() + waitMs)
    if (change !== 'ended' || !isSuccess(attempt)) {
      if (idleMs !== undefined) this.#watchIdle(idleMs)
      return
    }
    this.#succeeded++
    this.#quietUntilMs = 0
    const isLast = calls !== undefined && this.#succeeded >= calls
    if (isLast) this.#watchIdle(this.#options.idleMs ?? AFTER_LAST_CALL_MS, 'calls')
    else if (idleMs !== undefined) this.#watchIdle(idleMs)
    if (this.#options.resetAfterSuccess && !isLast) this.#reset()
  }

  stop(): void {
    this.#run.stop()
  }

  #watchIdle(idleMs: number, reason: EndReason = 'idle'): void {
    this.#cancelIdle()
    const { clock } = this.#run
    const waitMs = Math.max(0, this.#quietUntilMs - clock.nowMs()) + idleMs
    this.#cancelIdle = clock.after(waitMs, () => this.#end(reason))
  }
}
