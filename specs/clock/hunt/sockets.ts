import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import { getText, sleep } from '../support.js'
import type { ExactPattern, Here, Patterns } from './model.js'

const REQUEST = 'GET /after/100 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
const failure = (error: NodeJS.ErrnoException): string => error.code ?? error.name

/** A port of the trial's own at which nobody listens any more. */
const closedPort = async ({ clock }: Here): Promise<number> => {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  clock.adoptServer(server)
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Connects the same socket again whenever it closes without an answer, in a listener that is there before the clock's own. */
const answerOfReconnecting = (paths: readonly string[], portOf: (connection: number) => number): Promise<string> =>
  new Promise((resolve) => {
    const socket = new net.Socket()
    let connections = 0
    let answer = ''
    const connect = () => socket.connect(portOf(++connections), '127.0.0.1')
    socket.on('connect', () => socket.write(REQUEST.replace('/after/100', paths[connections - 1]!)))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => (answer === '' ? connect() : resolve(answer.slice(9, 12))))
    connect()
  })

export const sockets: Patterns<ExactPattern> = {
  'a socket that connects again in its own close listener': {
    act: ({ port }) => answerOfReconnecting(['/drop', '/drop', '/after/100'], () => port),
    atMs: 100,
    gives: '200',
  },
  'a socket that is refused, and connects again in its own close listener': {
    act: async (here) => {
      const closed = await closedPort(here)
      return answerOfReconnecting(['', '', '/after/100'], (connection) => (connection < 3 ? closed : here.port))
    },
    atMs: 100,
    gives: '200',
  },
  'a socket that is destroyed and connected again in the next turn, three times': {
    act: async ({ port }) => {
      const socket = new net.Socket()
      for (let i = 0; i < 3; i++) {
        socket.connect(port, '127.0.0.1')
        await once(socket, 'connect')
        socket.destroy()
        await new Promise(setImmediate)
      }
      socket.connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(REQUEST)
      return (await once(socket, 'data')).toString().slice(9, 12)
    },
    atMs: 100,
    gives: '200',
  },
  'a socket that is destroyed while its name is looked up': {
    act: async ({ port }) => {
      const socket = new net.Socket()
      socket.on('lookup', () => socket.destroy())
      socket.connect(port, 'localhost')
      await once(socket, 'close')
      await sleep(10)
    },
    atMs: 10,
  },
  'a lookup of the client’s own that takes its time': {
    act: ({ port }) =>
      getText(`http://api.localhost:${port}/after/10`, {
        lookup: (_, { all }, answer) => {
          const address = { address: '127.0.0.1', family: 4 }
          setTimeout(() => (all ? answer(null, [address]) : answer(null, address.address, 4)), 300)
        },
      }),
    atMs: 310,
    gives: 'late',
  },
  'a lookup of the client’s own that fails': {
    act: ({ port }) =>
      getText(`http://api.localhost:${port}/`, {
        lookup: (_, __, answer) => answer(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), ''),
      }).catch(failure),
    atMs: 0,
    gives: 'ENOTFOUND',
  },
  'a lookup of the client’s own that never calls back': {
    act: async ({ port }) => {
      const request = http.get(`http://api.localhost:${port}/`, { lookup: () => {} })
      const failed = once(request, 'never').catch(failure)
      setTimeout(() => request.destroy(new Error('gave up')), 2000)
      return failed
    },
    options: { realStallMs: 5000 },
    atMs: 2000,
    gives: 'Error',
  },
  'two addresses, of which nobody listens at the first': {
    act: ({ port }) =>
      getText(`http://api.localhost:${port}/after/10`, {
        lookup: (_, __, answer) =>
          answer(null, [
            { address: '::1', family: 6 },
            { address: '127.0.0.1', family: 4 },
          ]),
      }),
    atMs: 10,
    gives: 'late',
  },
  'connections refused five times, with waits in between': {
    act: async (here) => {
      const port = await closedPort(here)
      const errors: string[] = []
      for (let i = 0; i < 5; i++) {
        errors.push(await fetch(`http://127.0.0.1:${port}/`).catch(({ cause }) => cause.code))
        await sleep(100)
      }
      return [...new Set(errors)]
    },
    atMs: 500,
    gives: ['ECONNREFUSED'],
  },
  'a socket that is destroyed in the tick of its connect, 20 times': {
    act: async ({ port }) => {
      for (let i = 0; i < 20; i++) {
        const socket = net.connect(port, '127.0.0.1')
        socket.destroy()
        await once(socket, 'close')
      }
    },
    atMs: 0,
  },
  'a socket that is reset as soon as it is connected, 20 times': {
    act: async ({ port }) => {
      for (let i = 0; i < 20; i++) {
        const socket = net.connect(port, '127.0.0.1')
        await once(socket, 'connect')
        socket.resetAndDestroy()
        await once(socket, 'close')
      }
      await sleep(10)
    },
    atMs: 10,
  },
  'a socket that ends its side and waits for the rest': {
    act: ({ port }) => {
      const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      socket.end(REQUEST)
      return text(socket).then((answer) => answer.includes('late'))
    },
    atMs: 100,
    gives: true,
  },
  'a socket that reads into a buffer of its own': {
    act: ({ port }) =>
      new Promise((resolve) => {
        let bytes = 0
        const callback = (count: number) => {
          bytes += count
          return true
        }
        const socket = net.connect({ port, host: '127.0.0.1', onread: { buffer: Buffer.alloc(64), callback } })
        socket.on('end', () => resolve(bytes > 50))
        socket.write(REQUEST)
      }),
    atMs: 100,
    gives: true,
  },
  'a socket that is paused and resumed around every chunk': {
    act: async ({ port }) => {
      const socket = net.connect(port, '127.0.0.1')
      socket.write(REQUEST.replace('after/100', 'big/300000'))
      let bytes = 0
      let pauses = 0
      socket.on('data', (chunk) => {
        bytes += chunk.length
        if (++pauses > 3) return
        socket.pause()
        setTimeout(() => socket.resume(), 10)
      })
      await once(socket, 'end')
      return bytes > 300_000
    },
    atMs: 30,
    gives: true,
  },
  'a request that trickles out byte by byte': {
    act: async ({ port }) => {
      const socket = net.connect(port, '127.0.0.1')
      const answer = text(socket)
      for (const byte of REQUEST) {
        socket.write(byte)
        await sleep(1)
      }
      return (await answer).includes('late')
    },
    // The last byte arrives a millisecond before the last sleep ends.
    atMs: REQUEST.length - 1 + 100,
    gives: true,
  },
  'a socket that speaks something else': {
    act: async ({ port }) => {
      const socket = net.connect(port, '127.0.0.1')
      socket.write('\u0016\u0003\u0001 not http\r\n\r\n')
      return (await text(socket)).split('\r\n')[0]
    },
    atMs: 0,
    gives: 'HTTP/1.1 400 Bad Request',
  },
  'HTTP/2 against a server that does not speak it': {
    act: async ({ url }) => {
      const session = http2.connect(url)
      session.on('error', () => {})
      const request = session.request({ ':path': '/after/100' })
      const error = await once(request, 'never').catch((reason: NodeJS.ErrnoException) => reason)
      session.destroy()
      return error instanceof Error
    },
    atMs: 0,
    gives: true,
  },
  'a socket that nobody uses until its time-out': {
    act: async ({ port }) => {
      const socket = net.connect(port, '127.0.0.1')
      socket.setTimeout(3000, () => socket.destroy())
      await once(socket, 'close')
    },
    atMs: 3000,
  },
  'a socket that is unref’d': {
    act: async ({ port }) => {
      const socket = net.connect(port, '127.0.0.1').unref()
      socket.write(REQUEST)
      return (await text(socket)).includes('late')
    },
    atMs: 100,
    gives: true,
  },
}
