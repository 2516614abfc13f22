import { gzipSync } from 'node:zlib'
import axios from 'axios'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { kyPost } from '../../fixtures/clients/known/ky.js'
import { openai } from '../../fixtures/clients/known/openai.js'
import { pRetryFetch } from '../../fixtures/clients/known/p-retry.js'
import { fetchLoop } from '../../fixtures/clients/sound/fetch-loop.js'
import { defineClient, runTrial, type TrialOptions } from '../../src/index.js'
import type { StepInput } from '../../src/schedule/model.js'
import { NotOfferedError } from '../../src/server/offer.js'
import { onBoth, persistent, plans, schedules } from './transports.js'

const capturedFetch = globalThis.fetch
const GZIPPED = gzipSync('{"ok":true}').toString('base64')

/** Troubles that every client meets sooner or later. */
const STORIES: readonly (readonly StepInput[])[] = [
  [{ status: 429, retryAfter: 30 }, 503, 200],
  ['reset', 'close', { status: 200, delayMs: 9_000 }, 200],
  [{ status: 200, truncate: 'length' }, { status: 200, json: 'malformed' }, 200],
  [{ status: 200, stall: 'body' }, 500, 404],
  ['hang'],
]

test('a generated schedule gives the same trial on the fetch transport as on sockets', async () => {
  await fc.assert(
    fc.asyncProperty(schedules, plans, async (schedule, options) => {
      const [socket, fetched] = await onBoth(persistent, schedule, options)
      expect(fetched).toEqual(socket)
    }),
    { seed: 20, numRuns: 100 },
  )
}, 60_000)

test.each<[string, readonly StepInput[], TrialOptions]>([
  ['a hang that nobody but undici gives up', ['hang'], {}],
  ['a stalled body that nobody but undici gives up', [{ status: 200, stall: 'body', bodyDelayMs: 1_234 }], {}],
  ['a drip longer than the body timeout', [{ status: 200, body: 'abc', dripMs: 250_000 }], {}],
  ['a refused connection', ['refuse', 200], {}],
  ['a refused connection after an answer', [500, 'refuse', 200], {}],
  ['an abort in the attempt', [{ status: 200, delayMs: 500 }], { abortAtMs: 200 }],
  ['an abort in the body', [{ status: 200, bodyDelayMs: 500 }], { abort: 'during-body' }],
  ['an abort before the call', [200], { abort: 'before-call' }],
  [
    'redirects that are followed',
    [{ status: 303, headers: { location: '/a' } }, { status: 302, headers: { location: '/b' } }, 200],
    {},
  ],
  ['too many redirects', [{ status: 302, headers: { location: '/again' } }], {}],
  ['calls in parallel', [503, { status: 200, delayMs: 30 }, 'reset', 200], { calls: 4, concurrency: 4, dedup: 'ignore' }],
  ['calls one after the other', [503, 200, { status: 200, bodyDelayMs: 10 }], { calls: 3 }],
  ['a body that is decoded', [{ status: 200, headers: { 'content-encoding': 'gzip' }, body: { $base64: GZIPPED } }], {}],
])('%s is the same on both', async (_, schedule, options) => {
  const [socket, fetched] = await onBoth(fetch, schedule, options)
  expect(fetched).toEqual(socket)
})

test.each([
  ['a fetch loop', fetchLoop],
  ['p-retry', pRetryFetch({ timeoutMs: 4_000 })],
  ['ky', kyPost({ timeoutMs: 4_000 })],
  ['openai', openai({ timeoutMs: 4_000 })],
])('%s does the same on both', async (_, client) => {
  for (const schedule of STORIES) {
    const [socket, fetched] = await onBoth(client, schedule)
    expect(fetched, JSON.stringify(schedule)).toEqual(socket)
  }
})

test.each<[string, RequestInit]>([
  ['text', { body: 'hällo' }],
  ['bytes', { body: new Uint8Array([0, 255, 1]) }],
  ['a form', { body: new URLSearchParams({ a: '1 2' }) }],
  ['a blob', { body: new Blob(['x'], { type: 'text/csv' }) }],
  ['nothing', {}],
])('%s arrives as it does on a socket', async (_, init) => {
  const client = defineClient('sender', ({ url }) => fetch(new Request(url, { method: 'POST', ...init })))
  const [socket, fetched] = await onBoth(client, [200])
  expect(fetched).toEqual(socket)
})

test('a streamed request arrives when its last piece has been sent', async () => {
  const client = defineClient('streamer', ({ url }) => {
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode('one '))
        await new Promise((resolve) => setTimeout(resolve, 250))
        controller.enqueue(new TextEncoder().encode('two'))
        controller.close()
      },
    })
    return fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit)
  })
  const trial = await runTrial(client, [200], { transport: 'fetch' })
  expect(trial.attempts[0]).toMatchObject({ arrivedAtMs: 250, headers: { 'transfer-encoding': 'chunked' } })
  expect(Buffer.from(trial.attempts[0]!.body).toString()).toBe('one two')
})

test('an upload that breaks off is an incomplete request', async () => {
  const client = defineClient('quitter', async ({ url }) => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(9)) })
    await fetch(url, { method: 'POST', body, duplex: 'half', signal: AbortSignal.timeout(300) } as RequestInit)
  })
  const [socket, fetched] = await onBoth(client, [200])
  expect(fetched).toEqual(socket)
  expect(fetched).toMatchObject({ attempts: [{ requestComplete: false, result: 'hang-up', arrivedAtMs: 300 }] })
})

test('the reason of an abort is what the caller gets', async () => {
  const reason = new Error('enough')
  const client = defineClient('aborter', ({ url }) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 40)
    return fetch(url, { signal: controller.signal })
  })
  const trial = await runTrial(client, ['hang'], { transport: 'fetch' })
  expect(trial.outcome).toMatchObject({ kind: 'rejected', error: reason })
  expect(trial.attempts[0]).toMatchObject({ hungUpAtMs: 40 })
})

test('a fetch that was captured before the trial is reached', async () => {
  const trial = await runTrial(
    defineClient('captured', ({ url }) => capturedFetch(url)),
    [200],
    { transport: 'fetch' },
  )
  expect(trial.statuses).toEqual([200])
  expect(trial.transport).toBe('fetch')
  expect(trial.timeline()).toMatch(/observed by fetch, not on the wire$/)
})

test('other hosts are refused by name and recorded', async () => {
  const client = defineClient('stray', async ({ url }) => {
    const stray = await fetch('http://other.example:81/').catch((error: TypeError) => String((error.cause as Error).message))
    await fetch(url)
    return stray
  })
  const trial = await runTrial(client, [200], { transport: 'fetch' })
  expect(trial.outcome).toMatchObject({ value: expect.stringContaining('other.example:81') })
  expect(trial.foreignConnections).toMatchObject([{ host: 'other.example', port: 81, refused: true }])
})

test('a client that does not go through fetch is told so', async () => {
  const client = defineClient('axios', ({ url }) => axios.get(url))
  await expect(runTrial(client, [200], { transport: 'fetch' })).rejects.toThrow(
    "The fetch transport reaches clients that send through fetch, without a dispatcher of their own: for any other client use transport: 'socket'",
  )
  const viaUndici = defineClient('undici', async ({ url }) => (await import('undici')).request(url))
  await expect(runTrial(viaUndici, [200], { transport: 'fetch' })).rejects.toThrow('reaches clients that call fetch only')
})

test('steps that only a socket can show are refused by name', async () => {
  const schedule: StepInput[] = [
    'garbage',
    'informational',
    { status: 200, closeAfter: 'next-request' },
    { status: 200, headers: { 'Content-Length': '3' } },
  ]
  const error = await runTrial(fetch, schedule, { transport: 'fetch' }).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(NotOfferedError)
  expect((error as NotOfferedError).issues.map(({ path }) => path)).toEqual([
    'schedule[0]',
    'schedule[1]',
    'schedule[2].closeAfter',
    'schedule[3].headers["Content-Length"]',
  ])
  expect(String(error)).toContain("use transport: 'socket'")
  await expect(runTrial(fetch, () => 'garbage', { transport: 'fetch' })).rejects.toThrow(
    /schedule\(attempt 1\).*'garbage' is not offered/,
  )
})

test('the dispatcher of the process is put back', async () => {
  const slot = Symbol.for('undici.globalDispatcher.1')
  const before = Reflect.get(globalThis, slot)
  await runTrial(fetch, [200], { transport: 'fetch' })
  expect(Reflect.get(globalThis, slot)).toBe(before)
})
