import { AsyncResource } from 'node:async_hooks'
import type { Kernel, NodeTimer, TimerState } from '../kernel.js'

/** Where a timer object carries its state. */
const stateOf = Symbol('retrial.timer')

type HookedTimer = NodeTimer & { [stateOf]?: TimerState }

/** The callback of the one timer that undici counts its coarse timers with. */
export const TICK_CALLBACK = 'onTick'

/** Node puts a virtual timer into its own list with the longest delay there is, 24.8 days, so that it never comes up there. */
const NEVER_MS = 2 ** 31 - 1

const newState = (kernel: Kernel, timer: NodeTimer, delayMs: number): TimerState => ({
  timer,
  delayMs,
  idleStart: null,
  isReal: kernel.bypassDepth > 0,
  owner: null,
  context: null,
  creation: null,
  dueAtMs: 0,
  sequence: 0,
  heapIndex: -1,
})

/** An interval made before the run goes on in real time, or it would tick through all of the run's virtual time. */
const isEarlierInterval = ({ timer, owner, idleStart }: TimerState): boolean =>
  owner === null && idleStart !== null && timer._repeat !== null && timer._repeat !== undefined

/**
 * Accessors on the prototype of Node's `Timeout` class. Whatever function a timer was made with, and whoever holds a reference to that
 * function since when, Node writes `_idleTimeout` when it makes or cancels it and `_idleStart` when it arms it. The accessors can never be
 * removed again: timers made meanwhile have no properties of their own.
 */
export const hookTimeout = (kernel: Kernel): void => {
  const isVirtual = (state: TimerState) =>
    kernel.virtual !== null && kernel.bypassDepth === 0 && !state.isReal && state.delayMs >= 0 && !isEarlierInterval(state)
  const probe = kernel.real.setTimeout(() => {}, 1)
  kernel.real.clearTimeout(probe)
  Object.defineProperties(Object.getPrototypeOf(probe), {
    _idleTimeout: {
      configurable: true,
      enumerable: false,
      get(this: HookedTimer) {
        const state = this[stateOf]
        if (state === undefined) return undefined
        return isVirtual(state) ? NEVER_MS : state.delayMs
      },
      set(this: HookedTimer, delayMs: number) {
        const state = this[stateOf]
        if (state === undefined) {
          this[stateOf] = newState(kernel, this, delayMs)
          return
        }
        state.delayMs = delayMs
        if (delayMs === -1) state.owner?.disarm(state)
      },
    },
    _idleStart: {
      configurable: true,
      enumerable: false,
      get(this: HookedTimer) {
        return this[stateOf]?.idleStart
      },
      set(this: HookedTimer, idleStart: number | null) {
        const state = this[stateOf]
        if (state === undefined) return
        const becomesVirtual = idleStart !== null && isVirtual(state)
        state.idleStart = idleStart
        if (!becomesVirtual) return
        state.context ??= new AsyncResource('RetrialTimer', { requireManualDestroy: true })
        kernel.virtual?.arm(state)
      },
    },
  })
}

/** The state of a timer made since the hooks are in place. */
export const timerState = (timer: NodeTimer): TimerState | undefined => (timer as HookedTimer)[stateOf]

/** Gives a state to a timer made before the hooks were in place: from now on the accessors see it. */
export const adoptTimer = (kernel: Kernel, timer: NodeTimer): TimerState => {
  const delayMs = timer._idleTimeout
  Reflect.deleteProperty(timer, '_idleTimeout')
  Reflect.deleteProperty(timer, '_idleStart')
  const state = newState(kernel, timer, delayMs)
  ;(timer as HookedTimer)[stateOf] = state
  return state
}

/**
 * Runs the callback of a timer that has come due, in the async context that armed it. A throwing callback is an uncaught exception, as it
 * is in real time; it does not reach the caller.
 */
export const fireTimer = (kernel: Kernel, state: TimerState): void => {
  const { timer } = state
  const callback = timer._onTimeout
  if (typeof callback === 'function') {
    try {
      state.context!.runInAsyncScope(callback, timer, ...(timer._timerArgs ?? []))
    } catch (error) {
      kernel.real.nextTick(() => {
        throw error
      })
    }
  }
  if (timer._repeat !== null && timer._repeat !== undefined && state.delayMs !== -1) {
    state.delayMs = timer._repeat
    kernel.virtual?.arm(state)
  } else if (state.heapIndex === -1 && state.delayMs !== -1) {
    retireTimer(kernel, state)
  }
}

/** Takes a timer that has run out of Node's own list, but leaves it so that refresh() arms it again: undici does that with its tick. */
const retireTimer = (kernel: Kernel, state: TimerState): void => {
  const { timer, delayMs } = state
  const { _onTimeout, _timerArgs } = timer
  kernel.real.clearTimeout(timer)
  timer._onTimeout = _onTimeout
  timer._timerArgs = _timerArgs
  state.delayMs = delayMs
  forgetRun(state)
}

/**
 * Whoever holds a timer that is over (Node does, as long as the signal of an AbortSignal.timeout lives) must not hold the run that it was
 * in: its clock, and through the stack everything that was called on the way. Undici's tick is armed again and again and keeps its stack.
 */
export const forgetRun = (state: TimerState): void => {
  state.owner = null
  if (state.timer._onTimeout?.name !== TICK_CALLBACK) state.creation = null
}

/** Lets a virtual timer go on in real time for what is left of it. Call it when no virtual run is active any more. */
export const releaseTimer = (state: TimerState, remainingMs: number): void => {
  if (state.timer._destroyed) return
  const { delayMs } = state
  state.delayMs = Math.max(1, remainingMs)
  state.timer.refresh()
  state.delayMs = delayMs
}
