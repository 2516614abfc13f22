import type { Kernel } from '../kernel.js'

type Cleanup = (held: unknown) => void

/**
 * Keeps what the garbage collector sets off out of virtual runs: undici cancels the body of a response that nobody holds any more, and a
 * connection that closes whenever memory happens to be short would make no two runs alike. Cleanups come late by nature, so they wait.
 */
export const hookFinalization = (kernel: Kernel): void => {
  globalThis.FinalizationRegistry = new Proxy(globalThis.FinalizationRegistry, {
    construct(target, [cleanup]: [Cleanup], newTarget) {
      const deferred = (held: unknown) => {
        if (kernel.virtual === null) cleanup(held)
        else kernel.deferredCleanups.push(() => cleanup(held))
      }
      return Reflect.construct(target, [typeof cleanup === 'function' ? deferred : cleanup], newTarget)
    },
  })
}

/** Runs the cleanups that have waited for the end of the run. An error of one is uncaught, as it is without the clock. */
export const runDeferredCleanups = (kernel: Kernel): void => {
  for (const cleanup of kernel.deferredCleanups.splice(0)) {
    try {
      cleanup()
    } catch (error) {
      kernel.real.nextTick(() => {
        throw error
      })
    }
  }
}
