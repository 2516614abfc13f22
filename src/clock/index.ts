import type { Socket } from 'node:net'
import { ClockUnsupportedError, FakeTimersError } from './errors.js'
import { failConnecting as failConnectingIn } from './hooks/sockets.js'
import { fakeTimersReason, foreignEnvironment } from './host.js'
import type { ClockKind, ClockOptions, ClockRun } from './model.js'
import { assertClockOptions } from './options.js'
import { assertNoOverlap } from './overlap.js'
import { kernel } from './process-kernel.js'
import { RealClockRun } from './real-run.js'
import { assertTestIsNotOver } from './test-scope.js'
import { VirtualClockRun } from './virtual-run.js'
import { warmUp as warmUpProcess } from './warm-up.js'

export { ClockBusyError, ClockUnsupportedError, FakeTimersError } from './errors.js'
export { ClockOptionsError } from './options.js'
export { withoutDirectory } from './origin.js'
export { withinTest } from './test-scope.js'

/**
 * Starts a clock and gives the power to move it.
 *
 * @param kind 'virtual' takes over the time of the process until `stop()`; 'real' is the monotonic clock.
 * @throws {ClockBusyError} if a trial under virtual time is running, or a virtual one is asked for while any is; if the test that begins it is over.
 * @throws {ClockUnsupportedError} if time cannot be virtual in this process.
 * @throws {FakeTimersError} if fake timers are on.
 * @throws {ClockOptionsError} if an option has a value that makes no sense.
 * @example
 * const run = startClock('virtual')
 * try {
 *   await run.drive(() => new Promise((resolve) => setTimeout(resolve, 3_600_000)))
 *   run.clock.nowMs() // 3600000, within a millisecond of real time
 * } finally {
 *   run.stop()
 * }
 */
export const startClock = (kind: ClockKind, options: ClockOptions = {}): ClockRun => {
  assertClockOptions(options)
  assertTestIsNotOver()
  assertNoOverlap(kernel, kind)
  if (kind === 'real') return new RealClockRun(kernel, options)
  assertVirtualTimeWorks()
  return new VirtualClockRun(kernel, options)
}

const assertVirtualTimeWorks = (): void => {
  if (kernel.refusal !== null) throw new ClockUnsupportedError(`Failed to start a virtual clock: ${kernel.refusal}`)
  const environment = foreignEnvironment()
  if (environment !== null)
    throw new ClockUnsupportedError(`Failed to start a virtual clock: ${environment} has been set up since retrial was loaded`)
  const fakes = fakeTimersReason(kernel)
  if (fakes !== null)
    throw new FakeTimersError(
      `Failed to start a virtual clock: ${fakes}. Call vi.useRealTimers() before the trial: its clock moves time itself`,
    )
}

/**
 * Tells the clock of a running trial about work that it cannot see (a worker, a native add-on): virtual time stands still until the
 * promise settles. Outside of a trial, and on the real clock, it changes nothing.
 *
 * @returns the promise itself.
 * @example
 * const answer = await track(askWorker('question'))
 */
export const track = <T>(promise: Promise<T>): Promise<T> => kernel.currentRun()?.track(promise) ?? promise

/** What users may tell the clock of a running trial. */
export const clock = { track } as const

/**
 * Lets a socket fail as if its connect had.
 *
 * @returns the socket.
 * @example
 * failConnecting(new Socket(), new Error('connect ECONNREFUSED')).on('error', console.error)
 */
export const failConnecting = (socket: Socket, error: Error): Socket => failConnectingIn(kernel, socket, error)

/** Whether a trial is running in this process, on either clock. */
export const isRunning = (): boolean => kernel.virtual !== null || kernel.realRuns.size > 0

/** Whether a test (`vi.spyOn(Math, 'random')`) has put a Math.random of its own in place: what a client draws then follows no seed. */
export const isRandomReplaced = (): boolean => Math.random !== kernel.hookedRandom

/** Makes one fetch in real time, once per process, so that no trial is a cold start. Call it before `startClock`. */
export const warmUp = (): Promise<void> => warmUpProcess(kernel)
