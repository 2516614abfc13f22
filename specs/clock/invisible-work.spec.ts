import { exec, spawn } from 'node:child_process'
import nodeCrypto from 'node:crypto'
import dns from 'node:dns'
import { once } from 'node:events'
import fs from 'node:fs'
import stream from 'node:stream'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { MessageChannel, Worker } from 'node:worker_threads'
import zlib from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { track } from '../../src/clock/index.js'
import { valueInVirtualTime } from './support.js'

const THIS_FILE = fileURLToPath(import.meta.url)

/** Races the work against a virtual timer: time must not move while the work goes on. */
const race = (work: () => Promise<unknown>) =>
  valueInVirtualTime(
    async (clock) => {
      let hasJumped = false
      const timer = setTimeout(() => {
        hasJumped = true
      }, 1000)
      await work()
      clearTimeout(timer)
      return { hasJumped, atMs: clock.nowMs() }
    },
    // A worker may take its time to start on a busy machine.
    { deadlockGraceMs: 20_000 },
  )

const repeat = (times: number, turn: () => Promise<unknown>) => async () => {
  for (let i = 0; i < times; i++) await turn()
}

const MINIMAL_WASM = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])

const messageRoundTrip = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.once('message', () => {
      port1.close()
      resolve()
    })
    port2.postMessage(1)
  })

const visible: Record<string, () => Promise<unknown>> = {
  'fs.promises.readFile': () => fs.promises.readFile(THIS_FILE),
  'fs.readFile': () => promisify(fs.readFile)(THIS_FILE),
  'fs.createReadStream': () => stream.promises.pipeline(fs.createReadStream(THIS_FILE), new stream.PassThrough().resume()),
  'dns.lookup of localhost': () => dns.promises.lookup('localhost'),
  'zlib.gzip of 1 MB': () => promisify(zlib.gzip)(Buffer.alloc(1e6, 'abc')),
  'zlib streams': () =>
    stream.promises.pipeline(
      stream.Readable.from([Buffer.alloc(3e6, 'q')]),
      zlib.createGzip(),
      zlib.createGunzip(),
      new stream.PassThrough().resume(),
    ),
  'brotli compression': () => promisify(zlib.brotliCompress)(Buffer.alloc(1e5, 'abc')),
  DecompressionStream: () => {
    const compressed = new Blob([zlib.gzipSync(Buffer.alloc(1e6, 'z'))])
    return new Response(compressed.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer()
  },
  'crypto.subtle.digest of 20 MB': () => globalThis.crypto.subtle.digest('SHA-256', Buffer.alloc(2e7)),
  'crypto.pbkdf2': () => promisify(nodeCrypto.pbkdf2)('a', 'b', 50_000, 32, 'sha256'),
  'crypto.scrypt': () => promisify(nodeCrypto.scrypt)('a', 'b', 32),
  'crypto.randomBytes of 10 MB': () => promisify(nodeCrypto.randomBytes)(1e7),
  'crypto.generateKeyPair': () => promisify(nodeCrypto.generateKeyPair)('rsa', { modulusLength: 1024 }),
  'a dynamic import of a built-in module': () => import('node:http2'),
  'a dynamic import of a module that vitest transforms': () => import('./fixtures/late-module.js'),
  'a message channel': messageRoundTrip,
  'a child process': () => promisify(exec)('sleep 0.02'),
  'a chain of immediates': repeat(50, () => new Promise((resolve) => setImmediate(resolve))),
  'timers/promises.setImmediate': repeat(50, () => timersPromises.setImmediate()),
  'scheduler.yield': repeat(20, () => timersPromises.scheduler.yield()),
  'process.nextTick': repeat(1000, () => new Promise<void>((resolve) => process.nextTick(resolve))),
  'blob.arrayBuffer': () => new Blob([Buffer.alloc(1e6)]).arrayBuffer(),
  'WebAssembly.compile': () => {
    const { compile } = Reflect.get(globalThis, 'WebAssembly') as { compile(code: Uint8Array): Promise<unknown> }
    return compile(MINIMAL_WASM)
  },
}

describe('time stands still during', () => {
  test.each(Object.entries(visible))('%s', async (_, work) => {
    expect(await race(work)).toEqual({ hasJumped: false, atMs: 0 })
  })
})

const workerRoundTrip = () =>
  new Promise<void>((resolve) => {
    const worker = new Worker('setTimeout(() => require("node:worker_threads").parentPort.postMessage(1), 20)', { eval: true })
    worker.once('message', () => worker.terminate().then(() => resolve()))
  })

const waitAsync = (): Promise<unknown> => {
  const { waitAsync: wait } = Atomics as unknown as {
    waitAsync(cell: Int32Array, index: number, value: number, timeoutMs: number): { value: Promise<unknown> }
  }
  return wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5).value
}

/** Documented limits: no means of Node shows this work. Should one of these come out right some day, the documentation has to follow. */
/** Deprecated, and not in every version of Node: a timer that is no `Timeout`. */
const { enroll, active } = timers as unknown as {
  enroll?: (item: object, delayMs: number) => void
  active: (item: object) => void
}
const enrolled = (enrol: NonNullable<typeof enroll>) => () =>
  new Promise<void>((resolve) => {
    const item = { _onTimeout: resolve }
    enrol(item, 20)
    active(item)
  })

const unrefedChild = async () => {
  const child = spawn('sleep', ['0.05'])
  child.unref()
  await once(child, 'exit')
}

const pipeOfGrandchild = () => once(spawn('sh', ['-c', '(sleep 0.05; echo late) & exit 0']), 'close')

const invisible: Record<string, () => Promise<unknown>> = {
  'a worker': workerRoundTrip,
  'Atomics.waitAsync, which V8 times itself': waitAsync,
  'a child process that is unref’d': unrefedChild,
  'what the child of a child process writes': pipeOfGrandchild,
  ...(enroll === undefined ? {} : { 'timers.enroll': enrolled(enroll) }),
}

describe('work that the clock cannot see', () => {
  test.each(Object.entries(invisible))('time moves during %s', async (_, work) => {
    expect(await race(work)).toEqual({ hasJumped: true, atMs: 1000 })
  })

  test.each(Object.entries(invisible))('time stands still during %s that is given to track()', async (_, work) => {
    expect(await race(() => track(work()))).toEqual({ hasJumped: false, atMs: 0 })
  })

  test('track() gives the promise back, also outside of a run', async () => {
    const promise = Promise.resolve(1)
    expect(track(promise)).toBe(promise)
    expect(await valueInVirtualTime(async (clock) => clock.track(promise) === promise)).toBe(true)
  })

  test('a rejection of tracked work ends it as well', async () => {
    const outcome = await race(() => track(Promise.reject(new Error('no'))).catch(() => {}))
    expect(outcome).toEqual({ hasJumped: false, atMs: 0 })
  })
})

describe('work begun before the run', () => {
  test('is waited for: a client may have begun it when it was made', async () => {
    const ready = (async () => {
      for (let i = 0; i < 200; i++) await fs.promises.stat(THIS_FILE)
    })()
    expect(await race(() => ready)).toEqual({ hasJumped: false, atMs: 0 })
  })

  test('does not hide the work of the run', async () => {
    const before = repeat(50, () => fs.promises.stat(THIS_FILE))()
    expect(await race(repeat(500, () => fs.promises.stat(THIS_FILE)))).toEqual({ hasJumped: false, atMs: 0 })
    await before
  })

  test('but not if it is a child process: that may be there for all trials', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'])
    try {
      expect(await race(() => new Promise((resolve) => setTimeout(resolve, 2000)))).toEqual({ hasJumped: true, atMs: 2000 })
      expect(await race(() => promisify(exec)('exit 0'))).toEqual({ hasJumped: false, atMs: 0 })
    } finally {
      child.kill()
      await once(child, 'close')
    }
  })
})
