import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { probe, Redactor, readHar, scheduleFile } from '../../src/probe/index.js'
import { renderTimeline } from '../../src/report/timeline.js'
import { endpoint, json } from './support.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (body: Uint8Array) => new TextDecoder().decode(body)

test('headers are hidden by their names, the scheme stays', () => {
  const redactor = new Redactor()
  expect(
    redactor.headers({
      authorization: 'Bearer first-token-1',
      cookie: 'sid=cookie-value-2; theme=dark',
      'x-api-key': 'key-value-3',
      'x-amz-security-token': 'token-4',
      'idempotency-key': 'kept',
      'content-type': 'application/json',
      'x-ratelimit-remaining-tokens': '149984',
    }),
  ).toEqual({
    authorization: 'Bearer [redacted-1]',
    cookie: expect.stringMatching(/^\[redacted-\d\]$/),
    'x-api-key': expect.stringMatching(/^\[redacted-\d\]$/),
    'x-amz-security-token': expect.stringMatching(/^\[redacted-\d\]$/),
    'idempotency-key': 'kept',
    'content-type': 'application/json',
    'x-ratelimit-remaining-tokens': '149984',
  })
})

test('equal secrets have equal tags, others have others', () => {
  const redactor = new Redactor()
  const first = redactor.header('authorization', 'Bearer aaaaaaaa')
  const refreshed = redactor.header('authorization', 'Bearer bbbbbbbb')
  expect(redactor.header('authorization', 'Bearer aaaaaaaa')).toBe(first)
  expect(refreshed).not.toBe(first)
})

test('a secret is hidden wherever it turns up later, in each of its spellings', () => {
  const redactor = new Redactor()
  redactor.header('authorization', `Basic ${Buffer.from('me:p/ss "w+rd').toString('base64')}`)
  const spellings = [
    'p/ss "w+rd',
    encodeURIComponent('p/ss "w+rd'),
    'p/ss \\"w+rd',
    Buffer.from('p/ss "w+rd').toString('base64').replace(/=+$/, ''),
  ]
  for (const spelling of spellings) expect(redactor.text(`seen: ${spelling} here`)).toMatch(/^seen: \[redacted-\d+\] here$/)
})

test('URLs lose passwords and secret parameters, not the others', () => {
  const redactor = new Redactor()
  expect(redactor.url('/v1/chat?key=AbC12345&page=2&access_token=xyz')).toBe(
    '/v1/chat?key=[redacted-1]&page=2&access_token=[redacted-2]',
  )
  expect(redactor.url('https://me:hunter22@api.example.com/v1')).toBe('https://me:[redacted-3]@api.example.com/v1')
})

test.each([
  [
    'JSON',
    'application/json',
    '{"model":"m","apiKey":"s3cr3t-in-body","max_tokens":100}',
    '{"model":"m","apiKey":"[redacted-1]","max_tokens":100}',
  ],
  [
    'JSON in a JSON string',
    'application/json',
    JSON.stringify({ args: '{"password":"s3cr3t-in-body"}' }),
    JSON.stringify({ args: '{"password":"[redacted-1]"}' }),
  ],
  [
    'a list',
    'application/json',
    '{"secrets":1,"client_secret":["s3cr3t-in-body"]}',
    '{"secrets":1,"client_secret":["[redacted-1]"]}',
  ],
  ['a form', 'application/x-www-form-urlencoded', 'password=s3cr3t-in-body&a=1', 'password=[redacted-1]&a=1'],
  ['an event stream', 'text/event-stream', 'data: {"token":"s3cr3t-in-body"}\n\n', 'data: {"token":"[redacted-1]"}\n\n'],
  ['JSON that was cut', 'application/json', '{"a":1,"password":"s3cr3t-in-bo', '{"a":1,"password":"[redacted-1]'],
  [
    'a multipart form',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="api_key"\r\n\r\ns3cr3t-in-body\r\n--b--',
    '--b\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n[redacted-1]\r\n--b--',
  ],
  ['a secret by its shape', 'text/plain', 'the key sk-abcdefghijklmnop1234 is wrong', 'the key [redacted-1] is wrong'],
  [
    'Basic credentials, but not every word after Basic',
    'text/plain',
    'Basic understanding, Basic bWU6cGFzc3dvcmQx',
    'Basic understanding, Basic [redacted-2]',
  ],
  ['nothing secret', 'application/json', '{ "spaced" : true }', '{ "spaced" : true }'],
])('body: %s', (_name, type, body, hidden) => {
  expect(text(new Redactor().body(bytes(body), type))).toBe(hidden)
})

test('bytes that are no text keep everything but known secrets', () => {
  const redactor = new Redactor({ values: ['planted-secret'] })
  const binary = new Uint8Array([0xff, 0xfe, ...bytes('planted-secret'), 0xff])
  const hidden = Buffer.from(redactor.body(binary, 'application/octet-stream')).toString('latin1')
  expect(hidden).toBe('\xff\xfe[redacted-1]\xff')
})

test('a token in place of a user, in a fragment, in a sentence, in XML, in the path of a hook', () => {
  const hidden = (text: string) => new Redactor().text(text)
  expect(hidden('https://planted-token@host/x')).toBe('https://[redacted-1]@host/x')
  expect(hidden('https://host/?mail=a@b.c and https://host/@user')).toBe('https://host/?mail=a@b.c and https://host/@user')
  expect(hidden('https://app/cb#access_token=planted&x=1')).toBe('https://app/cb#access_token=[redacted-1]&x=1')
  expect(hidden('failed with token=planted exit code=5')).toBe('failed with token=[redacted-1] exit code=5')
  expect(hidden(`/bot123456789:${'planted'.repeat(4)}/send`)).toBe('/[redacted-1]/send')
  const xml = Buffer.from('<s:Body><w:password type="x">planted</w:password><a>ok</a></s:Body>')
  expect(Buffer.from(new Redactor().body(xml)).toString()).toBe(
    '<s:Body><w:password type="x">[redacted-1]</w:password><a>ok</a></s:Body>',
  )
  const basic = new Redactor()
  basic.header('authorization', `Basic ${Buffer.from('planted-key:').toString('base64')}`)
  expect(basic.text('hello planted-key')).not.toContain('planted')
})

test('a secret of its own is hidden in a path; one too short to be told from a word is refused', () => {
  expect(new Redactor({ values: ['planted'] }).url('/hooks/planted/x')).toBe('/hooks/[redacted-1]/x')
  expect(() => new Redactor({ values: ['short'] })).toThrow('redact.values[0]: expected at least 6 characters, received 5')
})

test('of secrets that begin alike the longest is hidden, however many there are', () => {
  const redactor = new Redactor()
  for (let n = 0; n < 3_000; n++) redactor.header('x-api-key', `planted-${n}`)
  expect(redactor.text('planted-299 planted-2999')).toBe('[redacted-300] [redacted-3000]')
})

test('users add names and values of their own', () => {
  const redactor = new Redactor({ names: ['X-Team'], values: ['plain-words'] })
  expect(redactor.header('x-team', 'blue')).toBe('[redacted-2]')
  expect(redactor.text('these plain-words too')).toBe('these [redacted-1] too')
})

/** Everything that somebody could find in a text: itself, and what base64 in it says. */
const everythingIn = (output: string): string =>
  output +
  [...output.matchAll(/[A-Za-z0-9+/=]{12,}/g)].map(([found]) => Buffer.from(found, 'base64').toString('latin1')).join('\n')

test('no secret planted in headers, URL or body appears in anything a probe keeps', async () => {
  const PLANTED = [
    'planted-bearer',
    'planted-cookie',
    'planted-header',
    'planted-query',
    'planted-field',
    'planted-answer',
    'planted-setcookie',
    'planted-userinfo',
  ]
  await using endpointWithEcho = await endpoint((request, response, nth, body) => {
    const echo = { ...request.headers, body, url: request.url, refreshToken: 'planted-answer' }
    if (nth === 1)
      json(
        response,
        503,
        { message: `bad ${request.headers.authorization} for ${request.url}` },
        { 'set-cookie': 'sid=planted-setcookie; Path=/' },
      )
    else
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(JSON.stringify(echo)))
  })
  const client = async (url: string, init: RequestInit) => {
    const first = await fetch(url, init)
    await first.text()
    const second = await fetch(url, init)
    throw new Error(`gave up on ${url} after ${await second.text()}`)
  }
  const lines: string[] = []
  const report = await probe(client, {
    baseURL: endpointWithEcho.url.replace('//', '//me:planted-userinfo@'),
    runs: 1,
    call: {
      path: '/v1?api_key=planted-query',
      headers: { Authorization: 'Bearer planted-bearer', Cookie: 'sid=planted-cookie', 'X-Api-Key': 'planted-header' },
      body: { password: 'planted-field' },
    },
    onAttempt: (attempt) => lines.push(JSON.stringify(attempt)),
  })
  expect(report.trials[0]!.statuses).toEqual([503, 200])
  // The endpoint did get all of them.
  expect(JSON.stringify(endpointWithEcho.seen)).toContain('planted-bearer')
  const kept = [
    JSON.stringify(report),
    JSON.stringify(scheduleFile(report.trials[0]!, report.target)),
    renderTimeline(report.trials[0]!),
    ...lines,
  ].join('\n')
  for (const secret of PLANTED) expect(everythingIn(kept), secret).not.toContain(secret)
})

test('a HAR file loses its secrets as it is read', () => {
  const har = {
    log: {
      entries: [
        {
          startedDateTime: '2026-01-01T00:00:00.000Z',
          time: 40,
          request: {
            method: 'POST',
            url: 'https://api.example.com/v1?token=planted-query',
            headers: [{ name: 'Authorization', value: 'Bearer planted-bearer' }],
            postData: { mimeType: 'application/json', text: '{"secret":"planted-field"}' },
          },
          response: { status: 200, headers: [], content: { text: '{"you sent":"planted-bearer"}' } },
        },
      ],
    },
  }
  const saved = everythingIn(JSON.stringify(readHar(har)))
  expect(saved).toContain('/v1')
  for (const secret of ['planted-query', 'planted-bearer', 'planted-field']) expect(saved).not.toContain(secret)
})
