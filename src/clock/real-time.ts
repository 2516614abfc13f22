import { performance } from 'node:perf_hooks'

/**
 * The functions as they were before anything was hooked. Only the clock's own machinery uses them: it has to wait and measure in real
 * time while everybody else's time stands still.
 */
export interface RealTime {
  readonly setTimeout: typeof setTimeout
  readonly clearTimeout: typeof clearTimeout
  readonly setImmediate: typeof setImmediate
  readonly nextTick: typeof process.nextTick
  readonly Date: DateConstructor
  readonly dateNow: () => number
  readonly performanceNow: () => number
  readonly hrtime: NodeJS.HRTime
  readonly hrtimeBigint: () => bigint
  readonly random: () => number
}

export const captureRealTime = (): RealTime => ({
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  nextTick: process.nextTick,
  Date: globalThis.Date,
  dateNow: globalThis.Date.now,
  performanceNow: performance.now.bind(performance),
  hrtime: process.hrtime,
  hrtimeBigint: process.hrtime.bigint,
  random: Math.random,
})
