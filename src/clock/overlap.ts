import { ClockBusyError } from './errors.js'
import type { Kernel } from './kernel.js'
import type { ClockKind } from './model.js'
import { otherTest } from './test-scope.js'

/**
 * Time is global: while one trial moves it, no other may rely on it.
 *
 * @throws {ClockBusyError}
 */
export const assertNoOverlap = (kernel: Kernel, kind: ClockKind): void => {
  const { virtual } = kernel
  if (virtual !== null)
    throw new ClockBusyError(
      `Failed to start a ${kind} clock: a trial under virtual time is still running${otherTest(virtual)}. ${ADVICE}`,
    )
  if (kind === 'real') return
  for (const real of kernel.realRuns) {
    throw new ClockBusyError(
      `Failed to start a virtual clock: a trial on the real clock is still running${otherTest(real)}. ${ADVICE}`,
    )
  }
}

const ADVICE =
  'Virtual time is global to the process, it cannot be shared: do not run trials in test.concurrent tests and do not start a trial inside another one, ' +
  "await each trial before the next (calls in parallel inside one trial are fine: 'concurrency'), or use clock: 'real' for all trials that overlap"
