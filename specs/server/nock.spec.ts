import axios from 'axios'
import nock from 'nock'
import { afterEach, describe, expect, test } from 'vitest'
import { defineClient } from '../../src/trial/client.js'
import { runTrial } from '../../src/trial/run-trial.js'
import { CLIENTS, describeBuiltInHosts, own } from './origin.js'

afterEach(() => {
  nock.cleanAll()
  nock.restore()
})

describeBuiltInHosts()

describe("beside a user's own nock", () => {
  test('its interceptors stay, and those of the trial go', async () => {
    if (!nock.isActive()) nock.activate()
    nock('https://users.example').get('/me').reply(200, { me: true })
    const client = defineClient(
      'both',
      async ({ url, method, body }) => {
        const me = await axios.get('https://users.example/me')
        await axios.request({ url, method, data: body })
        return me.data
      },
      own,
    )
    const trial = await runTrial(client, [200])
    expect(trial.outcome).toMatchObject({ value: { me: true } })
    expect(trial.statuses).toEqual([200])
    expect(nock.isActive()).toBe(true)
    expect(nock.activeMocks()).toEqual([])
    nock('https://users.example').get('/me').reply(200, { me: 'again' })
    expect((await axios.get('https://users.example/me')).data).toEqual({ me: 'again' })
  })

  test.each(['axios', 'got', 'fetch'])('%s reaches the script over sockets, whatever nock has forbidden', async (name) => {
    if (!nock.isActive()) nock.activate()
    nock('https://users.example').get('/me').reply(200, { me: true })
    nock.disableNetConnect()
    try {
      const inner = CLIENTS[name]!
      const client = defineClient(name, async (call) => {
        for (let attempt = 1; attempt < 5; attempt++)
          await Promise.resolve(inner.implementation.call(undefined, call)).catch(() => {})
        const response = (await inner.implementation.call(undefined, call)) as { status?: number; statusCode?: number }
        const me = await axios.get('https://users.example/me')
        return [response.status ?? response.statusCode, me.data]
      })
      const trial = await runTrial(client, [
        503,
        'reset',
        'refuse',
        { status: 200, truncate: 'length', apply: false },
        { status: 200, delayMs: 250 },
      ])
      expect(trial.statuses).toEqual([503, 'reset', 'refuse', 200, 200])
      expect(trial.outcome).toMatchObject({ kind: 'resolved', value: [200, { me: true }] })
      expect(trial).toMatchObject({ transport: 'socket', relapses: 0, foreignConnections: [] })
      expect(trial.attempts.at(-1)).toMatchObject({ arrivedAtMs: 0, endedAtMs: 250 })
      expect(nock.activeMocks()).toEqual([])
    } finally {
      nock.enableNetConnect()
    }
  })

  test('fetch reaches the script without sockets, whatever nock has forbidden', async () => {
    if (!nock.isActive()) nock.activate()
    nock.disableNetConnect()
    try {
      const client = defineClient('fetch', async ({ url, body }) => (await fetch(url, { method: 'POST', body })).status)
      expect((await runTrial(client, [200], { transport: 'fetch' })).outcome).toMatchObject({ value: 200 })
    } finally {
      nock.enableNetConnect()
    }
  })

  test('it may have forbidden every connection', async () => {
    if (!nock.isActive()) nock.activate()
    nock.disableNetConnect()
    try {
      expect((await runTrial(CLIENTS.axios!, [200])).statuses).toEqual([200])
      expect((await runTrial(CLIENTS.fetch!, [200])).statuses).toEqual([200])
    } finally {
      nock.enableNetConnect()
    }
  })
})
