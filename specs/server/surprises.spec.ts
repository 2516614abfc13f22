import { describe, expect, test } from 'vitest'
import type { ScheduledRequest, StepInput } from '../../src/schedule/model.js'
import { onStage, type RawRequest, TEN } from './support.js'

/** What is on the wire for one step. */
const wireOf = (step: StepInput | ((request: ScheduledRequest) => StepInput), request: RawRequest = { method: 'GET' }) =>
  onStage(typeof step === 'function' ? step : [step], async ({ server, ask }) => {
    const end = await ask(request)
    return { end, attempt: server.attempts()[0]! }
  })

describe('a part of a body (206)', () => {
  const part = (range: string, body: string): StepInput => ({
    status: 206,
    headers: { 'Content-Range': range, 'Content-Type': 'text/plain' },
    body,
  })
  const asked: RawRequest = { method: 'GET', headers: { range: 'bytes=2-4' } }

  test.each([
    ['that matches', 'bytes 2-4/10', '234'],
    ['that is another one', 'bytes 5-7/10', '567'],
    ['that promises more than it brings', 'bytes 2-9/10', '234'],
    ['that brings more than was asked for', 'bytes 2-6/10', '23456'],
    ['of a whole whose length is unknown', 'bytes 2-4/*', '234'],
    ['in a unit that nobody knows', 'pages 2-4/10', '234'],
    ['without a range', '', '234'],
  ])('%s goes out as it was written: %j', async (_, range, body) => {
    const { end, attempt } = await wireOf(part(range, body), asked)
    expect(end.text).toMatch(/^HTTP\/1\.1 206 Partial Content\r\n/)
    expect([end.headers['content-range'], end.headers['content-length'], end.body]).toEqual([range, String(body.length), body])
    expect(attempt).toMatchObject({ status: 206, answerComplete: true, headers: { range: 'bytes=2-4' } })
  })

  test('may be cut from what was asked for by a function, and end half way', async () => {
    const cut = ({ headers }: ScheduledRequest): StepInput => {
      const [from, to] = /(\d+)-(\d+)/.exec(headers.range!)!.slice(1).map(Number)
      return {
        status: 206,
        headers: { 'content-range': `bytes ${from}-${to}/${TEN.length}` },
        body: TEN.slice(from, to! + 1),
        truncate: 'length',
      }
    }
    const { end, attempt } = await wireOf(cut, { method: 'GET', headers: { range: 'bytes=2-5' } })
    expect([end.headers['content-length'], end.body, end.by]).toEqual(['4', '23', 'FIN'])
    expect(attempt.answerComplete).toBe(false)
  })

  test('is refused when the range lies outside', async () => {
    const { end } = await wireOf({ status: 416, headers: { 'Content-Range': 'bytes */10' } }, asked)
    expect([end.status, end.headers['content-range']]).toEqual([416, 'bytes */10'])
  })
})

test.each([301, 302, 303, 307, 308])('a redirect (%i) may say when to come back', async (status) => {
  const { end } = await wireOf({ status, headers: { location: '/b' }, retryAfter: 3 }, { method: 'GET', path: '/~retrial-t.1/a' })
  expect([end.status, end.headers.location, end.headers['retry-after']]).toEqual([status, '/~retrial-t.1/b', '3'])
})

describe('a body is not always what it says, or says what it is', () => {
  const HTML = '<html><body>upstream is down</body></html>'
  const JSON_TEXT = '{"a":"é"}'

  test.each<[string, StepInput, string, string]>([
    ['HTML with a 503', { status: 503, headers: { 'Content-Type': 'text/html' }, body: HTML }, 'text/html', HTML],
    [
      'HTML that claims to be JSON',
      { status: 200, headers: { 'content-type': 'application/json' }, body: HTML },
      'application/json',
      HTML,
    ],
    [
      'JSON that claims to be HTML',
      { status: 200, headers: { 'content-type': 'text/html' }, body: { a: 1 } },
      'text/html',
      '{"a":1}',
    ],
    ['no type at all', { status: 200, headers: { 'content-type': '' }, body: 'x' }, '', 'x'],
    [
      'an unknown charset',
      { status: 200, headers: { 'content-type': 'application/json; charset=klingon' }, body: JSON_TEXT },
      'application/json; charset=klingon',
      Buffer.from(JSON_TEXT).toString('latin1'),
    ],
    [
      'bytes in the charset that is named',
      { status: 200, headers: { 'content-type': 'text/plain; charset=iso-8859-1' }, body: new Uint8Array([0xe9]) },
      'text/plain; charset=iso-8859-1',
      '\u00e9',
    ],
    [
      'a byte order mark',
      { status: 200, headers: { 'content-type': 'application/json' }, body: new Uint8Array([0xef, 0xbb, 0xbf, 0x31]) },
      'application/json',
      '\u00ef\u00bb\u00bf1',
    ],
  ])('%s', async (_, step, type, body) => {
    const { end } = await wireOf(step)
    expect([end.headers['content-type'], end.body]).toEqual([type, body])
  })
})

describe('an event stream', () => {
  test('may bring an error inside a 200, say when to reconnect, and be over for good with 204', async () => {
    const broken: StepInput = {
      status: 200,
      stream: {
        events: [
          { event: 'message_start', data: { n: 1 }, id: '1', retryMs: 2_500 },
          { event: 'error', data: { type: 'overloaded_error' }, delayMs: 40 },
        ],
        end: 'close',
      },
    }
    await onStage([broken, { status: 204 }], async ({ server, ask }) => {
      const first = await ask({ method: 'GET' })
      expect(first.text).toContain('event: message_start\nid: 1\nretry: 2500\ndata: {"n":1}\n\n')
      expect(first.text).toContain('event: error\ndata: {"type":"overloaded_error"}\n\n')
      expect([first.status, first.by, first.atMs]).toEqual([200, 'FIN', 40])
      const again = await ask({ method: 'GET', headers: { 'last-event-id': '1' } })
      expect([again.status, again.body]).toEqual([204, ''])
      expect(server.attempts().map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1'])
    })
  })
})
