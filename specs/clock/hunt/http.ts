import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import { get, getText, sleep } from '../support.js'
import type { ExactPattern, Patterns } from './model.js'

const failure = (error: NodeJS.ErrnoException): string => error.code ?? error.name

/** A request whose body the caller writes; answers with the text. */
const post = async (url: string, headers: http.OutgoingHttpHeaders, write: (request: http.ClientRequest) => unknown) => {
  const request = http.request(url, { method: 'POST', headers })
  const answer = once(request, 'response') as Promise<[http.IncomingMessage]>
  await write(request)
  return text((await answer)[0])
}

/** Kept from one trial to the next, with whatever sockets it holds. */
const sharedAgent = new http.Agent({ keepAlive: true })

export const httpClients: Patterns<ExactPattern> = {
  'five requests that queue for one socket': {
    act: ({ url }) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
      return Promise.all(Array.from({ length: 5 }, () => getText(`${url}/after/100`, { agent })))
    },
    atMs: 500,
  },
  'requests that queue for sockets of one agent over two hosts': {
    act: ({ url, port }) => {
      const agent = new http.Agent({ keepAlive: true, maxTotalSockets: 2 })
      const urls = [url, `http://localhost:${port}`, url, `http://localhost:${port}`]
      return Promise.all(urls.map((base) => getText(`${base}/after/100`, { agent })))
    },
    atMs: 200,
  },
  'a keep-alive agent that is shared between trials': {
    act: async ({ url }) => {
      await getText(`${url}/after/100`, { agent: sharedAgent })
      return getText(`${url}/after/100`, { agent: sharedAgent })
    },
    atMs: 200,
  },
  'a keep-alive agent that is shared between trials, again': {
    act: ({ url }) => getText(`${url}/after/100`, { agent: sharedAgent }),
    atMs: 100,
  },
  'an agent that drops its idle sockets': {
    act: async ({ url }) => {
      const agent = new http.Agent({ keepAlive: true, timeout: 1000 })
      const ports: (number | undefined)[] = []
      agent.on('free', (socket: net.Socket) => ports.push(socket.localPort))
      for (const waitMs of [500, 1500, 0]) {
        await getText(`${url}/after/10`, { agent })
        await sleep(waitMs)
      }
      return [ports[0] === ports[1], ports[1] === ports[2]]
    },
    // 3 answers of 10 ms, 500 + 1500 + 1.
    atMs: 2031,
    gives: [true, false],
  },
  'a socket of fetch that the server closes while it is idle': {
    act: async ({ url }) => {
      const answers: string[] = []
      for (let i = 0; i < 3; i++) {
        answers.push(await (await fetch(`${url}/close`)).text())
        await sleep(100)
      }
      return answers
    },
    atMs: 300,
    gives: ['last', 'last', 'last'],
  },
  'a connection that breaks each time, tried at once': {
    act: async ({ url }) => {
      const errors = new Set<string>()
      for (let i = 0; i < 20; i++) await fetch(`${url}/drop`).catch(({ cause }) => errors.add(cause.code))
      return [...errors]
    },
    atMs: 0,
    gives: ['UND_ERR_SOCKET'],
  },
  'requests written one after the other without waiting for the answers': {
    act: async ({ port }) => {
      const socket = net.connect(port, '127.0.0.1')
      const line = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`
      socket.write(line('/after/300') + line('/after/100') + line('/after/10', 'connection: close\r\n'))
      return (await text(socket)).split('HTTP/1.1 200').length - 1
    },
    // The server begins on all three at once and answers in order.
    atMs: 300,
    gives: 3,
  },
  'Expect: 100-continue': {
    act: ({ url }) =>
      post(`${url}/count`, { expect: '100-continue', 'content-length': 4 }, async (request) => {
        request.flushHeaders()
        await once(request, 'continue')
        await sleep(30)
        request.end('body')
      }),
    atMs: 30,
    gives: '4',
  },
  'trailers of an answer': {
    act: async ({ url }) => {
      const response = await get(`${url}/trailers`)
      return [await text(response), response.trailers['x-sum']]
    },
    atMs: 0,
    gives: ['body', '42'],
  },
  'trailers of a request': {
    act: ({ url }) =>
      post(`${url}/count`, { 'transfer-encoding': 'chunked', trailer: 'x-sum' }, (request) => {
        request.write('body')
        request.addTrailers({ 'x-sum': '42' })
        request.end()
      }),
    atMs: 0,
    gives: '4 42',
  },
  'HEAD, 204 and 304': {
    act: async ({ url }) => {
      const head = await fetch(`${url}/big/5000`, { method: 'HEAD' })
      const empty = await fetch(`${url}/status/204`)
      const unchanged = await fetch(`${url}/status/304`)
      return [head, empty, unchanged].map(({ status }) => status)
    },
    atMs: 0,
    gives: [200, 204, 304],
  },
  'a request with 12 kB of headers': {
    act: async ({ url }) => (await fetch(`${url}/after/20`, { headers: { 'x-huge': 'h'.repeat(12_000) } })).text(),
    atMs: 20,
    gives: 'late',
  },
  'an answer with more headers than the parser takes': {
    act: ({ url }) => getText(`${url}/header/30000`).catch(failure),
    atMs: 0,
    gives: 'HPE_HEADER_OVERFLOW',
  },
  'a chunked upload with pauses': {
    act: ({ url }) =>
      post(`${url}/count`, {}, async (request) => {
        for (let i = 0; i < 3; i++) {
          request.write('chunk')
          await sleep(100)
        }
        request.end()
      }),
    atMs: 300,
    gives: '15',
  },
  'an upload that is corked and uncorked': {
    act: ({ url }) =>
      post(`${url}/count`, {}, async (request) => {
        request.cork()
        request.write('a'.repeat(100_000))
        await sleep(10)
        request.uncork()
        request.end()
      }),
    atMs: 10,
    gives: '100000',
  },
  'a request with a signal that has a time limit': {
    act: ({ url }) => getText(`${url}/hang`, { signal: AbortSignal.timeout(750) }).catch(failure),
    atMs: 750,
    gives: 'ABORT_ERR',
  },
  'a request destroyed in the tick that made it': {
    act: async ({ url }) => {
      for (let i = 0; i < 20; i++) {
        const request = http.get(`${url}/after/10`)
        request.on('error', () => {})
        request.destroy()
        await new Promise((resolve) => request.on('close', resolve))
      }
    },
    atMs: 0,
  },
  'an answer destroyed at its first byte': {
    act: async ({ url }) => {
      for (let i = 0; i < 5; i++) {
        const response = await get(`${url}/big/1000000`)
        await once(response, 'readable')
        response.destroy()
      }
      await sleep(10)
    },
    atMs: 10,
  },
  'information answers before the final one': {
    act: async ({ url }) => {
      const request = http.get(`${url}/after/40`, { headers: { expect: '100-continue' } })
      const seen: string[] = []
      request.on('continue', () => seen.push('continue'))
      const [response] = (await once(request, 'response')) as [http.IncomingMessage]
      return [...seen, await text(response)]
    },
    atMs: 40,
    gives: ['continue', 'late'],
  },
  'a tunnel by CONNECT that echoes': {
    act: async ({ port }) => {
      const request = http.request({ port, host: '127.0.0.1', method: 'CONNECT', path: 'there:80' }).end()
      const [, socket] = (await once(request, 'connect')) as [unknown, net.Socket]
      socket.write('ping')
      const [echo] = (await once(socket, 'data')) as [Buffer]
      socket.end()
      return echo.toString()
    },
    atMs: 500,
    gives: 'ping',
  },
  'an upgraded connection that echoes': {
    act: async ({ url }) => {
      const request = http.get(url, { headers: { connection: 'upgrade', upgrade: 'echo' } })
      const [, socket] = (await once(request, 'upgrade')) as [unknown, net.Socket]
      for (let i = 0; i < 3; i++) {
        socket.write('ping')
        await once(socket, 'data')
      }
      socket.destroy()
    },
    atMs: 1500,
  },
  'redirected by hand, with the first answer left unread': {
    act: async ({ url }) => {
      const first = await get(`${url}/big/200000`)
      const second = await getText(`${url}/after/25`)
      first.destroy()
      return second
    },
    atMs: 25,
    gives: 'late',
  },
}
