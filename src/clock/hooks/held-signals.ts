import type { Kernel } from '../kernel.js'
import { replaceMethod } from './replace-method.js'

/**
 * Keeps the signals that a run makes until it ends. Node holds the ones behind `AbortSignal.any` and `AbortSignal.timeout` weakly, so a
 * collection at the wrong moment takes a time-out away (seen on Node 20 in one of 2,000 schedules), and no two runs would be alike.
 */
export const hookSignals = (kernel: Kernel): void => {
  for (const name of ['timeout', 'any']) {
    replaceMethod(
      AbortSignal,
      name,
      (original) =>
        function (this: unknown, ...args: unknown[]) {
          const signal = original.apply(this, args)
          if (kernel.virtual !== null) kernel.heldSignals.push(signal)
          return signal
        },
    )
  }
}
