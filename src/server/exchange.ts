import type { Clock } from '../clock/model.js'
import type { FaultKind } from '../schedule/model.js'
import { type AnswerPlan, recordedHeaders } from './answer-plan.js'
import type { AttemptChange } from './model.js'
import type { AttemptRecord, MutableAttempt } from './record.js'
import type { Wire } from './wire.js'

type Publish = (record: AttemptRecord, change: AttemptChange) => void

/**
 * One attempt being answered: what the players of steps act on. It drives the wire and keeps the record in agreement with it, so that
 * no player can do one without the other. After it is over nothing more is sent.
 */
export class Exchange {
  readonly #record: AttemptRecord
  readonly #wire: Wire
  readonly #clock: Clock
  readonly #publish: Publish
  #cancelTimer: (() => void) | null = null
  #over = false

  constructor(record: AttemptRecord, wire: Wire, clock: Clock, publish: Publish) {
    this.#record = record
    this.#wire = wire
    this.#clock = clock
    this.#publish = publish
  }

  get over(): boolean {
    return this.#over
  }

  /** Waits on the trial's clock; one wait at a time. Without a delay it goes on at once. */
  after(delayMs: number, next: () => void): void {
    if (delayMs <= 0) {
      next()
      return
    }
    this.#cancelTimer = this.#clock.after(delayMs, () => {
      this.#cancelTimer = null
      next()
    })
  }

  /** Goes on when the client has read everything that was sent. */
  whenRead(next: () => void): void {
    this.#clock.atQuiescence(() => {
      if (!this.#over) next()
    })
  }

  /** A whole answer in one go. */
  answer(plan: AnswerPlan): void {
    this.#begin(plan)
    this.end(plan.body, plan.closeAfter)
  }

  /** The header block of the answer on its own. */
  head(plan: AnswerPlan): void {
    this.#begin(plan)
    this.#wire.flush()
  }

  halfHead(plan: AnswerPlan): void {
    const { attempt } = this.#record
    attempt.status = plan.status
    attempt.result = plan.status
    this.#wire.halfHead(plan.status, plan.headers)
  }

  write(bytes: Uint8Array): void {
    this.#record.appendBody(bytes)
    this.#wire.write(bytes)
  }

  /** The last bytes of the answer. */
  end(bytes: Uint8Array, closeAfter: AnswerPlan['closeAfter']): void {
    this.#record.appendBody(bytes)
    this.#wire.end(bytes, () => {
      if (this.#over) return
      this.#record.attempt.answerComplete = true
      this.#finish('ended')
      if (closeAfter === 'answer') this.#wire.close()
      if (closeAfter === 'next-request') this.#wire.raceNext()
    })
  }

  /** Bytes outside of the final answer. */
  raw(text: string): void {
    this.#wire.raw(text)
  }

  /** From here on the attempt counts as having met this fault, unless a status line leaves. */
  meet(fault: FaultKind): void {
    this.#record.attempt.result = fault
  }

  /** The server breaks off. */
  breakOff(how: 'reset' | 'close'): void {
    this.#finish('ended')
    this.#wire[how]()
  }

  /** The client went away; ignored when the answer was over already. */
  hungUp(): void {
    if (this.#over) return
    const { attempt } = this.#record
    attempt.hungUpAtMs = this.#clock.nowMs()
    if (attempt.result === 'open') attempt.result = 'hang-up'
    this.#finish('hung-up')
  }

  /** The harness takes the connection away: nothing more is sent, and the record stays as it is. */
  abandon(): void {
    this.#over = true
    this.#cancelTimer?.()
  }

  #begin(plan: AnswerPlan): void {
    const attempt: MutableAttempt = this.#record.attempt
    attempt.status = plan.status
    attempt.result = plan.status
    attempt.headersAtMs = this.#clock.nowMs()
    attempt.servedWallMs = plan.wallMs
    attempt.answerHeaders = recordedHeaders(plan)
    this.#wire.head(plan.status, plan.headers)
    this.#publish(this.#record, 'headers')
  }

  #finish(change: 'ended' | 'hung-up'): void {
    this.abandon()
    this.#record.attempt.endedAtMs = this.#clock.nowMs()
    this.#publish(this.#record, change)
  }
}
