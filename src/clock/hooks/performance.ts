import { performance } from 'node:perf_hooks'
import type { Kernel, VirtualRun } from '../kernel.js'
import { replaceMethod } from './replace-method.js'

/** Under virtual time the monotonic clocks begin here and not at 0, which much code takes for "not set". */
const START_MS = 1

const MS_PER_SECOND = 1000
const NS_PER_MS = 1_000_000
const NS_PER_SECOND = 1_000_000_000

const difference = (now: bigint, previous: [number, number] | undefined): [number, number] => {
  const earlier = previous === undefined ? 0n : BigInt(previous[0]) * BigInt(NS_PER_SECOND) + BigInt(previous[1])
  const elapsed = now - earlier
  const seconds = elapsed / BigInt(NS_PER_SECOND)
  const nanoseconds = elapsed % BigInt(NS_PER_SECOND)
  return nanoseconds < 0n ? [Number(seconds) - 1, Number(nanoseconds) + NS_PER_SECOND] : [Number(seconds), Number(nanoseconds)]
}

/** performance.now (also what undici reads), process.hrtime, process.hrtime.bigint and process.uptime. On the real clock they are what they were. */
export const hookPerformance = (kernel: Kernel): void => {
  const { performanceNow, hrtime, hrtimeBigint } = kernel.real
  const virtualMs = (run: VirtualRun) => {
    kernel.noteReading()
    return run.nowMs() + START_MS
  }
  const virtualNs = (run: VirtualRun) => BigInt(Math.round(virtualMs(run) * NS_PER_MS))
  // The method that performance inherits, for code that takes it from there.
  replaceMethod(Object.getPrototypeOf(performance), 'now', (original) => {
    return function now(this: unknown) {
      return kernel.virtual === null ? original.call(this) : virtualMs(kernel.virtual)
    }
  })
  replaceMethod(process, 'uptime', (original) => () => {
    return kernel.virtual === null ? original.call(process) : virtualMs(kernel.virtual) / MS_PER_SECOND
  })
  Object.defineProperty(performance, 'now', {
    configurable: true,
    writable: true,
    enumerable: true,
    value: function now() {
      return kernel.virtual === null ? performanceNow() : virtualMs(kernel.virtual)
    },
  })
  const hookedHrtime = (previous?: [number, number]): [number, number] =>
    kernel.virtual === null ? hrtime.call(process, previous) : difference(virtualNs(kernel.virtual), previous)
  process.hrtime = Object.assign(hookedHrtime, {
    bigint: () => (kernel.virtual === null ? hrtimeBigint() : virtualNs(kernel.virtual)),
  })
}
