import { adoptTicks } from './adopt.js'
import { DriveLoop } from './drive-loop.js'
import { runDeferredCleanups } from './hooks/finalization.js'
import { passMocks } from './hooks/sockets.js'
import type { Kernel } from './kernel.js'
import type {
  Clock,
  ClockOptions,
  ClockRun,
  DriveResult,
  ForeignConnection,
  PendingTimer,
  TimerOverflow,
  UnsettledReason,
} from './model.js'
import { describePending, pendingTimers } from './pending-report.js'
import type { ScopedRun } from './test-scope.js'
import { enterTest, leaveTest } from './test-scope.js'
import { VirtualClock } from './virtual-clock.js'

const DAY_MS = 86_400_000
const MAX_VIRTUAL_MS = 30 * DAY_MS
const MAX_EVENTS = 200_000
const REAL_STALL_MS = 5000
const DEADLOCK_GRACE_MS = 200
const LINGER_MAX_EVENTS = 2000

/** A run under virtual time. */
export class VirtualClockRun implements ClockRun, ScopedRun {
  readonly stopped: Promise<void>
  #tellStopped = () => {}
  readonly #kernel: Kernel
  readonly #clock: VirtualClock
  readonly #loop: DriveLoop
  readonly #body = { isOver: false }
  readonly #options: ClockOptions

  constructor(kernel: Kernel, options: ClockOptions) {
    this.#kernel = kernel
    this.#options = options
    this.#clock = new VirtualClock(kernel, options)
    this.#loop = new DriveLoop(kernel, this.#clock, options.realStallMs ?? REAL_STALL_MS)
    passMocks(kernel)
    this.stopped = new Promise((resolve) => {
      this.#tellStopped = resolve
    })
    kernel.sockets.renumber()
    kernel.virtual = this.#clock
    enterTest(this.#clock, this)
    // At once and not at the first quiescent point: until then undici could still count a tick of real time.
    adoptTicks(kernel)
  }

  get clock(): Clock {
    return this.#clock
  }

  async drive(body: () => Promise<unknown>): Promise<DriveResult> {
    let settledAtMs: number | null = null
    const settle = () => {
      settledAtMs = this.#clock.nowMs()
    }
    this.#kernel.bodies.run(this.#body, () => startBody(body)).then(settle, settle)
    const how = await this.#loop.advance({
      isReached: () => settledAtMs !== null,
      lastMs: this.#options.maxVirtualMs ?? MAX_VIRTUAL_MS,
      maxEvents: this.#options.maxEvents ?? MAX_EVENTS,
      graceMs: this.#options.deadlockGraceMs ?? DEADLOCK_GRACE_MS,
    })
    return how === 'reached' ? { kind: 'settled', atMs: settledAtMs! } : this.#unsettled(how)
  }

  async linger(forMs: number, maxEvents = LINGER_MAX_EVENTS): Promise<void> {
    const lastMs = this.#clock.nowMs() + forMs
    await this.#loop.advance({ isReached: () => false, lastMs, maxEvents, graceMs: 0 })
  }

  pendingTimers(): readonly PendingTimer[] {
    return pendingTimers(this.#clock)
  }

  overflows(): readonly TimerOverflow[] {
    return [...this.#clock.records.overflows]
  }

  foreignConnections(): readonly ForeignConnection[] {
    return [...this.#clock.records.foreignConnections]
  }

  relapses(): number {
    return this.#loop.relapses
  }

  abandon(): void {
    this.#clock.abandon()
    if (!this.#loop.isSpinning) return
    for (const immediate of this.#kernel.immediatesOfRun) clearImmediate(immediate)
  }

  interrupt(): void {
    this.#loop.interrupt()
  }

  stop(): void {
    if (this.#kernel.virtual !== this.#clock) return
    this.#kernel.virtual = null
    this.#body.isOver = true
    leaveTest(this.#clock, this)
    this.#tellStopped()
    this.#clock.stop()
    this.#kernel.heldSignals.length = 0
    runDeferredCleanups(this.#kernel)
  }

  #unsettled(reason: UnsettledReason): DriveResult {
    return {
      kind: 'unsettled',
      reason,
      atMs: this.#clock.nowMs(),
      pending: describePending(this.#kernel, this.#clock, this.#loop, reason),
    }
  }
}

/** A body that throws at once is one whose promise rejects. */
export const startBody = async (body: () => Promise<unknown>): Promise<unknown> => body()
