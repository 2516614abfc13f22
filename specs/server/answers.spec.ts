import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { ResponseStep } from '../../src/schedule/model.js'
import { onStage, type RawClient, TEN } from './support.js'

/** The one attempt that a step was played for, and what a client saw of it. */
const play = (step: ResponseStep, request: Parameters<RawClient['send']>[0] = {}) =>
  onStage([step], async ({ server, dial }) => {
    const client = dial().send(request)
    const end = await client.ended
    return { end, pieces: client.pieces, attempt: server.attempts()[0]! }
  })

/** The same for a step that never ends: the client hangs up after `patienceMs`. */
const leaveAfter = (patienceMs: number, step: ResponseStep, request: Parameters<RawClient['send']>[0] = {}) =>
  onStage([step], async ({ server, dial, wait }) => {
    const client = dial().send(request)
    await wait(patienceMs)
    client.hangUp()
    await wait(0)
    return { text: client.text, pieces: client.pieces, attempt: server.attempts()[0]! }
  })

describe('a whole answer', () => {
  test('is written byte for byte as the record says', async () => {
    const { end, attempt } = await play({ status: 418, headers: { 'X-Tea': ['green', 'black'] }, body: 'no coffee' })
    expect(end.text).toBe(
      [
        "HTTP/1.1 418 I'm a Teapot",
        'X-Tea: green',
        'X-Tea: black',
        'Date: Tue, 01 Jan 2030 00:00:00 GMT',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Length: 9',
        'Connection: close',
        '',
        'no coffee',
      ].join('\r\n'),
    )
    expect(end.by).toBe('FIN')
    expect(attempt.answerHeaders).toEqual([
      ['x-tea', 'green'],
      ['x-tea', 'black'],
      ['date', 'Tue, 01 Jan 2030 00:00:00 GMT'],
      ['content-type', 'text/plain; charset=utf-8'],
      ['content-length', '9'],
      ['connection', 'close'],
    ])
    expect(Buffer.from(attempt.answerBody).toString()).toBe('no coffee')
    expect(attempt).toMatchObject({
      number: 1,
      status: 418,
      result: 418,
      answerComplete: true,
      ledger: 'none',
      stepIndex: 0,
      socket: 1,
    })
  })

  test('echoes the request: JSON as JSON, anything else as text', async () => {
    const bodyOf = async (body: string) => (await play({ status: 200 }, { body })).end.body
    expect(await bodyOf('{"a": 1}')).toBe('{"attempt":1,"echo":{"a": 1}}')
    expect(await bodyOf('a=1&b="2"')).toBe('{"attempt":1,"echo":"a=1&b=\\"2\\""}')
    expect(await bodyOf('')).toBe('{"attempt":1,"echo":null}')
  })

  test('of an error says which', async () => {
    const { end } = await play({ status: 503 })
    expect(JSON.parse(end.body)).toEqual({ error: { code: 'http_503', status: 503, message: 'scripted answer 503' } })
    expect(end.headers['content-type']).toBe('application/json')
  })

  test.each([
    ['text', 'plain', 'text/plain; charset=utf-8', 'plain'],
    ['a JSON value', { a: [1, null] }, 'application/json', '{"a":[1,null]}'],
    ['null', null, 'application/json', 'null'],
    ['bytes', { $base64: 'AAEC' }, 'application/octet-stream', '\u0000\u0001\u0002'],
  ])('sends %s with its type', async (_name, body, type, sent) => {
    const { end } = await play({ status: 200, body })
    expect([end.headers['content-type'], end.body]).toEqual([type, sent])
  })

  test('lets headers of the step go before its own', async () => {
    const { end } = await play({ status: 200, headers: { 'content-type': 'application/problem+json', DATE: 'never' } })
    expect(end.headers).toMatchObject({ 'content-type': 'application/problem+json', date: 'never' })
    expect(end.text.match(/date:/gi)).toHaveLength(1)
  })

  test('to HEAD has the headers only', async () => {
    const { end, attempt } = await play({ status: 200, body: TEN }, { method: 'HEAD' })
    expect([end.headers['content-length'], end.body]).toEqual(['10', ''])
    expect([attempt.answerComplete, attempt.answerBody.length]).toEqual([true, 0])
  })

  test.each([
    [204, undefined],
    [205, '0'],
    [304, undefined],
  ])('%i has no body', async (status, length) => {
    const { end } = await play({ status })
    expect([end.status, end.body, end.headers['content-length'], end.headers['content-type']]).toEqual([
      status,
      '',
      length,
      undefined,
    ])
  })
})

describe('hints and stamps count from the time of serving', () => {
  // 1 500 ms are shown as second 1, never ahead; a hint of 30 s ends at 31.5 s, which is rounded up so that nobody comes early.
  const DELAYED = { status: 429, delayMs: 1500 } as const

  test.each([
    ['seconds', 30, '30'],
    ['a raw string', 'soon', 'soon'],
    ['an IMF date', { date: 30 }, 'Tue, 01 Jan 2030 00:00:32 GMT'],
    ['an RFC 850 date', { date: 30, form: 'rfc850' }, 'Tuesday, 01-Jan-30 00:00:32 GMT'],
    ['an asctime date', { date: 30, form: 'asctime' }, 'Tue Jan  1 00:00:32 2030'],
    ['a date in the past', { date: -60 }, 'Mon, 31 Dec 2029 23:59:02 GMT'],
  ] as const)('Retry-After as %s', async (_name, retryAfter, sent) => {
    const { end, attempt } = await play({ ...DELAYED, retryAfter })
    expect([end.headers['retry-after'], end.headers.date]).toEqual([sent, 'Tue, 01 Jan 2030 00:00:01 GMT'])
    expect(attempt.servedWallMs).toBe(Date.UTC(2030, 0, 1, 0, 0, 1, 500))
  })

  test('retry-after-ms and epoch stamps', async () => {
    const { end } = await play({ ...DELAYED, retryAfterMs: 250, headers: { 'x-ratelimit-reset': { secondsFromNow: 60 } } })
    expect(end.headers['retry-after-ms']).toBe('250')
    expect(end.headers['x-ratelimit-reset']).toBe(String(Date.UTC(2030, 0, 1, 0, 1, 2) / 1000))
  })

  test('the wall clock may be off without the waits being so', async () => {
    const end = await onStage([{ status: 429, retryAfter: { date: 10 } }], ({ ask }) => ask(), {
      clockOptions: { wallClockOffsetMs: -3_600_000 },
    })
    expect([end.headers.date, end.headers['retry-after'], end.atMs]).toEqual([
      'Mon, 31 Dec 2029 23:00:00 GMT',
      'Mon, 31 Dec 2029 23:00:10 GMT',
      0,
    ])
  })
})

describe('slow answers', () => {
  test('delayMs passes before the headers', async () => {
    const { end, attempt } = await play({ status: 200, delayMs: 1500 })
    expect([end.status, end.atMs]).toEqual([200, 1500])
    expect(attempt).toMatchObject({ arrivedAtMs: 0, headersAtMs: 1500, endedAtMs: 1500 })
  })

  test('a delay above the 32-bit limit of timers is kept', async () => {
    const delayMs = 2 ** 31 + 5
    expect((await play({ status: 200, delayMs })).end.atMs).toBe(delayMs)
  })

  test('bodyDelayMs passes between headers and body', async () => {
    const { pieces, attempt } = await play({ status: 200, delayMs: 100, bodyDelayMs: 700, body: TEN })
    expect(pieces.map(({ text, atMs }) => [text.endsWith('\r\n\r\n'), text === TEN, atMs])).toEqual([
      [true, false, 100],
      [false, true, 800],
    ])
    expect(attempt).toMatchObject({ headersAtMs: 100, endedAtMs: 800, answerComplete: true })
  })

  test('dripMs passes between single bytes', async () => {
    const { end, pieces, attempt } = await play({ status: 200, dripMs: 50, body: 'abc' })
    expect(end.body).toBe('abc')
    // The first byte leaves together with the headers, or right behind them.
    expect(pieces.filter(({ text }) => text.length === 1).map(({ text, atMs }) => [text, atMs])).toEqual(
      expect.arrayContaining([
        ['b', 50],
        ['c', 100],
      ]),
    )
    expect(attempt).toMatchObject({ headersAtMs: 0, endedAtMs: 100, answerComplete: true })
  })

  test('an endless body is dripped until the client leaves', async () => {
    const { text, attempt } = await leaveAfter(1025, { status: 200, dripMs: 100, endless: true, body: 'abc' })
    expect(text).toContain('Transfer-Encoding: chunked')
    // At 0, 100, ..., 1 000 ms.
    expect(Buffer.from(attempt.answerBody).toString()).toBe('abcabcabcab')
    expect(attempt).toMatchObject({ status: 200, result: 200, answerComplete: false, hungUpAtMs: 1025, endedAtMs: 1025 })
  })
})

describe('answers that fall silent', () => {
  test('stall: headers leaves half the header block', async () => {
    const { text, attempt } = await leaveAfter(5000, { status: 200, stall: 'headers' })
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\nDate: /)
    expect(text).not.toContain('\r\n\r\n')
    expect(attempt).toMatchObject({ status: 200, result: 200, headersAtMs: null, hungUpAtMs: 5000, answerComplete: false })
  })

  test('stall: body leaves half the body that Content-Length promises', async () => {
    const { text, attempt } = await leaveAfter(5000, { status: 200, stall: 'body', body: TEN })
    expect(text).toMatch(/Content-Length: 10\r\n[\s\S]*\r\n\r\n01234$/)
    expect(attempt).toMatchObject({ headersAtMs: 0, hungUpAtMs: 5000, endedAtMs: 5000, answerComplete: false })
  })

  test('half of no body is still no complete message', async () => {
    const { text } = await leaveAfter(5, { status: 200, stall: 'body', body: '' })
    expect(text).toContain('Content-Length: 1\r\n')
  })
})

describe('answers that break off', () => {
  test('truncate: length promises more bytes than it sends', async () => {
    const { end, attempt } = await play({ status: 200, truncate: 'length', body: TEN })
    expect([end.headers['content-length'], end.body, end.by]).toEqual(['10', '01234', 'FIN'])
    expect(attempt).toMatchObject({ result: 200, answerComplete: false, hungUpAtMs: null, endedAtMs: 0 })
  })

  test('truncate: chunked has no last chunk', async () => {
    const { end, attempt } = await play({ status: 200, truncate: 'chunked', body: TEN })
    expect([end.headers['transfer-encoding'], end.body, end.by]).toEqual(['chunked', '5\r\n01234\r\n', 'FIN'])
    expect([attempt.answerComplete, Buffer.from(attempt.answerBody).toString()]).toEqual([false, '01234'])
  })

  test('truncate: gzip cuts the stream inside a complete message', async () => {
    const { end, attempt } = await play({ status: 200, truncate: 'gzip', body: TEN.repeat(20) })
    const body = Buffer.from(end.body, 'latin1')
    expect([end.headers['content-encoding'], end.headers['content-length']]).toEqual(['gzip', String(body.length)])
    expect(() => gunzipSync(body)).toThrow('unexpected end of file')
    expect(attempt.answerComplete).toBe(true)
  })

  test('to HEAD there is nothing to truncate', async () => {
    const { end, attempt } = await play({ status: 200, truncate: 'length' }, { method: 'HEAD' })
    expect([end.status, end.by, attempt.answerComplete]).toEqual([200, 'FIN', true])
  })

  test('json: malformed is a complete answer that cannot be parsed', async () => {
    const { end, attempt } = await play({ status: 200, json: 'malformed' })
    expect([end.body, end.headers['content-length'], end.headers['content-type']]).toEqual([
      '{"attempt":1,"echo":null',
      '24',
      'application/json',
    ])
    expect(attempt.answerComplete).toBe(true)
  })
})

describe('event streams', () => {
  const events = [
    { data: 'one' },
    { event: 'delta', id: '7', retryMs: 2500, data: { a: 'x\ny' }, delayMs: 300 },
    { data: 'l1\nl2' },
  ]
  const WRITTEN = 'data: one\n\nevent: delta\nid: 7\nretry: 2500\ndata: {"a":"x\\ny"}\n\ndata: l1\ndata: l2\n\n'

  test('write each event on its own, after its delay, and end the message', async () => {
    const { end, pieces, attempt } = await play({ status: 200, stream: { events } })
    expect(end.headers).toMatchObject({ 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' })
    expect(Buffer.from(attempt.answerBody).toString()).toBe(WRITTEN)
    expect(pieces.filter(({ text }) => text.includes('data:')).map(({ atMs }) => atMs)).toEqual([0, 300, 300])
    expect([end.text.endsWith('0\r\n\r\n'), end.by, attempt.answerComplete, attempt.endedAtMs]).toEqual([true, 'FIN', true, 300])
  })

  test.each([
    ['reset', 'ECONNRESET'],
    ['close', 'FIN'],
  ] as const)('may end by %s after the last event was read', async (how, by) => {
    const { end, attempt } = await play({ status: 200, stream: { events, end: how } })
    expect([end.by, end.text.endsWith('l2\n\n\r\n'), attempt.answerComplete, attempt.result]).toEqual([by, true, false, 200])
  })

  test('may go silent', async () => {
    const { attempt } = await leaveAfter(10_000, { status: 200, stream: { events, end: 'stall' } })
    expect(attempt).toMatchObject({ answerComplete: false, hungUpAtMs: 10_000 })
  })
})
