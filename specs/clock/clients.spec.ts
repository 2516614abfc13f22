import http from 'node:http'
import { scheduler } from 'node:timers/promises'
import axios from 'axios'
import axiosRetry from 'axios-retry'
import got from 'got'
import ky from 'ky'
import OpenAI from 'openai'
import pRetry from 'p-retry'
import Stripe from 'stripe'
import * as undici from 'undici'
import { describe, expect, test } from 'vitest'
import type { Reply } from './support.js'
import { inVirtualTime, listeningServer, sleep } from './support.js'

const server = await listeningServer()

/** Rate limited, then down, then slower than the client's time-out of 10 s, then fine. */
const ordeal: Reply[] = [
  { status: 429, headers: { 'retry-after': '30', 'stripe-should-retry': 'true' } },
  { status: 503 },
  { delayMs: 60_000 },
  {},
]

const TIMEOUT_MS = 10_000

const retryAfterMs = (response: Response): number | undefined => {
  const header = response.headers.get('retry-after')
  return header === null ? undefined : Number(header) * 1000
}

const fetchInLoop = async (wait: (delayMs: number) => Promise<unknown>): Promise<string> => {
  for (let attempt = 0; ; attempt++) {
    let delayMs = 500 * 2 ** attempt
    try {
      const response = await fetch(server.url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      const text = await response.text()
      if (response.ok) return text
      delayMs = retryAfterMs(response) ?? delayMs
    } catch (error) {
      if (attempt >= 5) throw error
    }
    await wait(delayMs)
  }
}

const axiosWithRetries = () => {
  const client = axios.create({ timeout: TIMEOUT_MS })
  axiosRetry(client, {
    retries: 5,
    retryDelay: axiosRetry.exponentialDelay,
    shouldResetTimeout: true,
    retryCondition: () => true,
  })
  return client.get(server.url)
}

const undiciRetryAgent = async () => {
  const dispatcher = new undici.RetryAgent(new undici.Agent({ headersTimeout: TIMEOUT_MS }), {
    errorCodes: ['UND_ERR_HEADERS_TIMEOUT'],
  })
  const { body } = await undici.request(server.url, { dispatcher })
  return body.text()
}

const stripe = () => {
  const options = {
    host: '127.0.0.1',
    port: server.port,
    protocol: 'http',
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 5,
    telemetry: false,
  } as const
  return new Stripe('sk_test_x', options).customers.retrieve('cus_1')
}

const nodeHttpOnce = () =>
  new Promise<void>((resolve, reject) => {
    const request = http.get(server.url, { agent: new http.Agent() }, (response) => {
      response
        .resume()
        .on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`HTTP ${response.statusCode}`))))
    })
    request.setTimeout(TIMEOUT_MS, () => request.destroy(new Error('timeout'))).on('error', reject)
  })

const withPRetry = () =>
  pRetry(
    async () => {
      const response = await fetch(server.url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      await response.text()
      if (!response.ok) throw new Error(`HTTP ${response.status}`)
    },
    { retries: 5, minTimeout: 500, randomize: true, shouldRetry: () => true },
  )

const clients: Record<string, () => Promise<unknown>> = {
  'fetch and setTimeout': () => fetchInLoop(sleep),
  'fetch and scheduler.wait': () => fetchInLoop((delayMs) => scheduler.wait(delayMs)),
  'fetch and p-retry': withPRetry,
  'node:http and p-retry': () => pRetry(nodeHttpOnce, { retries: 5, minTimeout: 500, shouldRetry: () => true }),
  'axios and axios-retry': axiosWithRetries,
  got: () => got(server.url, { timeout: { request: 200_000, response: TIMEOUT_MS }, retry: { limit: 5 } }).text(),
  ky: () => ky.get(server.url, { timeout: TIMEOUT_MS * 20, retry: { limit: 5 } }).text(),
  openai: () => new OpenAI({ apiKey: 'x', baseURL: server.url, timeout: TIMEOUT_MS, maxRetries: 5 }).get('/v1/models'),
  stripe,
  'the RetryAgent of undici': undiciRetryAgent,
}

/** Where the times follow from the settings alone. Retries at 30 s, 31 s (0.5 s * 2), then 10 s of time-out and 2 s of backoff. */
const knownArrivals: Record<string, number[]> = {
  'fetch and setTimeout': [0, 30_000, 31_000, 43_000],
  'fetch and scheduler.wait': [0, 30_000, 31_000, 43_000],
  'node:http and p-retry': [0, 500, 1500, 13_500],
}

describe('real clients', () => {
  test.each(Object.entries(clients))('%s: the same arrivals in every run', async (name, call) => {
    const once = async () => {
      const { error, result } = await inVirtualTime(call, { server, script: (index) => ordeal[index] ?? {} })
      expect(error).toBeUndefined()
      return { result, arrivalsMs: server.arrivalsMs }
    }
    const first = await once()
    const second = await once()
    expect(first.result.kind).toBe('settled')
    // ky does not time out a single attempt, so the slow answer is its last.
    expect(first.arrivalsMs.length).toBe(name === 'ky' ? 3 : 4)
    expect(second).toEqual(first)
    if (name in knownArrivals) expect(first.arrivalsMs).toEqual(knownArrivals[name])
  })
})

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
