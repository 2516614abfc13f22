import type { Kernel } from '../kernel.js'
import type { Method } from './replace-method.js'
import { replaceMethod } from './replace-method.js'

interface BlobHandle {
  getReader(): object
}

/** A Blob may lie in a file (fs.openAsBlob), and nothing lists what its native reader is doing. */
export const hookBlob = (kernel: Kernel): void => {
  const blob = new Blob(['x']) as unknown as Record<symbol, BlobHandle>
  const handle = Object.getOwnPropertySymbols(blob).find(({ description }) => description === 'kHandle')
  if (handle === undefined) return
  replaceMethod(Object.getPrototypeOf(blob[handle]!.getReader()), 'pull', (original) => {
    return function pull(this: unknown, callback, ...rest) {
      const end = kernel.currentRun()?.beginJob('a blob')
      const ended = (...results: unknown[]) => {
        end?.()
        return (callback as Method)(...results)
      }
      return original.call(this, ended, ...rest)
    }
  })
}
