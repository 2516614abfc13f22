import type { ScheduledRequest } from '../schedule/model.js'
import type { Attempt } from '../trace/model.js'
import { createOperationIndex } from '../trace/operations.js'
import { prefixOf, type Target } from './attribution.js'
import { bodyHash } from './body-hash.js'
import type { AttemptChange, ServerOptions } from './model.js'
import { AttemptRecord, type MutableAttempt } from './record.js'

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

/** What the records of a transport hang on. */
export type BookOptions = Pick<ServerOptions, 'clock' | 'keyHeader' | 'token' | 'attribute' | 'asked' | 'onAttempt'>

const EMPTY = new Uint8Array(0)

/** The attempts of one trial: numbers them, attributes them to calls and operations, and tells whoever listens. */
export class AttemptBook {
  readonly #options: BookOptions
  readonly #records: AttemptRecord[] = []
  readonly #announced = new Set<number | null>()
  /** Refused connects whose request is not known yet. */
  #refused: AttemptRecord[] = []
  #operationOf = createOperationIndex()
  #settled = false

  constructor(options: BookOptions) {
    this.#options = options
  }

  /** The prefix of a call. */
  announce(callIndex: number | null): string {
    this.#announced.add(callIndex)
    return prefixOf(this.#options.token, callIndex)
  }

  /** A request without an index in its prefix belongs to whom `attribute` says; without that, to the only call there is. */
  callOf(target: Target | null, key: string | null): number | null {
    if (target !== null && target.call !== null) return target.call
    const { attribute } = this.#options
    if (attribute !== undefined) return attribute(key)
    return this.#announced.size === 1 && this.#announced.has(0) ? 0 : null
  }

  keyOf(headers: Readonly<Record<string, string>>): string | null {
    return headers[this.#options.keyHeader] || null
  }

  markSettled(): void {
    this.#settled = true
  }

  publish(record: AttemptRecord, change: AttemptChange): void {
    this.#options.onAttempt?.(record.snapshot(), change)
  }

  snapshots(): readonly Attempt[] {
    return this.#records.map((record) => record.snapshot())
  }

  /** Enters a request. */
  arrive(request: ArrivedRequest): AttemptRecord {
    const { target, method, headers, body, complete, socket } = request
    const idempotencyKey = this.keyOf(headers)
    const call = this.callOf(target, idempotencyKey)
    if (this.#refused.length > 0) this.#identifyRefused(call, method, target.path)
    return this.#add({
      ...this.#blank(call, method, target.path, socket),
      headers,
      idempotencyKey,
      body,
      bodyHash: bodyHash(body, headers['content-type']),
      requestComplete: complete,
    })
  }

  /**
   * Enters a connection that was refused. Which request it was for is not known: it counts as one more of the operation that its call
   * was at, or as what the call asks for if that has sent nothing, and is put right when the call's next request arrives.
   */
  arriveRefused(socket: number): AttemptRecord {
    const call = this.callOf(null, null)
    const before = this.#records.findLast(({ attempt }) => attempt.call === call)?.attempt ?? this.#options.asked
    const record = this.#add({ ...this.#blank(call, before?.method ?? '', before?.path ?? '', socket), requestComplete: false })
    this.#refused.push(record)
    return record
  }

  #identifyRefused(call: number | null, method: string, path: string): void {
    const own = this.#refused.filter(({ attempt }) => attempt.call === call)
    if (own.length === 0) return
    this.#refused = this.#refused.filter((record) => !own.includes(record))
    for (const { attempt } of own) Object.assign(attempt, { method, path })
    // A guess may have opened an operation that does not exist, so all are numbered anew.
    this.#operationOf = createOperationIndex()
    for (const { attempt } of this.#records) attempt.operation = this.#operationOf(attempt)
    for (const record of own) this.publish(record, 'ended')
  }

  #add(attempt: MutableAttempt): AttemptRecord {
    const record = new AttemptRecord(attempt)
    this.#records.push(record)
    return record
  }

  #blank(call: number | null, method: string, path: string, socket: number): MutableAttempt {
    return {
      number: this.#records.length + 1,
      call,
      operation: this.#operationOf({ call, method, path }),
      method,
      path,
      headers: {},
      idempotencyKey: null,
      body: EMPTY,
      bodyHash: bodyHash(EMPTY, undefined),
      requestComplete: true,
      arrivedAtMs: this.#options.clock.nowMs(),
      headersAtMs: null,
      servedWallMs: null,
      endedAtMs: null,
      hungUpAtMs: null,
      socket,
      step: null,
      stepIndex: null,
      status: null,
      result: 'open',
      answerHeaders: [],
      answerBody: EMPTY,
      answerComplete: false,
      ledger: 'none',
      afterSettling: this.#settled,
    }
  }
}

/** An attempt as a function schedule sees it; its text is made only when it is asked for. */
export const asScheduled = (attempt: Attempt): ScheduledRequest => ({
  attempt: attempt.number,
  call: attempt.call ?? 0,
  method: attempt.method,
  path: attempt.path,
  headers: attempt.headers,
  idempotencyKey: attempt.idempotencyKey,
  arrivedAtMs: attempt.arrivedAtMs,
  get body() {
    return Buffer.from(attempt.body).toString()
  },
})
