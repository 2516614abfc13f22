import { type FaultStep, isFault, type ResponseStep, type ScheduledRequest, type Step } from '../schedule/model.js'
import { createPlayer, type Player } from '../schedule/player.js'
import type { Attempt, Ledger, LedgerMark } from '../trace/model.js'
import { type AnswerPlan, planAnswer } from './answer-plan.js'
import { answerOf } from './answers/index.js'
import { plain } from './answers/plain.js'
import { type ArrivedRequest, AttemptBook, asScheduled } from './attempt-book.js'
import { readTarget, type Target } from './attribution.js'
import { asReplay, type Content, contentOf } from './content.js'
import { Exchange } from './exchange.js'
import { FAULTS } from './faults/index.js'
import { REFUSALS } from './known-work.js'
import { type KnownWork, type Result, WorkLedger } from './ledger.js'
import type { ServerOptions } from './model.js'
import type { AttemptRecord, MutableAttempt } from './record.js'
import type { Wire } from './wire.js'

/** Reading is no work that could be done twice (RFC 9110 §9.2.1). */
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE']
const SUCCESS: ResponseStep = { status: 200 }

const newLedger = ({ dedup, keyExpiryMs, clock }: ServerOptions): WorkLedger =>
  new WorkLedger(dedup, keyExpiryMs ?? Number.POSITIVE_INFINITY, clock)

/** Whether a step accepts the work of a request: a step that says so, or a 2xx to a request that asks for work. */
function accepts(step: Step, method: string): boolean {
  if (step.apply !== undefined) return step.apply
  return !isFault(step) && step.status >= 200 && step.status < 300 && !SAFE.includes(method)
}

/** What work came to, free of all that happened to its first answer on the way. */
function resultOf(step: Step, attempt: MutableAttempt): Result {
  if (isFault(step)) return { step: SUCCESS, content: contentOf(SUCCESS, attempt) }
  const { status, headers, retryAfter, retryAfterMs } = step
  return { step: { status, headers, retryAfter, retryAfterMs }, content: contentOf(step, attempt) }
}

/**
 * Plays the script of one trial, whatever the transport: decides what each arrived request meets, and keeps ledger and record.
 * A transport brings requests and wires; it decides nothing.
 */
export class Engine {
  readonly #options: ServerOptions
  #player: Player
  #ledger: WorkLedger
  #book: AttemptBook
  readonly #open = new Set<Exchange>()
  /** What a function schedule gets to see of the requests before. */
  #history: ScheduledRequest[] = []

  constructor(options: ServerOptions) {
    this.#options = options
    this.#player = createPlayer(options.schedule)
    this.#ledger = newLedger(options)
    this.#book = new AttemptBook(options)
  }

  /** A new run: nothing of the old one is left but what is under way, which goes on in its own records. */
  reset(): void {
    this.#player = createPlayer(this.#options.schedule)
    this.#ledger = newLedger(this.#options)
    this.#book = new AttemptBook(this.#options)
    this.#history = []
  }

  /** The prefix of a call's URLs. */
  announce(callIndex: number | null): string {
    return this.#book.announce(callIndex)
  }

  /** null for a straggler of an earlier trial. */
  readTarget(requestTarget: string): Target | null {
    return readTarget(requestTarget, this.#options.token)
  }

  /** The call that a request which is not handled would have belonged to. */
  callOf(target: Target, headers: Readonly<Record<string, string>>): number | null {
    return this.#book.callOf(target, this.#book.keyOf(headers))
  }

  /** True when the step in line strikes before the body is read, and a request with these headers would take it. */
  strikesBeforeBody(headers: Readonly<Record<string, string>>): boolean {
    const step = this.#player.upcoming()
    return step !== null && isFault(step) && !FAULTS[step.fault].readsBody && !this.#ledger.answers(this.#book.keyOf(headers))
  }

  /** True when the step in line refuses the connection. */
  refusesNext(): boolean {
    const step = this.#player.upcoming()
    return step !== null && isFault(step) && step.fault === 'refuse'
  }

  /** Plays a `refuse` for a client that is about to connect. */
  refuseConnection(socket: number): void {
    const record = this.#book.arriveRefused(socket)
    const { attempt } = record
    this.#takeStep(attempt)
    attempt.result = 'refuse'
    attempt.endedAtMs = attempt.arrivedAtMs
    this.#book.publish(record, 'arrived')
    this.#book.publish(record, 'ended')
  }

  /** Records a request whose client went away before it was complete. It takes no step. */
  recordBrokenOff(request: ArrivedRequest): void {
    const record = this.#book.arrive(request)
    const { attempt } = record
    attempt.result = 'hang-up'
    attempt.hungUpAtMs = attempt.arrivedAtMs
    attempt.endedAtMs = attempt.arrivedAtMs
    this.#book.publish(record, 'arrived')
    this.#book.publish(record, 'hung-up')
  }

  /** Answers a request, from the ledger or with the next step. */
  handle(request: ArrivedRequest, wire: Wire): Exchange {
    const record = this.#book.arrive(request)
    const exchange = new Exchange(record, wire, this.#options.clock, (changed, change) => {
      if (exchange.over) this.#open.delete(exchange)
      this.#book.publish(changed, change)
    })
    this.#open.add(exchange)
    const play = this.#decide(request, record, exchange)
    this.#book.publish(record, 'arrived')
    // A client that is gone already has sent its request all the same: the step is taken and the work is done.
    if (wire.open) play()
    else exchange.hungUp()
    return exchange
  }

  attempts(): readonly Attempt[] {
    return this.#book.snapshots()
  }

  ledger(): Ledger {
    return this.#ledger.snapshot()
  }

  unplayed(): readonly Step[] {
    return this.#player.unplayed()
  }

  markSettled(): void {
    this.#book.markSettled()
  }

  /** The harness takes the connections away: nothing that is under way goes on, and nothing of it counts as the client's doing. */
  abandon(): void {
    for (const exchange of this.#open) exchange.abandon()
    this.#open.clear()
  }

  #decide(request: ArrivedRequest, record: AttemptRecord, exchange: Exchange): () => void {
    const { attempt } = record
    const known = this.#ledger.consult(attempt.idempotencyKey, attempt.bodyHash)
    if (known !== null) {
      attempt.ledger = known.mark
      return () => this.#answerKnown(known, request, attempt, exchange)
    }
    let step: Step
    try {
      step = this.#takeStep(attempt)
    } catch (error) {
      return () => this.#fail(error, exchange)
    }
    attempt.ledger = this.#enter(step, attempt)
    return isFault(step)
      ? () => this.#playFault(step, request, attempt, exchange)
      : () => this.#playResponse(step, request, attempt, exchange)
  }

  #takeStep(attempt: MutableAttempt): Step {
    const scheduled = asScheduled(attempt)
    const { step, index } = this.#player.next(scheduled, this.#history)
    if (this.#options.schedule.choose !== null) this.#history.push(scheduled)
    attempt.step = step
    attempt.stepIndex = index
    return step
  }

  #enter(step: Step, attempt: MutableAttempt): LedgerMark {
    if (!attempt.requestComplete || !accepts(step, attempt.method)) return 'none'
    if (this.#ledger.hasForgotten(attempt.idempotencyKey)) attempt.keyExpired = true
    return this.#ledger.accept({
      key: attempt.idempotencyKey,
      method: attempt.method,
      path: attempt.path,
      bodyHash: attempt.bodyHash,
      attempt: attempt.number,
      takesMs: step.delayMs ?? 0,
      result: () => resultOf(step, attempt),
    })
  }

  #playFault(step: FaultStep, request: ArrivedRequest, attempt: MutableAttempt, exchange: Exchange): void {
    exchange.after(step.delayMs ?? 0, () => {
      exchange.meet(step.fault)
      FAULTS[step.fault].play(exchange, () => this.#plan(SUCCESS, contentOf(SUCCESS, attempt), request, { cut: true }))
    })
  }

  #playResponse(step: ResponseStep, request: ArrivedRequest, attempt: MutableAttempt, exchange: Exchange): void {
    const answer = answerOf(step)
    exchange.after(step.delayMs ?? 0, () => {
      answer.play(exchange, this.#plan(step, contentOf(step, attempt), request, { cut: answer.cut }), step)
    })
  }

  #answerKnown(known: KnownWork, request: ArrivedRequest, attempt: MutableAttempt, exchange: Exchange): void {
    if (known.mark !== 'replay') {
      const step = REFUSALS[known.mark]
      plain.play(exchange, this.#plan(step, contentOf(step, attempt), request, {}), step)
      return
    }
    const { step, content } = known.result
    exchange.after(known.readyInMs, () => {
      plain.play(exchange, this.#plan(step, asReplay(content), request, { replayed: true }), step)
    })
  }

  #plan(
    step: ResponseStep,
    content: Content,
    request: ArrivedRequest,
    { cut = false, replayed = false }: { cut?: boolean; replayed?: boolean },
  ): AnswerPlan {
    return planAnswer(step, content, {
      method: request.method,
      prefix: request.target.prefix,
      // A refusal needs a client that connects: it is told to come back on a new connection.
      keepAlive: request.keepAlive && !this.refusesNext(),
      wallMs: this.#options.clock.wallMs(),
      cut,
      replayed,
    })
  }

  #fail(error: unknown, exchange: Exchange): void {
    exchange.meet('reset')
    exchange.breakOff('reset')
    if (this.#options.onError === undefined) throw error
    this.#options.onError(error)
  }
}
