import { describe, expect, test } from 'vitest'
import type { FaultStep } from '../../src/schedule/model.js'
import { onStage, type RawRequest } from './support.js'

const meet = (step: FaultStep, request: RawRequest = {}) =>
  onStage([step], async ({ server, ask }) => ({ end: await ask(request), attempt: server.attempts()[0]! }))

describe('faults', () => {
  test.each([
    // what the client saw            bytes   end
    ['reset', '', 'ECONNRESET'],
    ['close', '', 'FIN'],
    ['garbage', '\u0000\u0001\u0002 this is not HTTP', 'FIN'],
  ] as const)('%s', async (fault, text, by) => {
    const { end, attempt } = await meet({ fault }, { body: 'all of it' })
    expect([end.text, end.by, end.atMs]).toEqual([text, by, 0])
    expect(attempt).toMatchObject({
      result: fault,
      status: null,
      endedAtMs: 0,
      hungUpAtMs: null,
      requestComplete: true,
      ledger: 'none',
    })
    expect(Buffer.from(attempt.body).toString()).toBe('all of it')
  })

  test('a delay passes between the request and the fault', async () => {
    const { end, attempt } = await meet({ fault: 'reset', delayMs: 200 })
    expect([end.atMs, attempt.endedAtMs]).toEqual([200, 200])
  })

  test('reset-early leaves the body unread', async () => {
    const { end, attempt } = await meet({ fault: 'reset-early' }, { body: 'secret' })
    expect([end.text, end.by]).toEqual(['', 'ECONNRESET'])
    expect(attempt).toMatchObject({ result: 'reset-early', requestComplete: false, method: 'POST' })
    expect(attempt.body).toHaveLength(0)
  })

  test('reset-headers comes when half the header block has been read', async () => {
    const { end, attempt } = await meet({ fault: 'reset-headers' })
    expect(end.text).toMatch(/^HTTP\/1\.1 200 OK\r\nDate: /)
    expect([end.text.includes('\r\n\r\n'), end.by]).toEqual([false, 'ECONNRESET'])
    expect(attempt).toMatchObject({ result: 200, status: 200, headersAtMs: null, answerComplete: false })
  })

  test('reset-body comes when half the body has been read', async () => {
    const { end, attempt } = await meet({ fault: 'reset-body' })
    // '{"attempt":1,"echo":null}' is 25 bytes.
    expect([end.headers['content-length'], end.body, end.by]).toEqual(['25', '{"attempt":1', 'ECONNRESET'])
    expect(attempt).toMatchObject({ result: 200, headersAtMs: 0, answerComplete: false })
  })

  test('hang ends when the client hangs up', async () => {
    const attempt = await onStage(['hang'], async ({ server, dial, wait }) => {
      const client = dial().send()
      await wait(10_000)
      expect(server.attempts()[0]).toMatchObject({ result: 'hang', endedAtMs: null, hungUpAtMs: null })
      client.hangUp()
      await wait(0)
      return server.attempts()[0]
    })
    expect(attempt).toMatchObject({ result: 'hang', status: null, hungUpAtMs: 10_000, endedAtMs: 10_000 })
  })

  test('informational sends 103 each second for ever', async () => {
    const { text, attempt } = await onStage(['informational'], async ({ server, dial, wait }) => {
      const client = dial().send()
      await wait(2500)
      client.hangUp()
      await wait(0)
      return { text: client.text, attempt: server.attempts()[0] }
    })
    // At 0, 1 000 and 2 000 ms.
    expect(text.match(/HTTP\/1\.1 103 Early Hints\r\n/g)).toHaveLength(3)
    expect(attempt).toMatchObject({ result: 'informational', status: null, headersAtMs: null, hungUpAtMs: 2500 })
  })

  test('a client that leaves before the fault has hung up', async () => {
    const attempt = await onStage([{ fault: 'reset', delayMs: 5000 }], async ({ server, dial, wait }) => {
      const client = dial().send()
      await wait(1000)
      client.hangUp()
      await wait(10_000)
      return server.attempts()[0]
    })
    expect(attempt).toMatchObject({ result: 'hang-up', hungUpAtMs: 1000, endedAtMs: 1000 })
  })
})

describe('refuse', () => {
  test('fails the connect as if nobody listened, then listens again', async () => {
    await onStage(['refuse', { fault: 'refuse' }, 200], async ({ server, dial, ask }) => {
      server.baseUrl(0)
      const refused = dial()
      expect((await refused.ended).by).toBe('ECONNREFUSED')
      expect((await ask()).by).toBe('ECONNREFUSED')
      expect((await ask({ path: '/v1' })).status).toBe(200)
      expect(server.attempts().map(({ result, socket, requestComplete }) => [result, socket, requestComplete])).toEqual([
        ['refuse', 1, false],
        ['refuse', 2, false],
        [200, 3, true],
      ])
    })
  })

  test('looks to fetch like a port without a listener, also by the name localhost', async () => {
    await onStage(['refuse'], async ({ server }) => {
      const failure = await fetch(`http://localhost:${server.port}/`).catch((error: Error) => error.cause)
      expect(failure).toMatchObject({ code: 'ECONNREFUSED', syscall: 'connect', port: server.port })
    })
  })

  test('counts for the operation of the request that comes after it', async () => {
    await onStage([200, 'refuse', 200], async ({ server, ask }) => {
      server.baseUrl(0)
      await ask({ method: 'GET', path: '/models' })
      await ask({ path: '/chat' })
      expect(server.attempts()[1]).toMatchObject({ method: 'GET', path: '/models', operation: 0 })
      await ask({ path: '/chat' })
      expect(server.attempts().map(({ method, path, operation }) => `${operation} ${method} ${path}`)).toEqual([
        '0 GET /models',
        '1 POST /chat',
        '1 POST /chat',
      ])
    })
  })

  test('makes the server give up the connections that would be used again', async () => {
    await onStage([503, 'refuse', 200], async ({ server, dial }) => {
      const client = dial().send({ keepAlive: true })
      expect(await client.ended).toMatchObject({ status: 503, by: 'FIN', headers: { connection: 'close' } })
      expect(server.openSockets()).toBe(0)
    })
  })

  test('of a function schedule comes too late for the connect and breaks the connection', async () => {
    await onStage(
      () => 'refuse',
      async ({ server, ask }) => {
        expect((await ask({ body: 'x' })).by).toBe('ECONNRESET')
        expect(server.attempts()[0]).toMatchObject({ result: 'refuse', ledger: 'none' })
      },
    )
  })
})
