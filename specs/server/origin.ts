import http from 'node:http'
import https from 'node:https'
import axios from 'axios'
import got from 'got'
import OpenAI from 'openai'
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import type { StepInput } from '../../src/schedule/model.js'
import { defineClient } from '../../src/trial/client.js'
import type { Client } from '../../src/trial/model.js'
import { runTrial } from '../../src/trial/run-trial.js'

export const ORIGIN = 'https://api.example.com'
export const own = { origin: ORIGIN }

/** Captured before any trial: what nock itself could not see. */
const capturedFetch = globalThis.fetch

export const CLIENTS: Readonly<Record<string, Client>> = {
  fetch: defineClient('fetch', ({ url, method, headers, body, signal }) => fetch(url, { method, headers, body, signal }), own),
  axios: defineClient(
    'axios',
    ({ url, method, headers, body, signal }) =>
      axios.request({ url, method, headers: { ...headers }, data: body, signal, timeout: 5_000 }),
    own,
  ),
  got: defineClient(
    'got',
    ({ url, headers, body, signal }) =>
      got.post(url, { headers: { ...headers }, body, signal, retry: { limit: 0 }, timeout: { request: 5_000 } }),
    own,
  ),
}

/** Three tries, whatever is wrong, 1 s apart or as long as Retry-After says. */
const patient = (client: Client): Client =>
  defineClient(
    `patient ${client.name}`,
    async (call) => {
      for (let attempt = 1; ; attempt++) {
        const result = await Promise.resolve()
          .then(() => client.implementation.call(undefined, call))
          .catch((error: unknown) => error as { code?: string; response?: unknown })
        const answer = ((result as { response?: unknown }).response ?? result) as {
          status?: number
          statusCode?: number
          headers?: Headers | Record<string, string>
        }
        const status = answer.status ?? answer.statusCode
        if (answer instanceof Response) await answer.arrayBuffer()
        if (status === 200) return { status }
        if (attempt === 3) throw result
        const { headers } = answer
        const hint = headers instanceof Headers ? headers.get('retry-after') : headers?.['retry-after']
        await new Promise((resolve) => setTimeout(resolve, hint ? Number(hint) * 1000 : 1_000))
      }
    },
    own,
  )

/** What holds for a built-in host, whatever way clients of node:http take. */
export function describeBuiltInHosts(): void {
  describe.each(Object.keys(CLIENTS))('%s with a built-in host', (name) => {
    const client = patient(CLIENTS[name]!)

    test.each<[StepInput[], unknown[], (number | null)[]]>([
      [
        [{ status: 429, retryAfter: 30 }, 503, 200],
        [429, 503, 200],
        [30_000, 1_000],
      ],
      [[{ status: 200, delayMs: 700 }], [200], []],
      [
        ['reset', 'close', 200],
        ['reset', 'close', 200],
        [1_000, 1_000],
      ],
      [['refuse', 200], ['refuse', 200], [1_000]],
      [
        [
          { status: 503, bodyDelayMs: 40 },
          { status: 200, body: { ok: true } },
        ],
        [503, 200],
        [1_000],
      ],
    ])('plays %j in virtual time', async (schedule, statuses, gapsMs) => {
      const trial = await runTrial(client, schedule)
      expect(trial.statuses).toEqual(statuses)
      expect(trial.gapsMs).toEqual(gapsMs)
      expect(trial.outcome).toMatchObject({ kind: 'resolved', value: { status: 200 } })
      expect(trial.transport).toBe('nock')
      expect(trial.relapses).toBe(0)
      expect(trial.foreignConnections).toEqual([])
      expect(trial.leftovers).toMatchObject({ timers: [], unhandledRejections: [] })
      expect(trial.attempts.at(-1)).toMatchObject({ path: '/', method: 'POST', idempotencyKey: 'k-1', call: 0 })
      expect(Buffer.from(trial.attempts.at(-1)!.body).toString()).toBe('{"prompt":"hi"}')
    })
  })

  // got counts one millisecond more than it was told.
  test.each([
    ['axios', 5_000],
    ['got', 5_001],
  ])('%s gives up a hang at its own timeout, and the server hears of it', async (name, atMs) => {
    const trial = await runTrial(patient(CLIENTS[name]!), ['hang', 200])
    expect(trial.statuses).toEqual(['hang', 200])
    expect(trial.attempts[0]).toMatchObject({ arrivedAtMs: 0, hungUpAtMs: atMs, endedAtMs: atMs })
    expect(trial.attempts[1]!.arrivedAtMs).toBe(atMs + 1_000)
  })

  test('fetch meets the errors of the platform', async () => {
    const codes: unknown[] = []
    const client = defineClient(
      'codes',
      async ({ url, method, body }) => {
        for (let attempt = 0; attempt < 3; attempt++) {
          await fetch(url, { method, body }).catch((error: TypeError) => {
            codes.push([error.name, error.message, (error.cause as { code: string }).code])
          })
        }
      },
      own,
    )
    await runTrial(client, ['reset', 'close', 'refuse'])
    expect(codes).toEqual([
      ['TypeError', 'fetch failed', 'ECONNRESET'],
      ['TypeError', 'fetch failed', 'UND_ERR_SOCKET'],
      ['TypeError', 'fetch failed', 'ECONNREFUSED'],
    ])
  })

  test('node:http meets the errors of the platform', async () => {
    const errors: unknown[] = []
    const client = defineClient(
      'codes',
      async ({ url, body }) => {
        for (let attempt = 0; attempt < 3; attempt++) {
          await new Promise<void>((resolve) => {
            const request = https.request(url, { method: 'POST' })
            request.on('error', ({ message, code, syscall }: NodeJS.ErrnoException) => {
              errors.push([message, code, syscall])
              resolve()
            })
            request.end(body)
          })
        }
      },
      own,
    )
    await runTrial(client, ['reset', 'close', 'refuse'])
    expect(errors).toEqual([
      ['read ECONNRESET', 'ECONNRESET', 'read'],
      ['socket hang up', 'ECONNRESET', undefined],
      [expect.stringMatching(/^connect ECONNREFUSED 127.0.0.1:\d+$/), 'ECONNREFUSED', 'connect'],
    ])
  })

  test('openai is tried at its default host', async () => {
    const openai = new OpenAI({ apiKey: 'test' })
    const client = defineClient(
      'openai',
      ({ signal }) => openai.chat.completions.create({ model: 'm', messages: [] }, { signal }),
      { origin: 'https://api.openai.com' },
    )
    const trial = await runTrial(client, [{ status: 429, retryAfter: 30 }, 'reset', { status: 200, body: { id: 'c1' } }])
    expect(trial.statuses).toEqual([429, 'reset', 200])
    expect(trial.gapsMs[0]).toBe(30_000)
    expect(trial.attempts[0]).toMatchObject({ path: '/v1/chat/completions', call: 0 })
    expect(trial.outcome).toMatchObject({ kind: 'resolved', value: { id: 'c1' } })
  })

  test('stripe is tried at its default host', async () => {
    const client = defineClient(
      'stripe',
      {
        create: () => new Stripe('sk_test_1', { maxNetworkRetries: 2, timeout: 4_000 }),
        call: (stripe: Stripe, { idempotencyKey }) => stripe.customers.create({ name: 'a' }, { idempotencyKey }),
      },
      { origin: 'https://api.stripe.com' },
    )
    const trial = await runTrial(client, ['hang', 503, { status: 200, body: { id: 'cus_1' } }])
    expect(trial.statuses).toEqual(['hang', 503, 200])
    expect(trial.attempts[0]).toMatchObject({ path: '/v1/customers', hungUpAtMs: 4_000 })
    expect(new Set(trial.attempts.map((attempt) => attempt.idempotencyKey))).toEqual(new Set(['k-1']))
    expect(trial.outcome).toMatchObject({ kind: 'resolved', value: { id: 'cus_1' } })
  })

  test('several calls are told apart by their keys', async () => {
    const trial = await runTrial(CLIENTS.axios!, [200], { calls: 3, concurrency: 3 })
    expect(trial.attempts.map(({ call }) => call)).toEqual([0, 1, 2])
  })

  test('a fetch that was captured before the trial is reached', async () => {
    const client = defineClient('captured', ({ url, method, body }) => capturedFetch(url, { method, body }), own)
    expect((await runTrial(client, [200])).statuses).toEqual([200])
  })

  test('any other host is refused by name and recorded', async () => {
    const client = defineClient(
      'stray',
      async ({ url }) => {
        const stray = await new Promise<Error>((resolve) => {
          http.get('http://other.example:8080/').on('error', resolve)
        })
        const response = await fetch(url)
        return { status: response.status, stray: stray.message }
      },
      own,
    )
    const trial = await runTrial(client, [200], { call: { method: 'GET' } })
    expect(trial.outcome).toMatchObject({ value: { stray: expect.stringContaining('other.example:8080') } })
    expect(trial.foreignConnections).toMatchObject([{ host: 'other.example', port: 8080, refused: true }])
  })

  test('steps that need a wire are refused by name, before anything starts', async () => {
    const schedule: StepInput[] = ['reset-body', { status: 200, truncate: 'length' }, { status: 200, dripMs: 5 }, 'informational']
    await expect(runTrial(CLIENTS.fetch!, schedule)).rejects.toThrow(
      [
        "schedule[0]: 'reset-body' is not offered by the nock transport: it happens to bytes on a connection, and there is none; it needs a client that takes a base URL, without `origin`",
        'schedule[1].truncate: "truncate" is not offered by the nock transport: ',
      ].join('\n'),
    )
  })

  test('a step that a function chooses is refused when it is chosen', async () => {
    await expect(runTrial(CLIENTS.axios!, () => 'garbage')).rejects.toThrow(/schedule\(attempt 1\).*'garbage' is not offered/)
  })

  test('npm undici is told that it cannot be routed', async () => {
    const { request } = await import('undici')
    const client = defineClient('undici', ({ url }) => request(url), own)
    await expect(runTrial(client, [200])).rejects.toThrow('npm undici cannot be routed')
  })

  test('two trials with an origin cannot overlap', async () => {
    const slow = runTrial(CLIENTS.axios!, [{ status: 200, delayMs: 50 }], { clock: 'real' })
    const second = runTrial(CLIENTS.axios!, [200], { clock: 'real' })
    await expect(second).rejects.toThrow("a trial of a client with origin 'https://api.example.com' is running")
    expect((await slow).statuses).toEqual([200])
    expect((await runTrial(CLIENTS.axios!, [200])).statuses).toEqual([200])
  })

  test('nothing is intercepted any more when the trial is over', async () => {
    const before = [http.request, https.request, globalThis.fetch]
    await runTrial(CLIENTS.axios!, [200])
    expect([http.request, https.request, globalThis.fetch]).toEqual(before)
  })
}
