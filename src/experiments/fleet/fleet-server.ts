import type { FleetAttempt } from '../../guarantees/fleet/model.js'
import { isFault, type ScheduledRequest, type Step } from '../../schedule/model.js'
import type { AttemptResult } from '../../trace/model.js'
import type { CallBook } from './call-book.js'
import type { Decision, ServerModel } from './model.js'

/** One attempt while it is under way. */
export interface LoggedAttempt extends FleetAttempt {
  endedAtMs: number | null
  result: AttemptResult
  hintUntilMs: number | null
  /** How long the server works on it. */
  readonly workMs: number
  readonly step: Step
}

/** The model of a server, and every request that reached it in order of arrival; the transports play what it decides. */
export class FleetServer {
  readonly attempts: LoggedAttempt[] = []
  readonly #model: ServerModel
  readonly #book: CallBook
  readonly #operations = new Set<string>()

  constructor(model: ServerModel, book: CallBook) {
    this.#model = model
    this.#book = book
  }

  receive(request: ScheduledRequest): LoggedAttempt {
    const { client, call } = this.#book.attribute(request.call)
    const { step, workMs }: Decision = this.#model.decide(request, call)
    const { arrivedAtMs } = request
    const resend = this.#isResend(call, request)
    const attempt: LoggedAttempt = {
      client,
      call,
      resend,
      arrivedAtMs,
      endedAtMs: null,
      result: 'open',
      hintUntilMs: null,
      workMs,
      step,
    }
    this.attempts.push(attempt)
    return attempt
  }

  #isResend(call: number | null, { method, path }: ScheduledRequest): boolean {
    if (call === null) return false
    const operation = `${call} ${method} ${path}`
    if (this.#operations.has(operation)) return true
    this.#operations.add(operation)
    return false
  }
}

/** The answer, or the fault, has reached its end. */
export function markEnded(attempt: LoggedAttempt, nowMs: number): void {
  const { step } = attempt
  attempt.endedAtMs = nowMs
  attempt.result = isFault(step) ? step.fault : step.status
  if (!isFault(step) && typeof step.retryAfter === 'number') attempt.hintUntilMs = nowMs + step.retryAfter * 1_000
}

/** The client went away first. */
export function markHungUp(attempt: LoggedAttempt, nowMs: number): void {
  attempt.endedAtMs = nowMs
  attempt.result = 'hang-up'
}
