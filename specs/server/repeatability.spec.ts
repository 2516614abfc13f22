import http from 'node:http'
import { expect, test } from 'vitest'
import { FAULT_KINDS, type StepInput } from '../../src/schedule/model.js'
import { onStage } from './support.js'

/** Numbers from a seed, so that a failing schedule comes again. */
function drawing(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

const ANSWERS: readonly StepInput[] = [
  200,
  503,
  { status: 429, retryAfter: { date: 3, form: 'rfc850' } },
  { status: 200, delayMs: 900 },
  { status: 200, delayMs: 5000, apply: true },
  { status: 200, bodyDelayMs: 5000 },
  { status: 200, dripMs: 40 },
  { status: 200, stall: 'headers' },
  { status: 200, stall: 'body' },
  { status: 200, truncate: 'length' },
  { status: 200, truncate: 'chunked' },
  { status: 200, truncate: 'gzip' },
  { status: 200, json: 'malformed' },
  { status: 500, closeAfter: 'answer' },
  { status: 500, closeAfter: 'next-request' },
  { status: 200, stream: { events: [{ data: 1 }, { data: 2, delayMs: 100 }], end: 'reset' } },
  { status: 307, headers: { location: '/elsewhere' } },
]
const STEPS: readonly StepInput[] = [...ANSWERS, ...FAULT_KINDS]

type Send = (url: string, key: string) => Promise<void>

const withFetch: Send = async (url, key) => {
  const response = await fetch(url, {
    method: 'POST',
    body: 'x',
    headers: { 'idempotency-key': key },
    signal: AbortSignal.timeout(2000),
  })
  await response.text()
}

const withHttp =
  (agent: http.Agent): Send =>
  (url, key) =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(2000)
      const request = http.request(url, { method: 'POST', agent, headers: { 'idempotency-key': key }, signal }, (response) => {
        response.on('end', resolve).on('error', reject).resume()
      })
      request.on('error', reject)
      request.end('x')
    })

/** Two calls at once, each of three attempts with a wait between them; what the server saw of it. */
async function traceOf(schedule: readonly StepInput[], client: 'fetch' | 'http'): Promise<unknown> {
  const agent = new http.Agent({ keepAlive: true })
  const send = client === 'fetch' ? withFetch : withHttp(agent)
  try {
    return await onStage(schedule, async ({ server, wait }) => {
      const call = async (index: number) => {
        for (let attempt = 0; attempt < 3; attempt++) {
          await send(`${server.baseUrl(index)}/v1`, `k${index}`).catch(() => {})
          await wait(100 * attempt)
        }
      }
      await Promise.all([call(0), call(1)])
      // The port in `host` is the one thing that the kernel draws.
      const attempts = server.attempts().map((attempt) => ({ ...attempt, headers: { ...attempt.headers, host: '' } }))
      return [attempts, server.ledger().entries, server.racedRequests()]
    })
  } finally {
    agent.destroy()
  }
}

test.each(['fetch', 'http'] as const)('the same schedule gives the same trace, with %s', async (client) => {
  const draw = drawing(7)
  for (let n = 0; n < 25; n++) {
    const schedule = Array.from({ length: 1 + draw(6) }, () => STEPS[draw(STEPS.length)]!)
    expect(await traceOf(schedule, client), JSON.stringify(schedule)).toEqual(await traceOf(schedule, client))
  }
})
