import nodeCrypto from 'node:crypto'
import type { Kernel } from '../kernel.js'
import type { SeededRandom } from '../random.js'
import { replaceMethod } from './replace-method.js'

/** All the names of one function; the last three are deprecated. */
export const RANDOM_BYTES = ['randomBytes', 'pseudoRandomBytes', 'prng', 'rng'] as const

type Callback<T> = (error: Error | null, value: T) => void

/**
 * Math.random and the crypto sources that clients take jitter, ids and idempotency keys from. Installed once and for good, so that a
 * captured reference is seeded too; without a seeded run they do what they always did.
 */
export const hookRandom = (kernel: Kernel): void => {
  const seeded = () => kernel.currentRun()?.random ?? null
  replaceMethod(Math, 'random', (original) => () => seeded()?.next() ?? original())
  kernel.hookedRandom = Math.random
  hookUuids(nodeCrypto, seeded)
  hookUuids(Object.getPrototypeOf(globalThis.crypto), seeded)
  hookNodeCrypto(seeded)
}

const hookUuids = (source: object, seeded: () => SeededRandom | null): void => {
  replaceMethod(source, 'randomUUID', (original) => {
    return function randomUUID(this: unknown, ...args) {
      const random = seeded()
      return random === null ? original.apply(this, args) : seededUuid(random)
    }
  })
  replaceMethod(source, 'getRandomValues', (original) => {
    return function getRandomValues(this: unknown, array) {
      const filled = original.call(this, array)
      seeded()?.fill(bytesOf(array as ArrayBufferView))
      return filled
    }
  })
}

/** Version 4, RFC 9562 section 5.4. */
const seededUuid = (random: SeededRandom): string => {
  const bytes = new Uint8Array(16)
  random.fill(bytes)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const bytesOf = (view: ArrayBufferView | ArrayBuffer): Uint8Array =>
  ArrayBuffer.isView(view) ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : new Uint8Array(view)

/** Answers as the callback form does: not before the caller has gone on. */
const answer = <T>(value: T, callback: Callback<T> | undefined): T | undefined => {
  if (callback === undefined) return value
  process.nextTick(callback, null, value)
  return undefined
}

/** The original checks the arguments (and throws for bad ones) before seeded bytes take the place of its own. */
const hookNodeCrypto = (seeded: () => SeededRandom | null): void => {
  for (const name of RANDOM_BYTES) {
    // The names of old are getters until they are read.
    Reflect.get(nodeCrypto, name)
    replaceMethod(nodeCrypto, name, (original) => (size, callback) => {
      const random = seeded()
      if (random === null) return original(size, callback)
      const bytes = original(size) as Buffer
      random.fill(bytes)
      return answer(bytes, callback as Callback<Buffer> | undefined)
    })
  }
  replaceMethod(nodeCrypto, 'randomFillSync', (original) => (view, ...range) => {
    const filled = original(view, ...range)
    seeded()?.fill(rangeOf(view as ArrayBufferView | ArrayBuffer, range as number[]))
    return filled
  })
  replaceMethod(nodeCrypto, 'randomFill', (original) => (view, ...rest) => {
    if (seeded() === null) return original(view, ...rest)
    const callback = rest.pop() as Callback<unknown>
    return answer(nodeCrypto.randomFillSync(view as Uint8Array, ...(rest as number[])), callback)
  })
  replaceMethod(nodeCrypto, 'randomInt', (original) => (...args) => {
    const random = seeded()
    if (random === null) return original(...args)
    const bounds = args.filter((argument) => typeof argument === 'number')
    original(...bounds)
    const [min, max] = bounds.length === 1 ? [0, bounds[0]!] : [bounds[0]!, bounds[1]!]
    return answer(
      min + random.integerBelow(max - min),
      args.find((argument) => typeof argument === 'function') as Callback<number>,
    )
  })
}

const rangeOf = (view: ArrayBufferView | ArrayBuffer, [offset = 0, size]: number[]): Uint8Array => {
  const unit = 'BYTES_PER_ELEMENT' in view ? (view.BYTES_PER_ELEMENT as number) : 1
  const end = size === undefined ? undefined : (offset + size) * unit
  return bytesOf(view).subarray(offset * unit, end)
}
