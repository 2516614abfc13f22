import { once } from 'node:events'
import stream from 'node:stream'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import got from 'got'
import * as undici from 'undici'
import { sleep } from '../support.js'
import type { ExactPattern, Patterns } from './model.js'

const sink = () => new stream.Writable({ write: (_, __, done) => done() })

export const libraries: Patterns<ExactPattern> = {
  'a Pool of undici with two connections and five requests': {
    act: async ({ url }) => {
      const pool = new undici.Pool(url, { connections: 2 })
      const answers = Array.from({ length: 5 }, async () =>
        (await pool.request({ path: '/after/100', method: 'GET' })).body.text(),
      )
      await Promise.all(answers)
      await pool.close()
    },
    // Two, two, one.
    atMs: 300,
  },
  'a Client of undici that may pipeline': {
    act: async ({ url }) => {
      const client = new undici.Client(url, { pipelining: 3 })
      const answers = [300, 100, 10].map(async (delayMs) =>
        (await client.request({ path: `/after/${delayMs}`, method: 'GET' })).body.text(),
      )
      await Promise.all(answers)
      await client.close()
    },
    // It does not, in real time either: one after the other.
    atMs: 410,
  },
  'undici.stream into a sink': {
    act: ({ url }) => undici.stream(`${url}/events/3/40`, { method: 'GET' }, sink),
    atMs: 120,
  },
  'undici.pipeline, there and back': {
    act: ({ url }) => {
      const pipe = undici.pipeline(`${url}/count`, { method: 'POST' }, ({ body }) => body)
      pipe.end('twelve bytes')
      return text(pipe)
    },
    atMs: 0,
    gives: '12',
  },
  'the body of undici.request that is dumped': {
    act: async ({ url }) => {
      const { body } = await undici.request(`${url}/big/100000`)
      await body.dump()
      await sleep(10)
    },
    atMs: 10,
  },
  'interceptors of undici that retry and redirect': {
    act: async ({ url }) => {
      const dispatcher = new undici.Agent().compose(
        undici.interceptors.retry({ maxRetries: 2, minTimeout: 500 }),
        undici.interceptors.dump(),
      )
      const { statusCode } = await undici.request(`${url}/status/503`, { dispatcher }).catch((error) => error)
      await dispatcher.destroy()
      return statusCode
    },
    // 0.5 and 1 s.
    atMs: 1500,
    gives: 503,
  },
  'bodyTimeout of undici on a body that stalls': {
    act: async ({ url }) => {
      const dispatcher = new undici.Agent({ bodyTimeout: 300 })
      const { body } = await undici.request(`${url}/events/2/60000`, { dispatcher })
      return body.text().catch(({ code }) => code)
    },
    // Its coarse timers look every 499 ms.
    atMs: 998,
    gives: 'UND_ERR_BODY_TIMEOUT',
  },
  'an EventSource that comes back on its own': {
    act: async ({ url }) => {
      const source = new undici.EventSource(`${url}/events/2/100`)
      const seen: string[] = []
      await new Promise<void>((resolve) => {
        source.onmessage = ({ data }) => {
          seen.push(data)
          if (seen.length === 4) resolve()
        }
      })
      source.close()
      return seen
    },
    // 0 and 100 ms; its end at 200, 3 s of waiting, then again.
    atMs: 3300,
    gives: ['0', '1', '0', '1'],
  },
  'a WebSocket whose handshake is refused': {
    act: async ({ port }) => {
      const socket = new undici.WebSocket(`ws://127.0.0.1:${port}/`)
      const [event] = await once(socket as unknown as EventTarget, 'error')
      return event.type
    },
    atMs: 0,
    gives: 'error',
  },
  'a connect timeout of undici while a name is looked up': {
    act: async ({ port }) => {
      const dispatcher = new undici.Agent({ connect: { timeout: 3000, lookup: () => {} } })
      const request = undici.request(`http://api.localhost:${port}/after/1`, { dispatcher })
      const code = await request.catch((error) => error.code)
      await dispatcher.destroy()
      return code
    },
    // Its coarse timers look every 499 ms, and skip the first tick.
    atMs: 3493,
    gives: 'UND_ERR_CONNECT_TIMEOUT',
  },
  'a proxy of undici that is the trial’s own server': {
    act: async ({ url }) => {
      const dispatcher = new undici.ProxyAgent({ uri: url, proxyTunnel: false })
      const { statusCode, body } = await undici.request('http://api.invalid/after/100', { dispatcher })
      await body.dump()
      await dispatcher.destroy()
      return statusCode
    },
    atMs: 100,
    gives: 200,
  },
  'a MockAgent of undici with a delay': {
    act: async () => {
      const dispatcher = new undici.MockAgent()
      dispatcher.disableNetConnect()
      dispatcher.get('http://api.invalid').intercept({ path: '/' }).reply(200, 'mocked').delay(600)
      return (await undici.request('http://api.invalid/', { dispatcher })).body.text()
    },
    atMs: 600,
    gives: 'mocked',
  },
  'got.stream into a sink': {
    act: ({ url }) => stream.promises.pipeline(got.stream(`${url}/events/3/40`), sink()),
    atMs: 120,
  },
  'a got request that is cancelled': {
    act: async ({ url }) => {
      const request = got(`${url}/hang`, { retry: { limit: 0 } })
      setTimeout(() => request.cancel(), 60)
      return request.catch(({ name }) => name)
    },
    atMs: 60,
    gives: 'CancelError',
  },
  'an answer of axios as a stream': {
    act: async ({ url }) => {
      const { data } = await axios.get(`${url}/events/3/40`, { responseType: 'stream' })
      return (await text(data)).length
    },
    atMs: 120,
    gives: 27,
  },
  'an answer of axios as a stream, left in the middle': {
    act: async ({ url }) => {
      const { data } = await axios.get(`${url}/events/30/40`, { responseType: 'stream' })
      for await (const _ of data) break
      await sleep(100)
    },
    atMs: 100,
  },
  'axios with a limit on the length of the answer': {
    act: ({ url }) => axios.get(`${url}/big/100000`, { maxContentLength: 1000 }).catch(({ code }) => code),
    atMs: 0,
    gives: 'ERR_BAD_RESPONSE',
  },
  'fetch with a dispatcher that is closed meanwhile': {
    act: async ({ url }) => {
      const dispatcher = new undici.Agent()
      const answer = undici.fetch(`${url}/after/200`, { dispatcher }).then((response) => response.text())
      await sleep(50)
      const closed = dispatcher.close()
      return [await answer, await closed]
    },
    atMs: 200,
    gives: ['late', null],
  },
}
