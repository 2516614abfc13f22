import { fork, spawn } from 'node:child_process'
import dgram from 'node:dgram'
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { mock } from 'node:test'
import tls from 'node:tls'
import { Worker } from 'node:worker_threads'
import { vi } from 'vitest'
import { sleep } from '../support.js'
import type { Here, NamedPattern, Patterns } from './model.js'

const never = () => new Promise<never>(() => {})
const impatient = { deadlockGraceMs: 20, realStallMs: 200 }

export const named: Patterns<NamedPattern> = {
  'a promise that nothing can settle': { act: never, options: impatient, named: /nothing is on the wire and no timer is armed/ },
  'a worker that nobody declares': {
    act: () => {
      const worker = new Worker('setTimeout(() => process.exit(), 100)', { eval: true })
      return once(worker, 'message')
    },
    options: impatient,
    named: /declare it with clock\.track\(promise\)/,
  },
  'a worker that makes requests of its own': {
    act: async ({ url }: Here) => {
      const worker = new Worker(`fetch('${url}/after/10').then(() => require('node:worker_threads').parentPort.postMessage(1))`, {
        eval: true,
      })
      await once(worker, 'message')
      await worker.terminate()
    },
    options: { deadlockGraceMs: 5000 },
    named: /another thread or process/,
  },
  'a forked process that stays': {
    act: async () => {
      const child = fork('-e', ['process.on("message", () => {})'], { execArgv: [] })
      await once(child, 'spawn')
      setTimeout(() => child.kill(), 100)
      await once(child, 'exit')
    },
    options: impatient,
    named: /a child process is running/,
  },
  'a child process that waits for a timer of this one': {
    act: async () => {
      const child = spawn('cat')
      setTimeout(() => child.stdin.end(), 50)
      await sleep(500).finally(() => child.kill())
    },
    options: impatient,
    named: /a child process is running/,
  },
  'a timer with node:test’s mock timers on': {
    act: () => {
      mock.timers.enable({ apis: ['setTimeout'] })
      return sleep(100).finally(() => mock.timers.reset())
    },
    options: impatient,
    named: /setTimeout/,
  },
  'a Date that is mocked by node:test': {
    act: async () => {
      mock.timers.enable({ apis: ['Date'] })
      await sleep(100)
    },
    named: /Date has been replaced/,
  },
  'an interval with only setInterval faked by vitest': {
    act: () => {
      vi.useFakeTimers({ toFake: ['setInterval'] })
      return new Promise((resolve) => setInterval(resolve, 100))
    },
    options: impatient,
    named: /useFakeTimers/,
  },
  'performance.now faked by vitest': {
    act: async () => {
      vi.useFakeTimers({ toFake: ['performance'] })
      await sleep(10)
    },
    named: /useFakeTimers/,
  },
  'a busy wait on Date.now': {
    act: async () => {
      const end = Date.now() + 50
      while (Date.now() < end);
    },
    named: /busy/,
  },
  'a busy wait on performance.now between microtasks': {
    act: async () => {
      const end = performance.now() + 50
      while (performance.now() < end) await null
    },
    named: /busy/,
  },
  'a busy wait on hrtime': {
    act: async () => {
      const end = process.hrtime.bigint() + 50_000_000n
      while (process.hrtime.bigint() < end);
    },
    named: /busy/,
  },
  'a busy wait on setImmediate': {
    act: async () => {
      const end = Date.now() + 50
      while (Date.now() < end) await new Promise((resolve) => setImmediate(resolve))
    },
    options: impatient,
    named: /setImmediate callbacks are pending/,
  },
  'a loop of timers without end': {
    act: () =>
      new Promise(() => {
        const again = () => void setTimeout(again, 1000)
        again()
      }),
    options: { maxVirtualMs: 60_000 },
    named: /runaway at 60000 ms/,
  },
  'a connection to elsewhere': {
    act: () => fetch('http://elsewhere.invalid/'),
    named: /elsewhere\.invalid:80 refused during a trial/,
  },
  'a server of the client’s own': {
    act: async () => {
      const server = http.createServer((_, response) => response.end('own')).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as net.AddressInfo
      try {
        return await fetch(`http://127.0.0.1:${port}/`)
      } finally {
        server.close()
      }
    },
    named: /127\.0\.0\.1:\d+ refused during a trial/,
  },
  'TLS to the trial’s own port': {
    act: async ({ port }) => once(tls.connect(port, '127.0.0.1'), 'secureConnect'),
    named: /speaks plain HTTP/,
  },
  'a unix socket': {
    act: async () => once(net.connect('/no/such/socket'), 'connect'),
    named: /unix connection to \/no\/such\/socket:0 refused/,
  },
  'a datagram': {
    act: async () => {
      const socket = dgram.createSocket('udp4')
      await new Promise<void>((resolve, reject) => {
        socket.send('gauge', 8125, '127.0.0.1', (error) => (error ? reject(error) : resolve()))
      }).finally(() => socket.close())
    },
    named: /udp connection to 127\.0\.0\.1:8125 refused/,
  },
  'a delay that Node cuts to a millisecond': {
    act: async ({ run }) => {
      await sleep(2 ** 31)
      throw new Error(`overflow: ${run.overflows()[0]?.requestedMs}`)
    },
    named: /overflow: 2147483648/,
  },
  'an answer that never comes to a client without patience': {
    act: ({ url }) => new Promise(() => http.get(`${url}/hang`, { agent: new http.Agent() }).on('error', () => {})),
    options: impatient,
    named: /1 client connection waiting for an answer/,
  },
}
