import http from 'node:http'
import zlib from 'node:zlib'
import axios from 'axios'
import { describe, expect, test } from 'vitest'
import { startClock } from '../../src/clock/index.js'
import { get, getText, gzip, listeningServer, sleep, valueInVirtualTime } from './support.js'

const server = await listeningServer()

describe('the server takes part', () => {
  test('delays of the server pass exactly, also those longer than a Node timer holds', async () => {
    const delaysMs = [0, 1, 60_000, 2 ** 31 + 5]
    const arrivals = await valueInVirtualTime(
      async () => {
        for (const _ of delaysMs) await getText(server.url)
        await getText(server.url)
        return server.arrivalsMs
      },
      { server, script: (index) => ({ delayMs: delaysMs[index] ?? 0 }), maxVirtualMs: 2 ** 33 },
    )
    expect(arrivals).toEqual([0, 0, 1, 60_001, 60_001 + 2 ** 31 + 5])
  })

  test('requests that arrive together are handled in the order in which their sockets were made', async () => {
    const paths = await valueInVirtualTime(
      async () => {
        const agent = new http.Agent()
        await Promise.all(Array.from({ length: 20 }, (_, index) => getText(`${server.url}/${index}`, { agent })))
        return server.paths
      },
      { server },
    )
    expect(paths).toEqual(Array.from({ length: 20 }, (_, index) => `/${index}`))
  })

  test('a connection that the server has closed for idling is not used again', async () => {
    const agent = new http.Agent({ keepAlive: true })
    server.http.keepAliveTimeout = 5000
    let connections = 0
    const count = () => connections++
    server.http.on('connection', count)
    try {
      const seen = await valueInVirtualTime(
        async () => {
          const opened: number[] = []
          // Newer releases of Node wait for keepAliveTimeoutBuffer (1 s) on top of the 5 s.
          for (const pauseMs of [0, 4999, 6001]) {
            await sleep(pauseMs)
            await getText(server.url, { agent })
            opened.push(connections)
          }
          return opened
        },
        { server },
      )
      expect(seen).toEqual([1, 1, 2])
    } finally {
      server.http.keepAliveTimeout = 0
      server.http.off('connection', count)
      agent.destroy()
    }
  })

  test('a connection kept alive from one run to the next is accounted for in both', async () => {
    const agent = new http.Agent({ keepAlive: true })
    const script = () => gzip('x'.repeat(100_000))
    const call = async (): Promise<[number, number]> => {
      const response = await get(server.url, { agent, timeout: 5 })
      let length = 0
      for await (const chunk of response.pipe(zlib.createGunzip())) length += chunk.length
      return [length, server.clock.nowMs()]
    }
    for (let i = 0; i < 2; i++) {
      const run = startClock('virtual')
      try {
        server.join(run.clock, script)
        let outcome: [number, number] | undefined
        await run.drive(async () => {
          outcome = await call()
        })
        expect(outcome).toEqual([100_000, 0])
        expect(run.relapses()).toBe(0)
      } finally {
        run.stop()
      }
    }
    agent.destroy()
  })
})

describe('timeouts of clients', () => {
  test.each([
    ['AbortSignal.timeout', 10_000, () => fetch(server.url, { signal: AbortSignal.timeout(10_000) })],
    ['node:http timeout', 10_000, () => httpWithTimeout(10_000)],
    ['axios', 10_000, () => axios.get(server.url, { timeout: 10_000 })],
    // Undici's coarse timers tick every 499 ms and count 499 ms each: 300 s of them, started in the first tick, are over at tick 602.
    ['undici headersTimeout', 300_398, () => fetch(server.url)],
  ])('%s come in virtual time', async (_, expectedMs, call) => {
    const endMs = await valueInVirtualTime(
      async (clock) => {
        await call().then(
          () => Promise.reject(new Error('answered')),
          () => {},
        )
        return clock.nowMs()
      },
      { server, script: () => ({ fault: 'hang' }) },
    )
    expect(endMs).toBe(expectedMs)
  })
})

const httpWithTimeout = (timeoutMs: number): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = http.get(server.url, resolve).on('error', reject)
    request.setTimeout(timeoutMs, () => request.destroy(new Error('timeout')))
  })
