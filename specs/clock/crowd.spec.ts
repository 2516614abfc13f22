import http from 'node:http'
import axios from 'axios'
import OpenAI from 'openai'
import pRetry from 'p-retry'
import { describe, expect, test } from 'vitest'
import type { Reply } from './support.js'
import { inVirtualTime, listeningServer } from './support.js'

const server = await listeningServer()

describe('20 calls of different clients at once', () => {
  const faults: Reply[] = [
    { status: 503 },
    { fault: 'reset' },
    { fault: 'truncate' },
    { fault: 'hang' },
    { delayMs: 7000 },
    { status: 503, delayMs: 1234 },
    { bodyDelayMs: 3000 },
    {},
  ]

  const crowd = async (agent: http.Agent) => {
    const callers: ((url: string) => Promise<unknown>)[] = [
      async (url) => (await fetch(url, { signal: AbortSignal.timeout(4000) })).text(),
      (url) => axios.get(url, { timeout: 4000, httpAgent: agent }),
      (url) => new OpenAI({ apiKey: 'x', baseURL: url, timeout: 4000, maxRetries: 0 }).get('/m'),
      async (url) => {
        const controller = new AbortController()
        const timer = setTimeout(() => controller.abort(), 1 + Math.floor(Math.random() * 3000))
        return fetch(url, { signal: controller.signal })
          .then((response) => response.text())
          .finally(() => clearTimeout(timer))
      },
    ]
    const calls = Array.from({ length: 20 }, (_, index) => {
      const caller = callers[index % callers.length]!
      return pRetry(() => caller(`${server.url}/${index}`), {
        retries: 9,
        minTimeout: 200,
        randomize: true,
        shouldRetry: () => true,
      })
    })
    return (await Promise.allSettled(calls)).map(({ status }) => status)
  }

  test('give one and the same course of events for a seed', async () => {
    const course = async (seed: number) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 5 })
      const script = (index: number) => faults[(index * 7 + seed) % faults.length]!
      const { value, result } = await inVirtualTime(() => crowd(agent), { server, script, seed })
      agent.destroy()
      return { value, result, arrivalsMs: server.arrivalsMs, paths: server.paths }
    }
    for (const seed of [1, 2, 3]) {
      const first = await course(seed)
      expect(first.result.kind).toBe('settled')
      expect(first.paths.length).toBeGreaterThan(20)
      expect(await course(seed)).toEqual(first)
    }
  })
})
