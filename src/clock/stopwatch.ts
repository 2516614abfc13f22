import { kernel } from './process-kernel.js'

/**
 * Starts to measure real time, whatever the trials in between do to everybody's clocks.
 *
 * @returns a function that says how many milliseconds have passed.
 */
export const startStopwatch = (): (() => number) => {
  const { performanceNow } = kernel.real
  const startedAtMs = performanceNow()
  return () => performanceNow() - startedAtMs
}
