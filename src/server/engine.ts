import { createPlayer, type Player } from '../schedule/player.js'
import { isFault, type ResponseStep, type ScheduledRequest, type Step } from '../schedule/model.js'
import type { Attempt, Ledger, LedgerMark } from '../trace/model.js'
import { createOperationIndex } from '../trace/operations.js'
import { planAnswer } from './answer-plan.js'
import { answerOf } from './answers/index.js'
import { prefixOf, readTarget, type Target } from './attribution.js'
import { bodyHash } from './body-hash.js'
import { asReplay, type Content, contentOf } from './content.js'
import { Exchange } from './exchange.js'
import { FAULTS } from './faults/index.js'
import { type KnownWork, type Result, WorkLedger } from './ledger.js'
import type { AttemptChange, ServerOptions } from './model.js'
import { AttemptRecord } from './record.js'
import type { Wire } from './wire.js'

/** A request as a transport hands it over. */
export interface ArrivedRequest {
  readonly target: Target
  readonly method: string
  /** Lower-case names; repeated ones joined by ', '. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** False when the body was not read to its end. */
  readonly complete: boolean
  /** Number of its connection: 1, 2, 3, ... */
  readonly socket: number
  /** The client wants to use the connection again. */
  readonly keepAlive: boolean
}

/** A 2xx is work that was done, unless reading was all that was asked for (RFC 9110 §9.2.1). */
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE']
const SUCCESS: ResponseStep = { status: 200 }
const EMPTY = new Uint8Array(0)

/**
 * Plays the script of one trial, whatever the transport: decides what each arrived request meets, keeps the ledger and the record.
 * Transports bring requests and wires; they decide nothing.
 */
export class Engine {
  readonly #options: ServerOptions
  readonly #player: Player
  readonly #ledger: WorkLedger
  readonly #records: AttemptRecord[] = []
  readonly #open = new Set<Exchange>()
  /** What a function schedule gets to see as its history. */
  readonly #history: ScheduledRequest[] = []
  readonly #announced = new Set<number | null>()
  readonly #publish: (record: AttemptRecord, change: AttemptChange) => void
  /** Refused connects whose request is not known yet. */
  #refused: AttemptRecord[] = []
  #operationOf = createOperationIndex()
  #settled = false

  constructor(options: ServerOptions) {
    this.#options = options
    this.#player = createPlayer(options.schedule)
    this.#ledger = new WorkLedger(options.dedup, options.keyExpiryMs ?? Number.POSITIVE_INFINITY, options.clock)
    const { onAttempt } = options
    this.#publish = onAttempt === undefined ? () => {} : (record, change) => onAttempt(record.snapshot(), change)
  }

  /** The prefix of a call; from now on requests without a prefix may be meant for it. */
  announce(callIndex: number | null): string {
    this.#announced.add(callIndex)
    return prefixOf(this.#options.token, callIndex)
  }

  /** null for a straggler of an earlier trial. */
  readTarget(requestTarget: string): Target | null {
    return readTarget(requestTarget, this.#options.token)
  }

  /** True when the step in line strikes before the body is read, and the request would take it. */
  strikesBeforeBody(headers: Readonly<Record<string, string>>): boolean {
    const step = this.#player.upcoming()
    return step !== null && isFault(step) && !FAULTS[step.fault].readsBody && !this.#ledger.answers(this.#keyOf(headers))
  }

  /** True when the step in line refuses the connection. */
  refusesNext(): boolean {
    const step = this.#player.upcoming()
    return step !== null && isFault(step) && step.fault === 'refuse'
  }

  /**
   * Plays a `refuse` for a client that is about to connect. Which request it wanted to send is not known: the attempt is recorded as
   * one more of the operation that its call is at, and put right when the call's next request arrives.
   */
  refuseConnection(socket: number): void {
    const call = this.#callOf(null, null)
    const before = this.#records.findLast(({ attempt }) => attempt.call === call)?.attempt
    const record = this.#add({ call, method: before?.method ?? '', path: before?.path ?? '', headers: {}, key: null, socket })
    const { attempt } = record
    const played = this.#player.next(this.#scheduled(attempt), this.#history)
    attempt.step = played.step
    attempt.stepIndex = played.index
    attempt.result = 'refuse'
    attempt.endedAtMs = attempt.arrivedAtMs
    this.#refused.push(record)
    this.#publish(record, 'arrived')
    this.#publish(record, 'ended')
  }

  /** Records a request whose client went away before it was complete. No step is played for it. */
  recordBrokenOff(request: ArrivedRequest): void {
    const { attempt } = this.#arrive(request)
    attempt.result = 'hang-up'
    attempt.hungUpAtMs = attempt.arrivedAtMs
    attempt.endedAtMs = attempt.arrivedAtMs
    const record = this.#records.at(-1)!
    this.#publish(record, 'arrived')
    this.#publish(record, 'hung-up')
  }

  /** Answers a request, from the ledger or with the next step. */
  handle(request: ArrivedRequest, wire: Wire): Exchange {
    const record = this.#arrive(request)
    const exchange = new Exchange(record, wire, this.#options.clock, (changed, change) => {
      if (exchange.over) this.#open.delete(exchange)
      this.#publish(changed, change)
    })
    this.#open.add(exchange)
    const play = this.#decide(request, record, exchange)
    this.#publish(record, 'arrived')
    if (wire.open) play()
    else exchange.hungUp()
    return exchange
  }

  attempts(): readonly Attempt[] {
    return this.#records.map((record) => record.snapshot())
  }

  ledger(): Ledger {
    return this.#ledger.snapshot()
  }

  unplayed(): readonly Step[] {
    return this.#player.unplayed()
  }

  /** Who a request without an index in its prefix belongs to. */
  callOf(target: Target): number | null {
    return target.call ?? this.#callOf(null, null)
  }

  markSettled(): void {
    this.#settled = true
  }

  /** The harness takes every connection away. */
  abandon(): void {
    for (const exchange of this.#open) exchange.abandon()
    this.#open.clear()
  }
}
