import http from 'node:http'
import https from 'node:https'
import nock from 'nock'
import { defineClient, runTrial } from 'retrial'
import { afterEach, describe, expect, test } from 'vitest'

/** One request with node:http; what it came to. */
const send = (url, body) =>
  new Promise((resolve) => {
    const { request } = url.startsWith('https:') ? https : http
    const sent = request(url, { method: body === undefined ? 'GET' : 'POST', timeout: 5_000 }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => resolve([response.statusCode, Buffer.concat(chunks).toString()]))
    })
    sent.on('timeout', () => sent.destroy(new Error('timeout')))
    sent.on('error', (error) => resolve([error.code ?? error.message]))
    sent.end(body)
  })

const fetched = (url, body) =>
  fetch(url, body === undefined ? {} : { method: 'POST', body }).then(
    async (response) => [response.status, await response.text()],
    (error) => [error.cause?.code ?? error.cause?.message],
  )

const ways = { 'node:http': send, fetch: fetched }
const targets = { 'a built-in host': { origin: 'https://api.example.com' }, 'a base URL': {} }

/** Sends until it gets a 200, one second apart. */
const patient = (way, options) =>
  defineClient(
    'patient',
    async ({ url, body }) => {
      for (;;) {
        const [said] = await way(url, body)
        if (said === 200) return said
        await new Promise((resolve) => setTimeout(resolve, 1_000))
      }
    },
    options,
  )

/** Asks a host that the user's own nock answers, and one that nobody does, on the way. */
const sociable = (way, options) =>
  defineClient(
    'sociable',
    async ({ url, body }) => {
      const mine = await way('https://users.example/me')
      const foreign = await way('https://foreign.example/')
      const [status] = await way(url, body)
      return { mine, foreign, status }
    },
    options,
  )

const cells = Object.entries(ways).flatMap(([name, way]) =>
  Object.entries(targets).map(([target, options]) => [name, target, way, options]),
)

const states = {
  'with nock at rest': () => nock.restore(),
  "beside the user's own nock": () => nock.enableNetConnect(),
  "beside the user's own nock that lets nobody out": () => nock.disableNetConnect(),
}

afterEach(() => {
  nock.cleanAll()
  nock.enableNetConnect()
  if (!nock.isActive()) nock.activate()
})

describe.each(Object.entries(states))('%s', (_state, enter) => {
  test.each(cells)('%s meets the script at %s in virtual time', async (_name, _target, way, options) => {
    enter()
    const trial = await runTrial(patient(way, options), [{ status: 503, delayMs: 250 }, 'reset', 'close', 'refuse', 200])
    expect(trial.statuses).toEqual([503, 'reset', 'close', 'refuse', 200])
    expect(trial.gapsMs).toEqual([1_000, 1_000, 1_000, 1_000])
    expect(trial.attempts[0]).toMatchObject({ method: 'POST', path: '/', call: 0 })
    expect(Buffer.from(trial.attempts[0].body).toString()).toBe('{"prompt":"hi"}')
    expect(trial.relapses).toBe(0)
    expect(trial.foreignConnections).toEqual([])
  })
})

test.each(cells)("%s to %s beside the user's own nock: its answers stay, foreign hosts are refused", async (...cell) => {
  const [, , way, options] = cell
  nock('https://users.example').get('/me').reply(200, 'me')
  const trial = await runTrial(sociable(way, options), [200])
  expect(trial.outcome.value).toMatchObject({ mine: [200, 'me'], status: 200 })
  expect(trial.foreignConnections).toMatchObject([{ host: 'foreign.example', port: 443, refused: true }])
  expect(nock.isActive()).toBe(true)
  expect(nock.activeMocks()).toEqual([])
})

test.each(Object.entries(ways))('%s meets the script in real time, too', async (_name, way) => {
  nock.disableNetConnect()
  const client = defineClient('real', async ({ url, body }) => (await way(url, body))[0])
  const trial = await runTrial(client, [200], { clock: 'real' })
  expect([trial.statuses, trial.outcome.value]).toEqual([[200], 200])
})

test('a client of node:http gives up a hang at its own time-out', async () => {
  const client = defineClient('given up', ({ url, body }) => send(url, body), targets['a built-in host'])
  const trial = await runTrial(client, ['hang'])
  expect(trial.attempts).toMatchObject([{ result: 'hang', hungUpAtMs: 5_000 }])
})
