import type { Server, Socket } from 'node:net'
import { Accounting } from './accounting.js'
import { DispatchQueue } from './dispatch-queue.js'
import { fireTimer, forgetRun, releaseTimer } from './hooks/timeout.js'
import type { ConnectionTarget, Kernel, TimerState, VirtualRun } from './kernel.js'
import type { Clock, ClockOptions } from './model.js'
import { captureCreation, describeOrigin } from './origin.js'
import type { SeededRandom } from './random.js'
import { seededRandom } from './random.js'
import { RunRecords } from './run-records.js'
import type { HeapEntry } from './timer-heap.js'
import { TimerHeap } from './timer-heap.js'
import { VIRTUAL_EPOCH_MS, wallClockOffset } from './wall-clock.js'

/** Something the server or the trial wants to do later. */
interface Alarm extends HeapEntry {
  readonly fn: () => void
}

const isTimer = (entry: TimerState | Alarm): entry is TimerState => 'timer' in entry

/** Time that moves only when it is told to: a heap of what is due, and a place to read the moment from. */
export class VirtualClock implements Clock, VirtualRun {
  readonly kind = 'virtual'
  readonly random: SeededRandom | null
  readonly records: RunRecords
  readonly accounting: Accounting
  readonly dispatches = new DispatchQueue()
  readonly #kernel: Kernel
  readonly #heap = new TimerHeap<TimerState | Alarm>()
  readonly #offsetAt: (nowMs: number) => number
  #nowMs = 0
  #lastSequence = 0
  #isStopped = false

  constructor(kernel: Kernel, options: ClockOptions) {
    this.#kernel = kernel
    this.random = options.seed === null ? null : seededRandom(options.seed ?? 1)
    this.records = new RunRecords(options.allowHosts ?? [])
    this.accounting = new Accounting(kernel)
    this.#offsetAt = wallClockOffset(options.wallClockOffsetMs)
  }

  nowMs(): number {
    return this.#nowMs
  }

  wallMs(): number {
    return VIRTUAL_EPOCH_MS + this.#nowMs + this.#offsetAt(this.#nowMs)
  }

  after(delayMs: number, fn: () => void): () => void {
    if (!(delayMs >= 0)) throw new RangeError(`clock.after: delayMs must be a number of milliseconds from 0 on, got ${delayMs}`)
    const alarm: Alarm = { fn, dueAtMs: this.#nowMs + Math.trunc(delayMs), sequence: ++this.#lastSequence, heapIndex: -1 }
    if (!this.#isStopped && delayMs !== Number.POSITIVE_INFINITY) this.#heap.add(alarm)
    return () => this.#heap.remove(alarm)
  }

  atQuiescence(fn: () => void, order?: () => number): void {
    if (!this.#isStopped) this.dispatches.add(fn, order)
  }

  adoptServer(server: Server): void {
    this.#kernel.sockets.adopt(server, this.records.addServer(server))
  }

  socketOrder(serverSideSocket: Socket): number {
    return this.#kernel.sockets.orderOf(serverSideSocket)
  }

  unreadBytes(serverSideSocket: Socket): number {
    return this.#kernel.sockets.unreadBytes(serverSideSocket)
  }

  track<T>(promise: Promise<T>): Promise<T> {
    return this.accounting.track(promise)
  }

  beginJob(name: string): () => void {
    return this.accounting.beginJob(name)
  }

  noteMessage(): void {
    this.accounting.noteMessage()
  }

  noteOverflow(requestedMs: number): void {
    this.records.noteOverflow(this.#nowMs, requestedMs)
  }

  refuseConnection(target: ConnectionTarget): Error | null {
    return this.records.refuseConnection(this.#nowMs, target, this.#kernel.isLeftOver)
  }

  arm(state: TimerState): void {
    if (state.owner === this) this.#heap.remove(state)
    else state.owner?.disarm(state)
    state.owner = this
    state.creation ??= captureCreation()
    state.dueAtMs = this.#nowMs + Math.trunc(state.delayMs)
    state.sequence = ++this.#lastSequence
    this.#heap.add(state)
  }

  disarm(state: TimerState): void {
    this.#heap.remove(state)
    forgetRun(state)
  }

  noteStrangers(): void {
    for (const socket of this.#kernel.sockets.strangers()) this.records.noteStranger(this.#nowMs, socket)
  }

  /** Whether anything is left to do. */
  get hasNext(): boolean {
    return this.dispatches.size > 0 || this.nextDueMs() !== undefined
  }

  /** When the next thing is due; undefined if nothing is armed. */
  nextDueMs(): number | undefined {
    return this.#heap.first?.dueAtMs
  }

  /** Moves time to the next thing that is due and does it: one only, even if others are due at the same moment. */
  fireNext(): void {
    const entry = this.#heap.first!
    this.#heap.remove(entry)
    this.#nowMs = entry.dueAtMs
    if (isTimer(entry)) fireTimer(this.#kernel, entry)
    else entry.fn()
  }

  /** The armed timers of the clients, soonest first; the server's alarms are not among them. */
  armedTimers(): TimerState[] {
    return this.#heap.inOrder().filter(isTimer)
  }

  /** Timers of node's own code stay: its pools and parsers outlive a trial. */
  abandon(): void {
    for (const { timer, creation } of this.armedTimers()) {
      if (describeOrigin(creation).byUserCode) clearTimeout(timer)
    }
  }

  /** The end of the run: what is armed goes on in real time, the server's alarms are dropped. */
  stop(): void {
    this.#isStopped = true
    this.dispatches.clear()
    for (const entry of this.#heap.clear()) {
      if (!isTimer(entry)) continue
      forgetRun(entry)
      releaseTimer(entry, entry.dueAtMs - this.#nowMs)
    }
  }
}
