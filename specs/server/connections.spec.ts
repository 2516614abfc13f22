import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { PortError } from '../../src/server/listener.js'
import { onStage } from './support.js'

const answered = (times: number) => (text: string) => text.split('HTTP/1.1 ').length > times && /}$/.test(text)

describe('a kept-alive connection', () => {
  test('serves one request after the other', async () => {
    await onStage([503, 200], async ({ server, dial }) => {
      const client = dial().send({ keepAlive: true })
      await client.until(answered(1))
      await client.send({ keepAlive: true }).until(answered(2))
      expect(server.attempts().map(({ result, socket }) => [result, socket])).toEqual([
        [503, 1],
        [200, 1],
      ])
      expect(client.text.match(/Connection: keep-alive/g)).toHaveLength(2)
      expect(server.openSockets()).toBe(1)
    })
  })

  test("closeAfter: 'answer' ends it, though the answer did not say so", async () => {
    await onStage([{ status: 200, closeAfter: 'answer' }], async ({ server, dial }) => {
      const end = await dial().send({ keepAlive: true }).ended
      expect([end.status, end.headers.connection, end.by]).toEqual([200, 'keep-alive', 'FIN'])
      expect(server.attempts()[0]).toMatchObject({ answerComplete: true, hungUpAtMs: null })
    })
  })

  test("closeAfter: 'next-request' breaks it just as the next request arrives, which is no attempt", async () => {
    await onStage([{ status: 200, closeAfter: 'next-request' }, 503], async ({ server, dial, wait, ask }) => {
      const client = dial().send({ keepAlive: true })
      await client.until(answered(1))
      await wait(1000)
      expect(server.openSockets()).toBe(1)
      expect((await client.send({ keepAlive: true, path: '/~retrial-t.4/next' }).ended).by).toBe('ECONNRESET')
      expect(server.racedRequests()).toEqual([{ method: 'POST', path: '/next', call: 4, socket: 1, atMs: 1000 }])
      expect(server.attempts()).toHaveLength(1)
      expect((await ask()).status).toBe(503)
    })
  })
})

describe('requests that arrive together', () => {
  test('are handled in the order in which the clients connected', async () => {
    await onStage([201, 202, 203], async ({ server, dial, wait }) => {
      const clients = [dial(), dial(), dial()]
      await wait(10)
      const ends = [2, 0, 1].map((index) => clients[index]!.send({ path: `/${index}` }).ended)
      expect((await Promise.all(ends)).map(({ status }) => status)).toEqual([203, 201, 202])
      expect(server.attempts().map(({ path, socket }) => [path, socket])).toEqual([
        ['/0', 1],
        ['/1', 2],
        ['/2', 3],
      ])
    })
  })

  test('meet reset-early once: the others are read and take the steps after it', async () => {
    await onStage(['reset-early', 200, 503], async ({ dial, server }) => {
      const ends = await Promise.all(['a', 'b', 'c'].map((body) => dial().send({ body }).ended))
      expect(ends.map(({ status, by }) => status ?? by)).toEqual(['ECONNRESET', 200, 503])
      expect(server.attempts().map(({ body }) => Buffer.from(body).toString())).toEqual(['', 'b', 'c'])
    })
  })
})

describe('requests that are not whole', () => {
  test('one whose client leaves half way is recorded and takes no step', async () => {
    await onStage([200], async ({ server, dial, wait }) => {
      const client = dial().write('POST /~retrial-t.0/v1 HTTP/1.1\r\nHost: server\r\nContent-Length: 10\r\n\r\n12345')
      await wait(50)
      client.hangUp()
      await wait(0)
      expect(server.attempts()).toMatchObject([
        { path: '/v1', call: 0, result: 'hang-up', requestComplete: false, step: null, ledger: 'none', hungUpAtMs: 50 },
      ])
      expect(server.unplayed()).toHaveLength(1)
    })
  })

  test('one that is malformed is answered 400 and is no attempt', async () => {
    await onStage([200], async ({ server, dial }) => {
      const end = await dial().write('NOT HTTP AT ALL\r\n\r\n').ended
      expect([end.status, end.by, server.attempts()]).toEqual([400, 'FIN', []])
    })
  })

  test('CONNECT is refused and is no attempt', async () => {
    await onStage([200], async ({ server, ask }) => {
      expect([(await ask({ method: 'CONNECT', path: 'host:1' })).status, server.attempts()]).toEqual([405, []])
    })
  })

  test('an upgrade that is not taken is a request like any other', async () => {
    await onStage([200], async ({ dial, server }) => {
      const client = dial().send({ method: 'GET', headers: { connection: 'upgrade', upgrade: 'websocket' } })
      await client.until(answered(1))
      expect(server.attempts()[0]!.result).toBe(200)
    })
  })

  test('Expect: 100-continue gets its go-ahead, unless the step strikes before the body', async () => {
    const HEAD = 'POST / HTTP/1.1\r\nHost: server\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n'
    await onStage([200, 'reset-early'], async ({ server, dial }) => {
      const client = dial().write(HEAD)
      await client.until((text) => text.includes('100 Continue\r\n\r\n'))
      await client.write('body').ended
      expect((await dial().write(HEAD).ended).text).toBe('')
      expect(server.attempts().map(({ result, requestComplete }) => [result, requestComplete])).toEqual([
        [200, true],
        ['reset-early', false],
      ])
    })
  })
})

describe('the end', () => {
  test('close ends every connection at once, whatever is under way, and may be asked for twice', async () => {
    await onStage(
      ['hang', { status: 200, delayMs: 60_000 }, { status: 200, dripMs: 1000, endless: true }],
      async ({ server, dial, wait }) => {
        const clients = [dial(), dial(), dial()]
        for (const client of clients) client.send()
        await wait(5000)
        await Promise.all([server.close(), server.close()])
        for (const client of clients) expect((await client.ended).atMs).toBe(5000)
        expect(server.openSockets()).toBe(0)
        // What the harness took away, the client did not hang up on.
        expect(server.attempts().map(({ result, hungUpAtMs, endedAtMs }) => [result, hungUpAtMs, endedAtMs])).toEqual([
          ['hang', null, null],
          ['open', null, null],
          [200, null, null],
        ])
        expect((await dial().ended).by).toBe('ECONNREFUSED')
      },
    )
  })

  test('dropConnections goes on listening, and is not taken for a client that leaves', async () => {
    await onStage(['hang', 200], async ({ server, dial, wait, ask }) => {
      const clients = [dial().send(), dial().write('POST / HTTP/1.1\r\nHost: server\r\nContent-Length: 10\r\n\r\n12345')]
      await wait(10)
      server.dropConnections()
      for (const client of clients) await client.ended
      expect((await ask()).status).toBe(200)
      expect(server.attempts().map(({ result, hungUpAtMs }) => [result, hungUpAtMs])).toEqual([
        ['hang', null],
        [200, null],
      ])
    })
  })

  test('attempts after settling say so', async () => {
    await onStage([503, 200], async ({ server, ask }) => {
      await ask()
      server.markSettled()
      await ask()
      expect(server.attempts().map(({ afterSettling }) => afterSettling)).toEqual([false, true])
    })
  })

  test('the steps that nobody reached are known', async () => {
    await onStage([503, { status: 429, repeat: 2 }, 'reset', 200], async ({ server, ask }) => {
      await ask()
      await ask()
      expect(server.unplayed()).toEqual([{ fault: 'reset' }, { status: 200 }])
    })
  })

  test('an answer that the client does not take is unread', async () => {
    // More than the two kernel buffers of a loopback connection hold.
    const body = 'x'.repeat(32 * 1024 * 1024)
    await onStage([{ status: 200, body }], async ({ server, dial, wait }) => {
      const client = dial()
      client.socket.pause()
      client.send()
      await wait(10)
      expect(server.unreadAnswers()).toEqual([1])
      expect(server.attempts()[0]).toMatchObject({ endedAtMs: null, answerComplete: false })
      client.socket.resume()
      await client.ended
      expect(server.unreadAnswers()).toEqual([])
    })
  })
})

test('a port that is taken is named', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  try {
    const failure = onStage([200], async () => {}, { port, clock: 'real' })
    await expect(failure).rejects.toThrow(PortError)
    await expect(failure).rejects.toThrow(
      `port ${port} on 127.0.0.1 is in use already: choose another one, or 0 for any free port`,
    )
  } finally {
    other.close()
  }
})

test('a server that holds every request keeps no timer, so that a trial without end is seen at once', async () => {
  const scene = onStage(['hang'], ({ dial }) => dial().send().ended)
  await expect(scene).rejects.toThrow('"reason":"deadlock","atMs":0')
})
