import type { Kernel } from '../kernel.js'

const lifeOf = Symbol('retrial.immediate')

type HookedImmediate = NodeJS.Immediate & { [lifeOf]?: 'pending' | 'over' }

/**
 * Counts the immediates of the process, Node's own included: the `Immediate` class writes `_destroyed = false` when one is made and
 * `true` right before it runs or when it is cleared. Ones made before the hook have a property of their own and are not counted.
 */
export const hookImmediate = (kernel: Kernel): void => {
  const probe = kernel.real.setImmediate(() => {})
  clearImmediate(probe)
  Object.defineProperty(Object.getPrototypeOf(probe), '_destroyed', {
    configurable: true,
    enumerable: false,
    get(this: HookedImmediate) {
      return this[lifeOf] === 'over'
    },
    set(this: HookedImmediate, isDestroyed: boolean) {
      const before = this[lifeOf]
      if (isDestroyed && before === 'pending') {
        kernel.pendingImmediates--
        kernel.immediatesOfRun.delete(this)
      }
      if (!isDestroyed && before === undefined) {
        kernel.pendingImmediates++
        if (kernel.virtual !== null) kernel.immediatesOfRun.add(this)
      }
      this[lifeOf] = isDestroyed ? 'over' : 'pending'
    },
  })
}
