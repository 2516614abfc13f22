import type { Server, Socket } from 'node:net'
import { DispatchQueue } from './dispatch-queue.js'
import { passMocks } from './hooks/sockets.js'
import type { ConnectionTarget, Kernel, Run } from './kernel.js'
import type { Clock, ClockOptions, ClockRun, DriveResult, ForeignConnection, PendingTimer, TimerOverflow } from './model.js'
import type { SeededRandom } from './random.js'
import { seededRandom } from './random.js'
import { RunRecords } from './run-records.js'
import { enterTest } from './test-scope.js'
import { startBody } from './virtual-run.js'
import { wallClockOffset } from './wall-clock.js'

/** Node's timers hold no more; a longer delay is made of several. */
const MAX_DELAY_MS = 2 ** 31 - 1

/** Turns of the loop in which input that is there already reaches its reader. */
const SETTLING_TURNS = 3

/** The monotonic clock of the process. Several may be in use at once: what is whose, the async context tells. */
class RealClock implements Clock, Run {
  readonly kind = 'real'
  readonly random: SeededRandom | null
  readonly records: RunRecords
  readonly #kernel: Kernel
  readonly #startMs: number
  readonly #dispatches = new DispatchQueue()
  readonly #cancellations = new Set<() => void>()
  readonly #offsetAt: (nowMs: number) => number

  constructor(kernel: Kernel, options: ClockOptions) {
    this.#kernel = kernel
    this.#startMs = kernel.real.performanceNow()
    this.random = options.seed === null ? null : seededRandom(options.seed ?? 1)
    this.records = new RunRecords(options.allowHosts ?? [])
    this.#offsetAt = wallClockOffset(options.wallClockOffsetMs)
  }

  nowMs(): number {
    return this.#kernel.real.performanceNow() - this.#startMs
  }

  wallMs(): number {
    return this.#kernel.real.dateNow.call(this.#kernel.real.Date) + this.#offsetAt(this.nowMs())
  }

  after(delayMs: number, fn: () => void): () => void {
    if (!(delayMs >= 0)) throw new RangeError(`clock.after: delayMs must be a number of milliseconds from 0 on, got ${delayMs}`)
    const dueAtMs = this.nowMs() + delayMs
    let timer: NodeJS.Timeout | undefined
    const cancel = () => {
      this.#kernel.real.clearTimeout(timer)
      this.#cancellations.delete(cancel)
    }
    // Node's timers may come up to a millisecond early by this clock, and hold no more than MAX_DELAY_MS.
    const wait = () => {
      const remainingMs = dueAtMs - this.nowMs()
      if (remainingMs > 0) {
        timer = this.#kernel.real.setTimeout(wait, Math.min(Math.ceil(remainingMs), MAX_DELAY_MS))
        return
      }
      this.#cancellations.delete(cancel)
      fn()
    }
    this.#cancellations.add(cancel)
    if (delayMs === 0) timer = this.#kernel.real.setTimeout(wait, 0)
    else wait()
    return cancel
  }

  atQuiescence(fn: () => void, order?: () => number): void {
    this.#dispatches.add(fn, order)
    this.#kernel.real.setImmediate(() => this.#dispatches.runNext())
  }

  adoptServer(server: Server): void {
    this.#kernel.sockets.adopt(server, this.records.addServer(server))
  }

  socketOrder(serverSideSocket: Socket): number {
    return this.#kernel.sockets.orderOf(serverSideSocket)
  }

  /** Real time does not stand still for anybody. */
  track<T>(promise: Promise<T>): Promise<T> {
    return promise
  }

  beginJob(): () => void {
    return () => {}
  }

  noteOverflow(requestedMs: number): void {
    this.records.noteOverflow(this.nowMs(), requestedMs)
  }

  refuseConnection(target: ConnectionTarget): Error | null {
    return this.records.refuseConnection(this.nowMs(), target, this.#kernel.isLeftOver)
  }

  stop(): void {
    this.#dispatches.clear()
    for (const cancel of [...this.#cancellations]) cancel()
  }
}

/** A run in real time: the same shape, but nothing to move, and nothing known of timers. */
export class RealClockRun implements ClockRun {
  readonly #kernel: Kernel
  readonly #clock: RealClock

  constructor(kernel: Kernel, options: ClockOptions) {
    this.#kernel = kernel
    this.#clock = new RealClock(kernel, options)
    passMocks(kernel)
    if (kernel.realRuns.size === 0) kernel.sockets.renumber()
    kernel.realRuns.add(this.#clock)
    enterTest(this.#clock)
  }

  get clock(): Clock {
    return this.#clock
  }

  async drive(body: () => Promise<unknown>): Promise<DriveResult> {
    // Its rejection is the trial's business, which looks at the calls one by one.
    await this.#kernel.realRun.run(this.#clock, () => startBody(body)).catch(() => {})
    return { kind: 'settled', atMs: this.#clock.nowMs() }
  }

  async linger(): Promise<void> {
    for (let turn = 0; turn < SETTLING_TURNS; turn++) await new Promise((resolve) => this.#kernel.real.setImmediate(resolve))
  }

  pendingTimers(): readonly PendingTimer[] {
    return []
  }

  overflows(): readonly TimerOverflow[] {
    return [...this.#clock.records.overflows]
  }

  foreignConnections(): readonly ForeignConnection[] {
    return [...this.#clock.records.foreignConnections]
  }

  relapses(): number {
    return 0
  }

  /** In real time a call that does not settle is the test's own time-out; there is nothing to cancel. */
  abandon(): void {}

  stop(): void {
    this.#kernel.realRuns.delete(this.#clock)
    this.#clock.stop()
  }
}
