import { AsyncLocalStorage } from 'node:async_hooks'
import { BusyWaitError } from './errors.js'
import type { ClockKind } from './model.js'
import type { SeededRandom } from './random.js'
import type { RealTime } from './real-time.js'
import { captureRealTime } from './real-time.js'
import { SocketRegistry } from './socket-registry.js'
import type { HeapEntry } from './timer-heap.js'

/** Node's timer object, with the undocumented properties that the clock lives on (the same on Node 20 to 26). */
export type NodeTimer = NodeJS.Timeout & {
  _timerArgs: unknown[] | undefined
  _repeat: number | null
  _destroyed: boolean
  _idleTimeout: number
  _idleStart: number | null
  _idleNext: NodeTimer | null
}

/** What the clock knows about one timer object. */
export interface TimerState extends HeapEntry {
  readonly timer: NodeTimer
  /** The delay, as Node has clamped it; -1 once cancelled. */
  delayMs: number
  idleStart: number | null
  /** Belongs to the clock itself: never virtual. */
  readonly isReal: boolean
  /** The run whose heap holds it. */
  owner: VirtualRun | null
  /** Keeps the AsyncLocalStorage of the code that armed it. */
  context: { runInAsyncScope(fn: (...args: unknown[]) => unknown, self: unknown, ...args: unknown[]): unknown } | null
  /** An object with the `stack` of the creation, formatted only when somebody asks. */
  creation: { readonly stack?: string } | null
}

/** Where somebody wants to connect to. */
export interface ConnectionTarget {
  readonly host: string
  readonly port: number
  readonly protocol: 'tcp' | 'tls' | 'unix' | 'udp'
  /** The host's name is looked up by a function of the client's own, which may take its virtual time. */
  readonly hasOwnLookup?: boolean
}

/** What the hooks ask of the run they are called in. */
export interface Run {
  readonly kind: ClockKind
  readonly random: SeededRandom | null
  wallMs(): number
  noteOverflow(requestedMs: number): void
  /** Records a foreign connection; null if it may go ahead, else the error it gets. */
  refuseConnection(target: ConnectionTarget): Error | null
  track<T>(promise: Promise<T>): Promise<T>
  /** Work in the thread pool that Node does not list; returns what to call at its end. */
  beginJob(name: string): () => void
}

export interface VirtualRun extends Run {
  nowMs(): number
  arm(state: TimerState): void
  disarm(state: TimerState): void
  /** A message has been posted to a port. */
  noteMessage(): void
}

/** Raised with every change to what lies in the kernel, so that two releases in one process do not misread each other. */
export const KERNEL_LAYOUT = 1

/** A second or so of reading the time and nothing else. */
const MOST_READS_IN_TURN = 5_000_000

/** The state of time in this process. Time is global, so there is one, whatever number of copies of this package are loaded. */
export class Kernel {
  readonly layout = KERNEL_LAYOUT
  readonly real: RealTime = captureRealTime()
  readonly sockets = new SocketRegistry()
  /** The run of a call on the real clock: several may overlap, so it is the async context that tells. */
  readonly realRun = new AsyncLocalStorage<Run>()
  readonly realRuns = new Set<Run>()
  /** What a client does for a virtual run, and goes on doing after it. */
  readonly bodies = new AsyncLocalStorage<{ isOver: boolean }>()
  virtual: VirtualRun | null = null
  /** Above 0, timers that are made or armed are real. */
  bypassDepth = 0
  pendingImmediates = 0
  /** Those of them that were made under virtual time. */
  readonly immediatesOfRun = new Set<NodeJS.Immediate>()
  /** How often virtual time has been read since the loop has last turned. */
  readsInTurn = 0
  /** What the garbage collector set off during the run. */
  readonly deferredCleanups: (() => void)[] = []
  /** Signals of the run, kept from the garbage collector until it ends. */
  readonly heldSignals: unknown[] = []
  /** The Date that the clock put in place: another one there means that somebody mocked it. */
  hookedDate: DateConstructor = this.real.Date
  /** The Math.random that the clock put in place: another one there means that somebody mocked it. */
  hookedRandom: () => number = Math.random
  /** Why time cannot be virtual here; null if it can. */
  refusal: string | null = null
  warmUp: Promise<void> | null = null

  /** Whether the code that is running was begun in a run that is over. */
  get isLeftOver(): boolean {
    return this.bodies.getStore()?.isOver === true
  }

  currentRun(): Run | null {
    if (this.virtual !== null) return this.virtual
    return this.realRuns.size === 0 ? null : (this.realRun.getStore() ?? null)
  }

  /**
   * Counts a reading of virtual time, which stands still until the loop turns.
   *
   * @throws {BusyWaitError} for a client that would read it for ever.
   */
  noteReading(): void {
    if (++this.readsInTurn <= MOST_READS_IN_TURN) return
    this.readsInTurn = 0
    throw new BusyWaitError(
      `the time has been read ${MOST_READS_IN_TURN} times without a turn of the event loop: a busy wait never ends under virtual time, ` +
        'which moves only when nothing is happening; wait with a timer',
    )
  }

  /** Runs `fn`; timers that it makes or arms are real ones. */
  inRealTime<T>(fn: () => T): T {
    this.bypassDepth++
    try {
      return fn()
    } finally {
      this.bypassDepth--
    }
  }
}
