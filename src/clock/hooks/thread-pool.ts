import nodeCrypto from 'node:crypto'
import fs from 'node:fs'
import { promisify } from 'node:util'
import type { Kernel } from '../kernel.js'
import { RANDOM_BYTES } from './random.js'
import type { Method } from './replace-method.js'
import { replaceMethod } from './replace-method.js'

const CRYPTO_METHODS = [
  ...['pbkdf2', 'scrypt', 'hkdf', 'argon2', ...RANDOM_BYTES, 'randomFill', 'generateKey', 'generateKeyPair'],
  ...['generatePrime', 'checkPrime', 'sign', 'verify', 'diffieHellman', 'encapsulate', 'decapsulate', 'hash'],
]
/** Compiled on V8's own threads: undici's first fetch does it with its HTTP parser. */
const WASM_METHODS = ['compile', 'instantiate', 'compileStreaming', 'instantiateStreaming']

/** Native jobs of their own on Node 26; chains of listed requests before. */
const FS_METHODS = ['readFile', 'writeFile', 'appendFile', 'cp']

/** Work that goes on outside of the event loop and that process.getActiveResourcesInfo() does not list (zlib: see zlib.ts). */
export const hookThreadPool = (kernel: Kernel): void => {
  const subtle = Object.getPrototypeOf(globalThis.crypto.subtle)
  // All that this version of Node has.
  for (const name of Object.getOwnPropertyNames(subtle).filter(isNoConstructor))
    countPromise(kernel, subtle, name, `crypto.subtle.${name}`)
  for (const name of CRYPTO_METHODS) countCallback(kernel, nodeCrypto, name, `crypto.${name}`)
  const wasm = Reflect.get(globalThis, 'WebAssembly') as object
  for (const name of WASM_METHODS) countPromise(kernel, wasm, name, `WebAssembly.${name}`)
  for (const name of FS_METHODS) {
    countCallback(kernel, fs, name, `fs.${name}`)
    countPromise(kernel, fs.promises, name, `fs.promises.${name}`)
  }
}

const isNoConstructor = (name: string): boolean => name !== 'constructor'

const countPromise = (kernel: Kernel, holder: object, name: string, label: string): void => {
  replaceMethod(holder, name, (original) => {
    return function counted(this: unknown, ...args) {
      const result = original.apply(this, args)
      followPromise(kernel, result, label)
      return result
    }
  })
}

const followPromise = (kernel: Kernel, result: unknown, label: string): void => {
  const run = kernel.currentRun()
  if (run === null || !(result instanceof Promise)) return
  const end = run.beginJob(label)
  result.then(end, end)
}

const countCallback = (kernel: Kernel, holder: object, name: string, label: string): void => {
  replaceMethod(holder, name, (original) => {
    const counted = function counted(this: unknown, ...args: unknown[]) {
      const run = kernel.currentRun()
      const callback = args.at(-1)
      if (run === null || typeof callback !== 'function') return original.apply(this, args)
      const end = run.beginJob(label)
      args[args.length - 1] = (...results: unknown[]) => {
        end()
        callback(...results)
      }
      try {
        return original.apply(this, args)
      } catch (error) {
        end()
        throw error
      }
    }
    return keepPromisified(kernel, original, counted, label)
  })
}

/** generateKeyPair and others bring their own promise form, which does not go through the callback. */
const keepPromisified = (kernel: Kernel, original: Method, counted: Method, label: string): Method => {
  const own = Reflect.get(original, promisify.custom) as Method | undefined
  if (own === undefined) return counted
  const promisified = (...args: unknown[]) => {
    const result = own(...args)
    followPromise(kernel, result, label)
    return result
  }
  Object.defineProperty(counted, promisify.custom, { value: promisified })
  return counted
}
