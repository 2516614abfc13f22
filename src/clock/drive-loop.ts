import { IMMEDIATES_PENDING, MESSAGE_UNDER_WAY } from './accounting.js'
import { adoptTicks } from './adopt.js'
import { FakeTimersError } from './errors.js'
import { fakeTimersReason } from './host.js'
import type { Kernel } from './kernel.js'
import type { UnsettledReason } from './model.js'
import type { VirtualClock } from './virtual-clock.js'

/** How far to go. */
export interface DriveGoal {
  isReached(): boolean
  /** Virtual time that may not be passed. */
  readonly lastMs: number
  readonly maxEvents: number
  /** Real time to wait, with nothing armed, for work that the clock cannot see. */
  readonly graceMs: number
}

/** Turns of the event loop in which nothing goes on before time moves. One is enough; the second one proves it (see `relapses`). */
const QUIET_TURNS = 2

/** So many turns in which nothing but immediates is pending are no chain of them, but somebody who polls. */
const POLLING_TURNS = 10_000

/** So many turns are spun through without waiting; after that, I/O that takes its time is waited for at a rest. */
const SPINNING_TURNS = 500
const REST_MS = 1

/** So many connections without a moment of quiet are no burst of calls, but a client that tries again what fails at once. */
const MOST_CONNECTIONS = 5_000

/** What is said of a run whose test is over. */
const INTERRUPTED = 'the test that it was begun in is over'

/** Go on with the next turn of the event loop, or after a moment; or how it ended. */
type Next = 'turn' | 'rest' | 'reached' | UnsettledReason

/** Turns the event loop until everything is quiet, then does the next thing, again and again. */
export class DriveLoop {
  relapses = 0
  /** What kept the clock busy when it stalled, or which limit was passed. */
  detail = ''
  /** It ended in the midst of what a client does again and again without waiting. */
  isSpinning = false
  readonly #kernel: Kernel
  readonly #clock: VirtualClock
  readonly #realStallMs: number
  #goal!: DriveGoal
  #end!: (how: 'reached' | UnsettledReason) => void
  #fail!: (error: unknown) => void
  #quietTurns = 0
  #busyTurns = 0
  #busyReason: string | null = null
  /** Real time since which the same thing keeps the clock busy, or nothing is armed. */
  #sinceMs = 0
  #isStuck = false
  #isInterrupted = false
  #events = 0
  #connectionsBefore = 0

  constructor(kernel: Kernel, clock: VirtualClock, realStallMs: number) {
    this.#kernel = kernel
    this.#clock = clock
    this.#realStallMs = realStallMs
  }

  /** Rejects for what is not the client's doing: an error of the server's code, or fake timers. */
  advance(goal: DriveGoal): Promise<'reached' | UnsettledReason> {
    this.#goal = goal
    this.#quietTurns = 0
    this.#events = 0
    this.#connectionsBefore = this.#kernel.sockets.begun
    this.isSpinning = false
    this.#busyTurns = 0
    this.#busyReason = null
    this.#isStuck = false
    return new Promise((resolve, reject) => {
      this.#end = resolve
      this.#fail = reject
      this.#proceed('turn')
    })
  }

  /** From now on every advance ends where the client waits, or after a moment, without anything being fired. */
  interrupt(): void {
    this.#isInterrupted = true
    this.#quietTurns = 0
    this.#busyTurns = 0
  }

  readonly #turn = (): void => {
    this.#kernel.readsInTurn = 0
    try {
      this.#proceed(this.#step())
    } catch (error) {
      this.#fail(error)
    }
  }

  #proceed(next: Next): void {
    if (next === 'turn') this.#kernel.real.setImmediate(this.#turn)
    else if (next === 'rest') this.#kernel.inRealTime(() => this.#kernel.real.setTimeout(this.#turn, REST_MS))
    else this.#end(next)
  }

  #step(): Next {
    const reason = this.#clock.accounting.busy()
    if (this.#isInterrupted) return this.#interruptedStep(reason)
    return reason === null ? this.#quietStep() : this.#busyStep(reason)
  }

  #interruptedStep(reason: string | null): Next {
    if (reason === null ? ++this.#quietTurns < QUIET_TURNS : ++this.#busyTurns < SPINNING_TURNS) return 'turn'
    this.detail = reason ?? INTERRUPTED
    this.isSpinning = reason === IMMEDIATES_PENDING
    return this.#goal.isReached() ? 'reached' : 'stall'
  }

  #busyStep(reason: string): Next {
    // While nothing is armed, only work that the clock cannot see could wake it: no fault of the accounting. Nor is a message of vitest's.
    if (this.#quietTurns > 0 && !this.#isStuck && reason !== MESSAGE_UNDER_WAY) this.relapses++
    this.#quietTurns = 0
    this.#isStuck = false
    if (reason !== this.#busyReason) {
      this.#busyReason = reason
      this.#busyTurns = 0
      this.#sinceMs = this.#kernel.real.performanceNow()
    }
    this.#busyTurns++
    const isPolling = reason === IMMEDIATES_PENDING
    if (isPolling && this.#busyTurns % POLLING_TURNS === 0) {
      const next = this.#polledStep()
      if (next !== null) return next
    }
    // A client that tries at once what fails at once is never found waiting.
    const connections = this.#kernel.sockets.begun - this.#connectionsBefore
    if (connections > Math.min(this.#goal.maxEvents, MOST_CONNECTIONS)) {
      this.isSpinning = true
      this.detail = `${connections} connections have been begun one after the other without a pause`
      return this.#goal.isReached() ? 'reached' : 'runaway'
    }
    if (this.#busyTurns < SPINNING_TURNS) return 'turn'
    if (this.#kernel.real.performanceNow() - this.#sinceMs < this.#realStallMs) return isPolling ? 'turn' : 'rest'
    this.detail = reason
    this.isSpinning = isPolling
    return this.#goal.isReached() ? 'reached' : 'stall'
  }

  /** Somebody polls by setImmediate for what only the next event can bring about: then nothing else goes on. */
  #polledStep(): Next | null {
    if (this.#clock.accounting.busyBesidesImmediates() !== null) return null
    return this.#goal.isReached() ? 'reached' : this.#nextEvent()
  }

  #quietStep(): Next {
    this.#busyReason = null
    this.#connectionsBefore = this.#kernel.sockets.begun
    const fakes = fakeTimersReason(this.#kernel)
    if (fakes !== null) throw new FakeTimersError(`${fakes} during a trial: remove it, the trial's own clock moves time`)
    this.#clock.noteStrangers()
    if (this.#goal.isReached()) return 'reached'
    if (++this.#quietTurns < QUIET_TURNS) return 'turn'
    this.#quietTurns = 0
    return this.#nextEvent() ?? this.#nothingArmed()
  }

  /** Does the next thing; null if nothing is armed. */
  #nextEvent(): Next | null {
    // Only here, where everything is quiet: whoever is stopped must be found waiting, or it goes on in the next trial.
    if (this.#events >= this.#goal.maxEvents && this.#clock.hasNext) {
      this.detail = `${this.#events} timers and requests have been handled`
      return 'runaway'
    }
    if (this.#clock.dispatches.runNext()) return this.#afterEvent()
    if (adoptTicks(this.#kernel) > 0) return 'turn'
    const dueMs = this.#clock.nextDueMs()
    if (dueMs === undefined) return null
    if (dueMs > this.#goal.lastMs) {
      this.detail = `the next timer is due after ${this.#goal.lastMs} ms of virtual time`
      return 'runaway'
    }
    this.#clock.fireNext()
    return this.#afterEvent()
  }

  #afterEvent(): Next {
    this.#isStuck = false
    this.#busyReason = null
    this.#events++
    return 'turn'
  }

  #nothingArmed(): Next {
    const now = this.#kernel.real.performanceNow()
    if (!this.#isStuck) {
      this.#isStuck = true
      this.#sinceMs = now
    }
    return now - this.#sinceMs >= this.#goal.graceMs ? 'deadlock' : 'rest'
  }
}
