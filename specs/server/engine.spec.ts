import { describe, expect, test } from 'vitest'
import type { ScheduledRequest } from '../../src/schedule/model.js'
import type { Attempt } from '../../src/trace/model.js'
import { onStage } from './support.js'

describe('a function schedule', () => {
  test('is told about the attempt and those before it, and its step is played', async () => {
    const told: ScheduledRequest[] = []
    const lengths: number[] = []
    await onStage(
      (request, history) => {
        told.push(request)
        lengths.push(history.length)
        return request.path === '/a' ? { status: 503, apply: true } : 'reset'
      },
      async ({ server, ask, wait }) => {
        const headers = { 'idempotency-key': 'k', 'x-a': '1' }
        expect((await ask({ path: '/~retrial-t.2/a', headers, body: 'text' })).status).toBe(503)
        await wait(100)
        // Known work is answered by the ledger and not asked about.
        expect((await ask({ path: '/~retrial-t.2/a', headers, body: 'text' })).status).toBe(503)
        expect((await ask({ path: '/b' })).by).toBe('ECONNRESET')
        expect(server.attempts().map(({ step, stepIndex }) => [step, stepIndex])).toEqual([
          [{ status: 503, apply: true }, null],
          [null, null],
          [{ fault: 'reset' }, null],
        ])
        expect(server.unplayed()).toEqual([])
      },
    )
    expect(lengths).toEqual([0, 1])
    expect(told[0]).toMatchObject({
      attempt: 1,
      call: 2,
      method: 'POST',
      path: '/a',
      body: 'text',
      idempotencyKey: 'k',
      arrivedAtMs: 0,
    })
    expect(told[0]!.headers['x-a']).toBe('1')
    expect(told[1]).toMatchObject({ attempt: 3, path: '/b', arrivedAtMs: 100 })
  })

  test('that throws is reported, and the client is not left waiting', async () => {
    const errors: unknown[] = []
    await onStage(
      () => {
        throw new Error('my bug')
      },
      async ({ ask }) => {
        expect((await ask()).by).toBe('ECONNRESET')
      },
      { onError: (error) => errors.push(error) },
    )
    expect(errors).toEqual([expect.objectContaining({ name: 'ScheduleError', message: expect.stringContaining('my bug') })])
  })
})

test('whoever watches is told of each change, with what was known then', async () => {
  const changes: string[] = []
  const note = ({ number, result, headersAtMs, endedAtMs }: Attempt, change: string) =>
    changes.push(`${number} ${change}: ${result}, headers ${headersAtMs}, end ${endedAtMs}`)
  await onStage(
    [{ status: 200, delayMs: 100, bodyDelayMs: 50 }, 'hang'],
    async ({ ask, dial, wait }) => {
      await ask()
      const client = dial().send()
      await wait(10)
      client.hangUp()
      await wait(0)
    },
    { onAttempt: note },
  )
  expect(changes).toEqual([
    '1 arrived: open, headers null, end null',
    '1 headers: 200, headers 100, end null',
    '1 ended: 200, headers 100, end 150',
    '2 arrived: open, headers null, end null',
    '2 hung-up: hang, headers null, end 160',
  ])
})

test('a snapshot does not change afterwards', async () => {
  await onStage([{ status: 200, delayMs: 100 }], async ({ server, dial, wait }) => {
    const client = dial().send()
    await wait(10)
    const before = server.attempts()
    await client.ended
    expect([before[0]!.result, server.attempts()[0]!.result]).toEqual(['open', 200])
  })
})

test('the request is recorded as it came', async () => {
  await onStage([200], async ({ server, dial }) => {
    await dial().write(
      'PATCH /a?b=%20 HTTP/1.1\r\nHost: server\r\nX-Two: 1\r\nx-two: 2\r\nCookie: a\r\nIdempotency-Key: k\r\nConnection: close\r\n' +
        'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
    ).ended
    expect(server.attempts()[0]).toMatchObject({ method: 'PATCH', path: '/a?b=%20', idempotencyKey: 'k', requestComplete: true })
    expect(server.attempts()[0]!.headers).toMatchObject({ 'x-two': '1, 2', cookie: 'a' })
    expect(Buffer.from(server.attempts()[0]!.body).toString()).toBe('abcde')
    // echo -n abcde | sha256sum
    expect(server.attempts()[0]!.bodyHash).toBe('36bbe50ed96841d10443bcb670d6554f0a34b761be67ec9c4a8ad2c0c44ca42c')
  })
})

test('the key header may have another name', async () => {
  await onStage(
    [200],
    async ({ server, ask }) => {
      await ask({ headers: { 'X-Request-Key': 'a', 'idempotency-key': 'b' } })
      expect(server.attempts()[0]!.idempotencyKey).toBe('a')
    },
    { keyHeader: 'x-request-key' },
  )
})
