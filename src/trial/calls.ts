import type { Clock } from '../clock/model.js'
import type { ScriptedServer } from '../server/model.js'
import type { Attempt, CallRecord, Outcome } from '../trace/model.js'
import { ClientSetupError } from './client.js'
import type { Call, Client } from './model.js'
import type { CallRequest, ResolvedOptions } from './options.js'
import { settle } from './outcome.js'
import { type WatchedSignal, watchSignal } from './signal.js'

/** Which parts of a call the client ever read: what it never asked for cannot have been dropped on the way. */
export type CallPart = 'method' | 'body' | 'signal' | 'idempotencyKey'

/** Where the calls go: the scripted server, or a proxy to a real one. */
export type Answering = Pick<ScriptedServer, 'baseUrl' | 'attempts'>

interface OpenCall {
  readonly index: number
  readonly key: string | undefined
  readonly watched: WatchedSignal
  startedAtMs: number
  settledAtMs: number | null
  abortedAtMs: number | null
  outcome: Outcome | null
}

/** Makes the calls of a trial on one client and keeps their record. */
export class CallDriver {
  readonly read = new Set<CallPart>()
  readonly #open: OpenCall[] = []
  #instance: unknown
  #created = false
  readonly #client: Client
  readonly #options: ResolvedOptions
  readonly #server: Answering
  readonly #clock: Clock

  constructor(client: Client, options: ResolvedOptions, server: Answering, clock: Clock) {
    this.#client = client
    this.#options = options
    this.#server = server
    this.#clock = clock
  }

  /** Runs every call, `concurrency` at a time, and settles when the last one has. Never rejects because a call did. */
  async runAll(): Promise<void> {
    const { calls, concurrency } = this.#options
    this.#instance = await this.#setUp('create', () =>
      this.#client.implementation.create({ baseURL: this.#server.baseUrl(null) }),
    )
    this.#created = true
    let next = 0
    const worker = async () => {
      while (next < calls) await this.#runOne(next++)
    }
    await Promise.all(Array.from({ length: Math.min(concurrency, calls) }, worker))
  }

  /** Lets the client close what it holds. */
  async dispose(): Promise<void> {
    if (this.#created) await this.#setUp('dispose', () => this.#client.implementation.dispose?.(this.#instance))
  }

  /** What fails around the calls is no behaviour of the client under faults: it is thrown, under the client's name. */
  async #setUp<T>(step: 'create' | 'dispose', act: () => T | Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      throw new ClientSetupError(`${this.#client.name}: ${step} failed: ${message}`, { cause: error })
    }
  }

  async #runOne(index: number): Promise<void> {
    const record: OpenCall = {
      index,
      key: this.#options.request.keyOf(index),
      watched: watchSignal(),
      startedAtMs: this.#clock.nowMs(),
      settledAtMs: null,
      abortedAtMs: null,
      outcome: null,
    }
    this.#open.push(record)
    const { abort, abortAtMs } = this.#options
    if (abort === 'before-call') this.#abort(record)
    const cancel = abortAtMs === null ? undefined : this.#clock.after(abortAtMs, () => this.#abort(record))
    record.outcome = await settle(() => this.#client.implementation.call(this.#instance, this.#callFor(record)))
    record.settledAtMs = this.#clock.nowMs()
    cancel?.()
  }

  /** Tells every call that is still open to stop; its record stays as it is. */
  abortAll(): void {
    for (const call of this.#open) if (call.settledAtMs === null) call.watched.abort()
  }

  /** Tells the caller's side what happened on the wire, for aborts that are bound to an event. */
  onAttempt(attempt: Attempt, change: 'arrived' | 'headers' | 'ended' | 'hung-up'): void {
    const { abort } = this.#options
    const record = this.#open[attempt.call ?? 0]
    if (record === undefined || abort === null || abort === 'before-call' || record.abortedAtMs !== null) return
    const nth = this.#server.attempts().filter((other) => other.call === attempt.call && other.number <= attempt.number).length
    const due =
      (abort === 'during-attempt' && change === 'arrived') ||
      (abort === 'during-body' && change === 'headers') ||
      (abort === 'during-wait' && change === 'ended') ||
      (typeof abort === 'object' && change === 'arrived' && nth === abort.onAttempt)
    // At the next quiescent point: the client has read all that was sent, and is where the plan wants it.
    if (due) this.#clock.atQuiescence(() => this.#abort(record))
  }

  #abort(record: OpenCall): void {
    if (record.abortedAtMs !== null || record.settledAtMs !== null) return
    record.abortedAtMs = this.#clock.nowMs()
    record.watched.abort()
  }

  #callFor(record: OpenCall): Call {
    const { request, keyHeader } = this.#options
    const { read } = this
    const baseURL = this.#server.baseUrl(record.index)
    return {
      url: baseURL + request.path,
      baseURL,
      index: record.index,
      headers: headersOf(request, keyHeader, record.key),
      get method() {
        read.add('method')
        return request.method
      },
      get body() {
        read.add('body')
        return request.body
      },
      get idempotencyKey() {
        read.add('idempotencyKey')
        return record.key
      },
      get signal() {
        read.add('signal')
        return record.watched.signal
      },
    }
  }

  /** The call that a request without an index in its prefix belongs to: the one with its key, or the only one under way. */
  attribute(idempotencyKey: string | null): number | null {
    const byKey = idempotencyKey === null ? undefined : this.#open.findLast((call) => call.key === idempotencyKey)
    if (byKey !== undefined) return byKey.index
    const underWay = this.#open.filter((call) => call.settledAtMs === null)
    if (underWay.length === 1) return underWay[0]!.index
    // After settling a straggler can only belong to the one call there was.
    return this.#options.calls === 1 ? 0 : null
  }

  /** The listeners that finished calls left on their signals. */
  abortListeners(): readonly string[] {
    return this.#open.filter((call) => call.settledAtMs !== null).flatMap((call) => call.watched.listeners())
  }

  /** The record of each call; calls that never settled get `unsettled`. */
  records(unsettled: Outcome): readonly CallRecord[] {
    const { request } = this.#options
    return this.#open.map((call) => ({
      index: call.index,
      method: request.method,
      path: request.path,
      idempotencyKey: call.key ?? null,
      startedAtMs: call.startedAtMs,
      settledAtMs: call.settledAtMs,
      abortedAtMs: call.abortedAtMs,
      ...(call.abortedAtMs === null ? {} : { abortedBeforeCall: this.#options.abort === 'before-call' }),
      outcome: call.outcome ?? unsettled,
    }))
  }
}

function headersOf(request: CallRequest, keyHeader: string, key: string | undefined): Record<string, string> {
  return {
    ...(request.body === undefined ? {} : { 'content-type': request.contentType }),
    ...(key === undefined ? {} : { [keyHeader]: key }),
    ...request.headers,
  }
}
