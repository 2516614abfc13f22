import { exec, execSync, spawn } from 'node:child_process'
import nodeCrypto from 'node:crypto'
import dns from 'node:dns'
import { once } from 'node:events'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { BroadcastChannel, MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { track } from '../../../src/clock/index.js'
import { sleep } from '../support.js'
import type { ExactPattern, Patterns } from './model.js'

const THIS_FILE = fileURLToPath(import.meta.url)
const SIZE = fs.statSync(THIS_FILE).size

/** Two ports that send a number back and forth. */
const pingPong = (left: Port, right: Port, times: number) =>
  new Promise<void>((resolve) => {
    right.onmessage = ({ data }) => right.postMessage(data + 1)
    left.onmessage = ({ data }) => {
      if (data < times) return left.postMessage(data + 1)
      left.close()
      right.close()
      resolve()
    }
    left.postMessage(0)
  })

/** What a MessagePort and a BroadcastChannel have in common. */
interface Port {
  onmessage: (event: { data: number }) => void
  postMessage(value: number): void
  close(): void
}

const temporaryDirectory = () => fs.promises.mkdtemp(path.join(tmpdir(), 'retrial-hunt-'))

const wasm = Reflect.get(globalThis, 'WebAssembly') as { instantiate(code: Uint8Array): Promise<unknown> }
const MINIMAL_WASM = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])

export const platform: Patterns<ExactPattern> = {
  'a worker that is tracked': {
    act: async () => {
      const worker = new Worker('require("node:worker_threads").parentPort.postMessage("done")', { eval: true })
      const [answer] = await track(once(worker, 'message'))
      await track(worker.terminate())
      await sleep(100)
      return answer
    },
    atMs: 100,
    gives: 'done',
  },
  '100 messages through a MessageChannel': {
    act: async () => {
      const { port1, port2 } = new MessageChannel()
      await pingPong(port1 as unknown as Port, port2 as unknown as Port, 100)
    },
    atMs: 0,
  },
  '100 messages through a BroadcastChannel': {
    act: () => pingPong(new BroadcastChannel('hunt') as unknown as Port, new BroadcastChannel('hunt') as unknown as Port, 100),
    atMs: 0,
  },
  'a child process and its output': { act: async () => (await promisify(exec)('echo out')).stdout, atMs: 0, gives: 'out\n' },
  'a child process that is written to': {
    act: () => {
      const child = spawn('cat')
      child.stdin.write('a')
      child.stdin.end('b')
      return text(child.stdout)
    },
    atMs: 0,
    gives: 'ab',
  },
  'a child process that cannot be started': {
    act: () => once(spawn('/no/such/program'), 'never').catch((error: NodeJS.ErrnoException) => error.code),
    atMs: 0,
    gives: 'ENOENT',
  },
  'a process that blocks the thread': { act: async () => execSync('sleep 0.02').length, atMs: 0, gives: 0 },
  'Atomics.wait with a time-out, which blocks the thread': {
    act: async () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20),
    atMs: 0,
    gives: 'timed-out',
  },
  'files written, read, copied and removed': {
    act: async () => {
      const directory = await temporaryDirectory()
      await fs.promises.writeFile(path.join(directory, 'a'), Buffer.alloc(1e6))
      await fs.promises.cp(directory, `${directory}-2`, { recursive: true })
      const { size } = await fs.promises.stat(path.join(`${directory}-2`, 'a'))
      for (const name of [directory, `${directory}-2`]) await fs.promises.rm(name, { recursive: true })
      return size
    },
    atMs: 0,
    gives: 1e6,
  },
  'a file handle read by hand and as a stream': {
    act: async () => {
      const handle = await fs.promises.open(THIS_FILE)
      let bytes = 0
      for await (const line of handle.readLines({ autoClose: false, start: 0 })) bytes += Buffer.byteLength(line) + 1
      await handle.close()
      return bytes
    },
    atMs: 0,
    gives: SIZE,
  },
  'a file handle read as a web stream that is tracked': {
    act: async () => {
      const handle = await fs.promises.open(THIS_FILE)
      const bytes = (await track(text(handle.readableWebStream() as ReadableStream))).length
      await handle.close()
      return bytes > 1000
    },
    atMs: 0,
    gives: true,
  },
  'a blob that lies in a file': {
    act: async () => (await (await fs.openAsBlob(THIS_FILE)).arrayBuffer()).byteLength,
    atMs: 0,
    gives: SIZE,
  },
  'a blob read as a stream': {
    act: async () => (await text(new Blob(['b'.repeat(300_000)]).stream())).length,
    atMs: 0,
    gives: 300_000,
  },
  'readline over a file, with waits between the lines': {
    act: async () => {
      let lines = 0
      for await (const _ of readline.createInterface({ input: fs.createReadStream(THIS_FILE) })) {
        if (++lines <= 5) await sleep(10)
      }
      return lines > 5
    },
    atMs: 50,
    gives: true,
  },
  'a host name that does not exist': {
    act: () => dns.promises.lookup('does-not-exist.invalid').catch((error: NodeJS.ErrnoException) => /^E/.test(error.code ?? '')),
    atMs: 0,
    gives: true,
  },
  'a DNS server that is not there': {
    act: () => {
      const resolver = new dns.promises.Resolver({ timeout: 200, tries: 1 })
      resolver.setServers(['127.0.0.1:1'])
      return resolver.resolve4('example.invalid').catch((error: NodeJS.ErrnoException) => error.code)
    },
    atMs: 0,
    gives: 'ECONNREFUSED',
  },
  'random bytes made in the thread pool, by a name of old': {
    act: async () => ((await promisify(nodeCrypto.pseudoRandomBytes)(5_000_000)) as Buffer).byteLength,
    atMs: 0,
    gives: 5_000_000,
  },
  'a chain of crypto jobs': {
    act: async () => {
      const key = await promisify(nodeCrypto.scrypt)('a', 'b', 32)
      const imported = await crypto.subtle.importKey('raw', key as Buffer, 'AES-GCM', false, ['encrypt'])
      const iv = new Uint8Array(12)
      return (await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, imported, Buffer.alloc(1e6))).byteLength
    },
    atMs: 0,
    gives: 1e6 + 16,
  },
  'a key pair and a signature made in the thread pool': {
    act: async () => {
      const { privateKey } = await promisify(nodeCrypto.generateKeyPair)('ec', { namedCurve: 'P-256' })
      const sign = promisify(nodeCrypto.sign) as (algorithm: string, data: Buffer, key: nodeCrypto.KeyObject) => Promise<Buffer>
      return (await sign('sha256', Buffer.from('x'), privateKey)).length > 60
    },
    atMs: 0,
    gives: true,
  },
  'WebAssembly.instantiate, ten at once': {
    act: async () => (await Promise.all(Array.from({ length: 10 }, () => wasm.instantiate(MINIMAL_WASM)))).length,
    atMs: 0,
    gives: 10,
  },
  'a module imported in between': {
    act: async () => {
      await sleep(20)
      const { loaded } = await import('../fixtures/late-module.js')
      await sleep(20)
      return loaded
    },
    atMs: 40,
    gives: 'loaded late',
  },
  'setTimeout wrapped by the client': {
    act: async () => {
      const original = globalThis.setTimeout
      let calls = 0
      try {
        const counting = (...args: Parameters<typeof setTimeout>) => {
          calls++
          return original(...args)
        }
        globalThis.setTimeout = Object.assign(counting, { __promisify__: original.__promisify__ })
        await sleep(30)
        return calls
      } finally {
        globalThis.setTimeout = original
      }
    },
    atMs: 30,
    gives: 1,
  },
  'a message taken from a port by hand': {
    act: async () => {
      const { port1, port2 } = new MessageChannel()
      port1.postMessage('by hand')
      await sleep(10)
      const taken = receiveMessageOnPort(port2)
      port1.close()
      return taken?.message
    },
    atMs: 10,
    gives: 'by hand',
  },
  'a port in a worker that is tracked, asked three times': {
    act: async () => {
      const { port1, port2 } = new MessageChannel()
      const code = 'require("node:worker_threads").workerData.on("message", function (n) { this.postMessage(n + 1) })'
      const worker = new Worker(code, { eval: true, workerData: port2, transferList: [port2] })
      let count = 0
      for (let i = 0; i < 3; i++) {
        const answer = once(port1, 'message')
        port1.postMessage(count)
        ;[count] = await track(answer)
        await sleep(100)
      }
      await track(worker.terminate())
      return count
    },
    atMs: 300,
    gives: 3,
  },
  'a file that is watched and changed': {
    act: async () => {
      const directory = await temporaryDirectory()
      const watcher = fs.watch(directory)
      const changed = track(once(watcher, 'change'))
      await fs.promises.writeFile(path.join(directory, 'a'), 'x')
      await changed
      watcher.close()
      await fs.promises.rm(directory, { recursive: true })
    },
    atMs: 0,
  },
  'structuredClone, eventLoopUtilization and performance.timeOrigin': {
    act: async () => {
      const { promise } = structuredClone({ promise: [1] })
      performance.eventLoopUtilization()
      await sleep(5)
      return [promise, performance.timeOrigin > 0]
    },
    atMs: 5,
    gives: [[1], true],
  },
  'Date.now replaced by the client': {
    act: async () => {
      const { now } = Date
      try {
        Date.now = () => 42
        await sleep(5)
        return Date.now()
      } finally {
        Date.now = now
      }
    },
    atMs: 5,
    gives: 42,
  },
  'a cleanup of a FinalizationRegistry, which waits for the end of the run': {
    act: async () => {
      let cleaned = 0
      const registry = new FinalizationRegistry(() => cleaned++)
      for (let i = 0; i < 1000; i++) registry.register({ i }, i)
      for (let i = 0; i < 20; i++) await sleep(Array.from({ length: 10_000 }, () => ({})).length && 1)
      return cleaned
    },
    atMs: 20,
    gives: 0,
  },
  'a signal that the process sends itself': {
    act: async () => {
      const received = once(process, 'SIGUSR2')
      process.kill(process.pid, 'SIGUSR2')
      await received
    },
    atMs: 0,
  },
}
