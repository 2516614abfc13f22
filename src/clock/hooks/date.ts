import type { Kernel } from '../kernel.js'

/**
 * Date shows the wall clock of the run. Date.now is replaced on the original object too, for code that captured `Date` before the hook;
 * code that captured `Date.now` itself before it, and the Date of another realm, cannot be reached.
 */
export const hookDate = (kernel: Kernel): void => {
  const RealDate = kernel.real.Date
  const now = () => {
    if (kernel.virtual !== null) kernel.noteReading()
    return kernel.currentRun()?.wallMs() ?? kernel.real.dateNow.call(RealDate)
  }
  Object.defineProperty(RealDate, 'now', { configurable: true, writable: true, enumerable: false, value: now })
  const HookedDate: DateConstructor = new Proxy(RealDate, {
    construct(target, args, newTarget) {
      const actual = newTarget === HookedDate ? target : newTarget
      return Reflect.construct(target, args.length === 0 ? [now()] : args, actual)
    },
    apply: () => new RealDate(now()).toString(),
  })
  RealDate.prototype.constructor = HookedDate
  globalThis.Date = HookedDate
  kernel.hookedDate = HookedDate
}
