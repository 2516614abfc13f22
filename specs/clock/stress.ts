import { createHash } from 'node:crypto'
import http from 'node:http'
import axios from 'axios'
import * as fc from 'fast-check'
import OpenAI from 'openai'
import pRetry from 'p-retry'
import * as undici from 'undici'
import { expect } from 'vitest'
import type { StepInput } from '../../src/schedule/model.js'
import type { Trial } from '../../src/trace/model.js'
import { defineClient } from '../../src/trial/client.js'
import type { Client } from '../../src/trial/model.js'
import { runTrial } from '../../src/trial/run-trial.js'

const TIMEOUT_MS = 4000

/** Both sides of the clients' time limit, and every fault that takes a connection or a body apart. */
const step: fc.Arbitrary<StepInput> = fc.oneof(
  fc.constantFrom<StepInput>(200, 500, 503, 404, 'reset', 'reset-early', 'reset-headers', 'reset-body', 'close', 'hang'),
  fc.record({ status: fc.constantFrom(429, 503), retryAfter: fc.oneof(fc.nat(5), fc.record({ date: fc.nat(5) })) }),
  fc.record({ status: fc.constantFrom(200, 503), delayMs: fc.constantFrom(1, 700, 3999, 4001, 9000) }),
  fc.record({ status: fc.constantFrom(200, 503), bodyDelayMs: fc.constantFrom(1, 700, 3999, 4001) }),
  fc.record({
    status: fc.constantFrom(200, 503),
    truncate: fc.constantFrom('length' as const, 'chunked' as const, 'gzip' as const),
  }),
  fc.constantFrom<StepInput>(
    { status: 200, body: 'x'.repeat(200_000) },
    { status: 503, closeAfter: 'answer' },
    { status: 200, dripMs: 90 },
  ),
)

/** The same list for the same count, and a longer one begins with the shorter one. */
export const schedules = (count: number, maxLength = 6): readonly (readonly StepInput[])[] =>
  fc.sample(fc.array(step, { minLength: 1, maxLength }), { numRuns: count, seed: 2030 })

const persistently = <T>(send: () => Promise<T>): Promise<T> =>
  pRetry(send, { retries: 6, minTimeout: 200, randomize: true, shouldRetry: () => true })

const SENDERS: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  fetch: async (url) => {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    return response.text()
  },
  openai: (url) => new OpenAI({ apiKey: 'x', baseURL: url, timeout: TIMEOUT_MS, maxRetries: 0 }).get('/models'),
  axios: (url) => axios.get(url, { timeout: TIMEOUT_MS, signal: AbortSignal.timeout(TIMEOUT_MS) }),
  'undici.request': async (url) => {
    const { body, statusCode } = await undici.request(url, { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`)
    return text
  },
}

export const CLIENTS: readonly Client[] = Object.entries(SENDERS).map(([name, send]) =>
  defineClient(name, ({ url }) => persistently(() => send(url))),
)

/** Five of each kind and, among them, ones that break off at random and an agent with fewer sockets than there are callers. */
const crowd = defineClient('crowd', {
  create: () => new http.Agent({ keepAlive: true, maxSockets: 3 }),
  call: (agent, { url, index }) => {
    const kinds = [
      SENDERS.fetch!,
      SENDERS.openai!,
      (target: string) => axios.get(target, { timeout: TIMEOUT_MS, httpAgent: agent }),
      (target: string) => {
        const signal = AbortSignal.timeout(1 + Math.floor(Math.random() * 3000))
        return fetch(target, { signal }).then((response) => response.text())
      },
    ]
    return persistently(() => kinds[index % kinds.length]!(url))
  },
  dispose: (agent) => agent.destroy(),
})

export const CROWD_SIZE = 20

export const runCrowd = (schedule: readonly StepInput[], seed: number): Promise<Trial> =>
  runTrial(crowd, schedule, { seed, call: { method: 'GET' }, calls: CROWD_SIZE, concurrency: CROWD_SIZE })

export const runAlone = (client: Client, schedule: readonly StepInput[], seed: number): Promise<Trial> =>
  runTrial(client, schedule, { seed, call: { method: 'GET' } })

/** All that one run of a seed must have in common with another one: everything but ports and stacks. */
const courseOf = (trial: Trial) => [
  trial.attempts.map(
    ({ call, socket, result, arrivedAtMs, headersAtMs, endedAtMs, hungUpAtMs, headers: { host: _, ...headers } }) => [
      ...[call, socket, result, arrivedAtMs, headersAtMs, endedAtMs, hungUpAtMs],
      headers,
    ],
  ),
  trial.calls.map(({ outcome, settledAtMs }) => [outcome.kind, settledAtMs]),
]

export interface Sweep {
  readonly hash: string
  readonly attempts: number
}

/** Runs everything once, in order; none may hang, and none may have moved time while something was under way. */
export async function sweep(trials: Iterable<() => Promise<Trial>>): Promise<Sweep> {
  const hash = createHash('sha256')
  let attempts = 0
  for (const run of trials) {
    const trial = await run()
    const unsettled = trial.calls.filter(({ outcome }) => outcome.kind === 'unsettled')
    expect([trial.relapses, unsettled], `seed ${trial.seed}: ${trial.schedule}`).toEqual([0, []])
    hash.update(JSON.stringify(courseOf(trial)))
    attempts += trial.attempts.length
  }
  return { hash: hash.digest('hex').slice(0, 16), attempts }
}
