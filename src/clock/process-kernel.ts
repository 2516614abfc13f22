import { syncBuiltinESMExports } from 'node:module'
import { hookBlob } from './hooks/blob.js'
import { hookDate } from './hooks/date.js'
import { hookDelays } from './hooks/delays.js'
import { hookFinalization } from './hooks/finalization.js'
import { hookSignals } from './hooks/held-signals.js'
import { hookImmediate } from './hooks/immediate.js'
import { hookMessages } from './hooks/messages.js'
import { hookPerformance } from './hooks/performance.js'
import { hookRandom } from './hooks/random.js'
import { hookSockets } from './hooks/sockets.js'
import { hookTemporal } from './hooks/temporal.js'
import { hookThreadPool } from './hooks/thread-pool.js'
import { hookTimeout } from './hooks/timeout.js'
import { hookUdp } from './hooks/udp.js'
import { hookZlib } from './hooks/zlib.js'
import { fakeTimersAtImport, foreignEnvironment } from './host.js'
import { KERNEL_LAYOUT, Kernel } from './kernel.js'
import { selfTest } from './self-test.js'

const slot = Symbol.for('retrial.clock')
const holder = globalThis as { [slot]?: Kernel }

const install = (kernel: Kernel): void => {
  hookTimeout(kernel)
  hookImmediate(kernel)
  hookFinalization(kernel)
  hookSignals(kernel)
  hookDate(kernel)
  hookTemporal(kernel)
  hookPerformance(kernel)
  // Counting goes outside of seeding: a seeded crypto.randomBytes is counted until its callback, too.
  hookRandom(kernel)
  hookThreadPool(kernel)
  hookZlib(kernel)
  hookBlob(kernel)
  hookSockets(kernel)
  hookUdp(kernel)
  hookMessages(kernel)
  hookDelays(kernel)
  syncBuiltinESMExports()
  kernel.refusal = selfTest(kernel)
}

/** A kernel without hooks, for a process in which time cannot be virtual: the real clock works with it. */
const withoutHooks = (refusal: string): Kernel => {
  const kernel = new Kernel()
  kernel.refusal = refusal
  return kernel
}

/** One kernel in a process: a second evaluation of this module (vitest without isolation, a second copy) takes over the hooks in place. */
const obtainKernel = (): Kernel => {
  const existing = holder[slot]
  if (existing !== undefined) {
    if (existing.layout === KERNEL_LAYOUT) return existing
    return withoutHooks(
      `another release of retrial has hooked the timers of this process (its layout is ${existing.layout}, this one's ${KERNEL_LAYOUT}): ` +
        'load one release only (npm ls retrial)',
    )
  }
  const environment = foreignEnvironment()
  if (environment !== null) {
    return withoutHooks(
      `virtual time is not supported under ${environment}: use vitest's node environment (// @vitest-environment node) and the pool forks or threads`,
    )
  }
  if (fakeTimersAtImport()) {
    return withoutHooks(
      "retrial was loaded while fake timers were on: name 'retrial/setup' in setupFiles, so that it is loaded first",
    )
  }
  const kernel = new Kernel()
  holder[slot] = kernel
  install(kernel)
  return kernel
}

export const kernel: Kernel = obtainKernel()
