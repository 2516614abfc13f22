import axios from 'axios'
import { HttpResponse, http } from 'msw'
import { type SetupServer, setupServer } from 'msw/node'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defineClient } from '../../src/trial/client.js'
import type { CallFunction, ClientOptions } from '../../src/trial/model.js'
import { runTrial } from '../../src/trial/run-trial.js'
import { own } from './origin.js'

type Ask = (url: string, body?: string) => Promise<unknown>

const ASKS: Readonly<Record<string, Ask>> = {
  fetch: async (url, body) => (await fetch(url, body === undefined ? {} : { method: 'POST', body })).json(),
  axios: async (url, body) => (await axios.request({ url, method: body === undefined ? 'GET' : 'POST', data: body })).data,
}
const TARGETS: Readonly<Record<string, ClientOptions>> = { 'a built-in host': own, 'a base URL': {} }
const CELLS = Object.entries(ASKS).flatMap(([name, ask]) =>
  Object.entries(TARGETS).map(([target, options]) => [name, target, ask, options] as const),
)

/** Asks a host that msw answers, then the script until it succeeds, 1 s apart, then msw again. */
const sociable =
  (ask: Ask): CallFunction =>
  async ({ url, body }) => {
    const said: unknown[] = [await ask('https://users.example/me')]
    for (let attempt = 1; attempt <= 4 && said.length === 1; attempt++) {
      const answer = await ask(url, body).catch(() => null)
      if (answer !== null && !JSON.stringify(answer).includes('error')) said.push(answer)
      else await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
    return [...said, await ask('https://users.example/me')]
  }

let server: SetupServer

beforeEach(() => {
  server = setupServer(http.get('https://users.example/me', () => HttpResponse.json({ me: true })))
})

afterEach(() => {
  server.close()
  vi.restoreAllMocks()
})

const SCHEDULE = ['reset', 'refuse', { status: 200, delayMs: 250, body: { ok: true } }] as const
const VALUE = [{ me: true }, { ok: true }, { me: true }]

describe.each(['bypass', 'warn'] as const)('beside msw that answers unknown requests with %s', (onUnhandledRequest) => {
  test.each(CELLS)('%s meets the script at %s, and msw for its own', async (name, _target, ask, options) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    server.listen({ onUnhandledRequest })
    const trial = await runTrial(defineClient(name, sociable(ask), options), SCHEDULE)
    expect(trial.statuses).toEqual(['reset', 'refuse', 200])
    expect(trial.gapsMs).toEqual([1_000, 1_000])
    expect(trial.outcome).toMatchObject({ kind: 'resolved', value: VALUE })
    expect(trial).toMatchObject({ relapses: 0, foreignConnections: [] })
  })
})

test.each(CELLS)('%s to %s is told that nothing arrived when msw lets nothing out', async (name, _target, ask, options) => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  server.listen({ onUnhandledRequest: 'error' })
  const client = defineClient(name, ({ url, body }) => ask(url, body), options)
  await expect(runTrial(client, [200])).rejects.toThrow(/no request reached the server. It failed with: .*onUnhandledRequest/s)
})

// Not at a built-in host: what msw would stand on is the trial's then, and goes with it.
test.each(CELLS.filter(([, target]) => target === 'a base URL'))(
  '%s meets the script at %s when msw begins to listen inside of the trial, and goes on to do so',
  async (name, _target, ask, options) => {
    const call = sociable(ask)
    const client = defineClient(
      name,
      (asked) => {
        server.listen({ onUnhandledRequest: 'bypass' })
        return call(asked)
      },
      options,
    )
    const trial = await runTrial(client, SCHEDULE)
    expect(trial.statuses).toEqual(['reset', 'refuse', 200])
    expect(trial.outcome).toMatchObject({ kind: 'resolved', value: VALUE })
    expect(await ask('https://users.example/me')).toEqual({ me: true })
  },
)

test.each(CELLS)('%s meets the script at %s before msw listens, and msw afterwards', async (name, _target, ask, options) => {
  const client = defineClient(name, ({ url, body }) => ask(url, body), options)
  expect((await runTrial(client, [200])).statuses).toEqual([200])
  server.listen({ onUnhandledRequest: 'error' })
  expect(await ask('https://users.example/me')).toEqual({ me: true })
})
