import zlib from 'node:zlib'
import type { Kernel } from '../kernel.js'
import type { Method } from './replace-method.js'

/** The native object behind a zlib stream. */
interface ZlibHandle {
  init: Method
  write: Method
  onerror: unknown
}

const endOf = Symbol('retrial.zlib.end')
const errorHandlerOf = Symbol('retrial.zlib.onerror')
type HookedHandle = ZlibHandle & { [endOf]?: (() => void) | undefined; [errorHandlerOf]?: unknown }

const FACTORIES = ['createGunzip', 'createBrotliDecompress', 'createBrotliCompress', 'createZstdDecompress', 'createZstdCompress']

/**
 * Counts zlib's jobs in the thread pool. The jobs, not the calls of _transform: a back-pressured stream holds its callback for as long as
 * it likes with no job running, and the clock would stand still for ever.
 */
export const hookZlib = (kernel: Kernel): void => {
  for (const name of FACTORIES) {
    const create = Reflect.get(zlib, name) as (() => { _handle: ZlibHandle; destroy(): void }) | undefined
    if (create === undefined) continue
    const stream = create()
    hookHandle(kernel, Object.getPrototypeOf(stream._handle))
    stream.destroy()
  }
}

const hookHandle = (kernel: Kernel, prototype: ZlibHandle): void => {
  const { init, write } = prototype
  const finish = (handle: HookedHandle) => {
    handle[endOf]?.()
    handle[endOf] = undefined
  }
  const finishing = (callback: Method): Method => {
    return function finished(this: HookedHandle, ...args) {
      finish(this)
      return callback.apply(this, args)
    }
  }
  prototype.init = function hookedInit(...args) {
    return init.apply(
      this,
      args.map((argument) => (typeof argument === 'function' ? finishing(argument as Method) : argument)),
    )
  }
  prototype.write = function hookedWrite(this: HookedHandle, ...args) {
    this[endOf] = kernel.currentRun()?.beginJob('zlib')
    return write.apply(this, args)
  }
  Object.defineProperty(prototype, 'onerror', {
    configurable: true,
    get(this: HookedHandle) {
      return this[errorHandlerOf]
    },
    set(this: HookedHandle, handler: unknown) {
      this[errorHandlerOf] = typeof handler === 'function' ? finishing(handler as Method) : handler
    },
  })
}
