import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import type { Kernel } from '../kernel.js'
import { replaceMethod } from './replace-method.js'

/** The longest delay that Node's timers hold; a longer one becomes 1 ms. */
const MAX_DELAY_MS = 2 ** 31 - 1

/**
 * Notes delays that Node turns into 1 ms. `Timeout` clamps before it writes anything that an accessor could see, so the requested value
 * has to be read on the way in. These wrappers record and delegate, nothing else: a reference captured before them loses only the record.
 */
export const hookDelays = (kernel: Kernel): void => {
  const note = (delayMs: unknown) => {
    const run = kernel.currentRun()
    if (run === null || delayMs === undefined) return
    const requestedMs = Number(delayMs)
    if (!(requestedMs >= 0 && requestedMs <= MAX_DELAY_MS)) run.noteOverflow(requestedMs)
  }
  const isSameFunction = globalThis.setTimeout === timers.setTimeout
  for (const name of ['setTimeout', 'setInterval'] as const) {
    recordArgument(timers, name, 1, note)
    if (isSameFunction) globalThis[name] = timers[name] as never
    else recordArgument(globalThis, name, 1, note)
    recordArgument(timersPromises, name, 0, note)
  }
  recordArgument(Object.getPrototypeOf(timersPromises.scheduler), 'wait', 0, note)
  recordArgument(AbortSignal, 'timeout', 0, note)
}

const recordArgument = (holder: object, name: string, position: number, note: (value: unknown) => void): void => {
  replaceMethod(holder, name, (original) => {
    return function recorded(this: unknown, ...args) {
      note(args[position])
      return original.apply(this, args)
    }
  })
}
