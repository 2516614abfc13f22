import net from 'node:net'
import { performance } from 'node:perf_hooks'
import timersPromises from 'node:timers/promises'
import type { Kernel, TimerState, VirtualRun } from './kernel.js'

/** A source of time or chance, and the proof that the hooks see it in this version of Node. */
export interface Canary {
  readonly source: string
  isSeen(kernel: Kernel, run: CanaryRun): boolean
}

/** Values that no real clock and no real generator gives. */
const CANARY_MS = 4_102_444_800_123
const CANARY_DATE = '2100-01-01T00:00:00.123Z'
const CANARY_FRACTION = 0.123456789

/** A run that only notes what the hooks tell it. */
class CanaryRun implements VirtualRun {
  readonly kind = 'virtual'
  readonly armed: TimerState[] = []
  readonly disarmed: TimerState[] = []
  readonly random = { next: () => CANARY_FRACTION, fill: (bytes: Uint8Array) => void bytes.fill(7), integerBelow: () => 0 }
  connections = 0
  nowMs = () => CANARY_MS
  wallMs = () => CANARY_MS
  arm(state: TimerState): void {
    state.owner = this
    this.armed.push(state)
  }
  disarm(state: TimerState): void {
    this.disarmed.push(state)
  }
  noteOverflow(): void {}
  refuseConnection(): Error {
    this.connections++
    return new Error('canary')
  }
  track = <T>(promise: Promise<T>) => promise
  beginJob = () => () => {}
  noteMessage(): void {}
}

/** Whether exactly one more timer is armed after `act`. */
const arms = (run: CanaryRun, act: () => unknown): boolean => {
  const before = run.armed.length
  act()
  return run.armed.length === before + 1
}

const connectsThroughHook = (run: CanaryRun): boolean => {
  const socket = new net.Socket()
  socket.on('error', () => {})
  socket.connect(1, '127.0.0.1')
  socket.destroy()
  return run.connections === 1
}

const unrefSocketTimer = (): void => {
  const socket = new net.Socket()
  socket.setTimeout(1000)
}

const countsImmediate = (kernel: Kernel): boolean => {
  const before = kernel.pendingImmediates
  const immediate = kernel.real.setImmediate(() => {})
  const isCounted = kernel.pendingImmediates === before + 1
  clearImmediate(immediate)
  return isCounted && kernel.pendingImmediates === before
}

const seesCancelling = (kernel: Kernel, run: CanaryRun): boolean => {
  const timer = kernel.real.setTimeout(() => {}, 1000)
  kernel.real.clearTimeout(timer)
  return run.disarmed.at(-1)?.timer === timer
}

const seesRefresh = (kernel: Kernel, run: CanaryRun): boolean => {
  const timer = kernel.real.setTimeout(() => {}, 1000)
  return arms(run, () => timer.refresh())
}

const wait = (): void => {
  // Cancelled with all the canary's timers, so it neither comes nor fails.
  void timersPromises.setTimeout(1000)
}

const isList = (method: string): boolean => Array.isArray(Reflect.get(process, method)?.call(process))

export const CANARIES: readonly Canary[] = [
  { source: 'setTimeout', isSeen: (kernel, run) => arms(run, () => clearTimeout(kernel.real.setTimeout(() => {}, 1000))) },
  { source: 'setInterval', isSeen: (_, run) => arms(run, () => clearInterval(setInterval(() => {}, 1000))) },
  { source: 'timers/promises', isSeen: (_, run) => arms(run, wait) },
  { source: 'AbortSignal.timeout', isSeen: (_, run) => arms(run, () => AbortSignal.timeout(1000)) },
  { source: 'socket.setTimeout', isSeen: (_, run) => arms(run, unrefSocketTimer) },
  { source: 'clearTimeout', isSeen: seesCancelling },
  { source: 'timeout.refresh', isSeen: seesRefresh },
  { source: 'setImmediate', isSeen: countsImmediate },
  { source: 'Date.now', isSeen: () => Date.now() === CANARY_MS },
  { source: 'new Date', isSeen: () => new Date().toISOString() === CANARY_DATE },
  { source: 'performance.now', isSeen: () => Math.abs(performance.now() - CANARY_MS) <= 1 },
  { source: 'process.hrtime', isSeen: () => Math.abs(process.hrtime()[0] * 1000 - CANARY_MS) <= 1000 },
  {
    source: 'process.hrtime.bigint',
    isSeen: () => process.hrtime.bigint() / 1_000_000_000n === BigInt(Math.floor(CANARY_MS / 1000)),
  },
  { source: 'Math.random', isSeen: () => Math.random() === CANARY_FRACTION },
  { source: 'crypto.randomUUID', isSeen: () => crypto.randomUUID() === '07070707-0707-4707-8707-070707070707' },
  { source: 'net.Socket.connect', isSeen: (_, run) => connectsThroughHook(run) },
  { source: 'process.getActiveResourcesInfo', isSeen: () => Array.isArray(process.getActiveResourcesInfo()) },
  { source: 'process._getActiveRequests', isSeen: () => isList('_getActiveRequests') && isList('_getActiveHandles') },
]

/**
 * Tries each source once, right after the hooks are in place and before anybody may have mocked one. Hooks on what Node does not document
 * must not fail silently: a timer that goes on in real time is a timeout that never comes.
 *
 * @returns why time cannot be virtual, naming the sources that the hooks do not see; null if they see all.
 */
export const selfTest = (kernel: Kernel, canaries: readonly Canary[] = CANARIES): string | null => {
  const run = new CanaryRun()
  kernel.virtual = run
  let unseen: string[]
  try {
    unseen = canaries.filter((canary) => !canary.isSeen(kernel, run)).map(({ source }) => source)
  } finally {
    for (const { timer } of run.armed) kernel.real.clearTimeout(timer)
    kernel.virtual = null
  }
  if (unseen.length === 0) return null
  return (
    `virtual time does not work on Node ${process.version}, where the clock does not see ${unseen.join(', ')}: ` +
    "use clock: 'real', or a Node version from 20 to 26 without other tools that patch these functions"
  )
}
