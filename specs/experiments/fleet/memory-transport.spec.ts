import { afterEach, expect, test } from 'vitest'
import { startClock } from '../../../src/clock/index.js'
import { CallBook } from '../../../src/experiments/fleet/call-book.js'
import { FleetServer } from '../../../src/experiments/fleet/fleet-server.js'
import { openMemoryTransport } from '../../../src/experiments/fleet/memory-transport.js'
import type { ScheduledRequest, Step } from '../../../src/schedule/model.js'

/** Runs `body` in virtual time against a server that plays one step for ever. */
async function against(step: Step, body: (url: string, platform: typeof fetch) => Promise<unknown>) {
  const seen: ScheduledRequest[] = []
  const run = startClock('virtual')
  const model = {
    decide: (request: ScheduledRequest) => {
      seen.push(request)
      return { step, workMs: 0 }
    },
  }
  const server = new FleetServer(model, new CallBook(1))
  const platform = globalThis.fetch
  const transport = openMemoryTransport(run.clock, server)
  let value: unknown
  let error: unknown
  const end = await run.drive(async () => {
    try {
      value = await body(`${transport.baseUrl(0)}/v1/x?y=1`, platform)
    } catch (thrown) {
      error = thrown
    }
  })
  await transport.close()
  run.stop()
  return { value, error, end, seen, attempts: server.attempts }
}

const platform = globalThis.fetch
afterEach(() => expect(globalThis.fetch).toBe(platform))

test('an answer comes after its delay, with its status, hint and body', async () => {
  const { value, end, attempts } = await against({ status: 503, delayMs: 250, retryAfter: 2, body: { a: 1 } }, async (url) => {
    const response = await fetch(url)
    return [response.status, response.headers.get('retry-after'), await response.json()]
  })
  expect(value).toEqual([503, '2', { a: 1 }])
  expect(end).toEqual({ kind: 'settled', atMs: 250 })
  expect(attempts[0]).toMatchObject({ arrivedAtMs: 0, endedAtMs: 250, result: 503, hintUntilMs: 2_250, resend: false })
})

test('method, path, headers and body arrive, however the request was made', async () => {
  const init = { method: 'POST', headers: { 'Idempotency-Key': 'k' }, body: 'hello' }
  const { seen } = await against({ status: 200 }, async (url) => {
    await fetch(url, init)
    await fetch(new Request(url, init))
    await fetch(new URL(url), { ...init, body: new TextEncoder().encode('hello') })
  })
  const read = seen.map(({ method, path, headers, body, idempotencyKey }) => [
    method,
    path,
    headers['idempotency-key'],
    body,
    idempotencyKey,
  ])
  expect(read).toEqual(Array.from({ length: 3 }, () => ['POST', '/v1/x?y=1', 'k', 'hello', 'k']))
})

test('a reset fails as the platform fails', async () => {
  const { error } = await against({ fault: 'reset' }, (url) => fetch(url))
  expect(error).toBeInstanceOf(TypeError)
  expect((error as TypeError).cause).toMatchObject({ code: 'ECONNRESET' })
})

test('an abort rejects with its reason at once, and the attempt is marked as hung up', async () => {
  const { error, end, attempts } = await against({ fault: 'hang' }, (url) => fetch(url, { signal: AbortSignal.timeout(700) }))
  expect(error).toMatchObject({ name: 'TimeoutError' })
  expect(end).toEqual({ kind: 'settled', atMs: 700 })
  expect(attempts[0]).toMatchObject({ endedAtMs: 700, result: 'hang-up' })
})

test('a signal that is aborted already sends nothing', async () => {
  const { error, attempts } = await against({ status: 200 }, (url) => fetch(url, { signal: AbortSignal.abort(new Error('no')) }))
  expect(error).toEqual(new Error('no'))
  expect(attempts).toEqual([])
})

test('another host is not reached', async () => {
  const { error, attempts } = await against({ status: 200 }, () => fetch('http://elsewhere.invalid/'))
  expect((error as TypeError).cause).toEqual(
    Object.assign(new Error("elsewhere.invalid is not the experiment's server: call the url that the client is given"), {
      code: 'ENOTFOUND',
    }),
  )
  expect(attempts).toEqual([])
})

test('a second request of the same call to the same target is a re-send', async () => {
  const { attempts } = await against({ status: 503 }, async (url) => {
    await fetch(url)
    await fetch(url)
    await fetch(url, { method: 'POST' })
  })
  expect(attempts.map(({ resend }) => resend)).toEqual([false, true, false])
})
