import { expect, test } from 'vitest'
import { gist, judgedAttempts, reasonOf } from './support.js'

test('the same bytes on the re-send pass', () => {
  expect(gist(judgedAttempts('body', [{ status: 503 }, { status: 200 }]))).toBe(
    'pass: attempt 2 carried the same 15 bytes as attempt 1',
  )
})

test('an empty body on the re-send fails', () => {
  const verdict = judgedAttempts('body', [{ status: 503 }, { status: 200, body: '' }])
  expect(gist(verdict)).toBe('fail: attempt 2 carried an empty body, attempt 1 carried 15 bytes')
  expect(reasonOf(verdict)).toMatchObject({ rule: 'IDM-11', level: 'must', attempt: 2, mark: 'empty body' })
  expect(reasonOf(verdict).received).toMatch(/^0 bytes, SHA-256 e3b0c44298fc…$/)
})

test('other bytes of the same length fail', () => {
  const verdict = judgedAttempts('body', [{ status: 503 }, { status: 200, body: '{"prompt":"ho"}' }])
  expect(gist(verdict)).toBe('fail: attempt 2 carried another body (15 bytes), attempt 1 carried 15 bytes')
})

test('a multipart body with a new boundary is the same', () => {
  const form = (boundary: string) => ({ body: `--${boundary}\r\n`, bodyHash: 'normalised' })
  expect(
    judgedAttempts('body', [
      { status: 503, ...form('one') },
      { status: 200, ...form('two') },
    ]).kind,
  ).toBe('pass')
})

test('a request that the fault cut short is no witness', () => {
  const cut = { fault: 'reset-early', requestComplete: false, body: '{"pro' } as const
  expect(judgedAttempts('body', [cut, { status: 200 }]).kind).toBe('inconclusive')
  expect(judgedAttempts('body', [{ status: 503 }, cut, { status: 200 }]).kind).toBe('pass')
})

test('a body-less re-send shows nothing', () => {
  expect(gist(judgedAttempts('body', [{ status: 503 }, { status: 200 }], {}, { method: 'GET' }))).toBe(
    'inconclusive: attempt 2 repeated a GET that has no body',
  )
})

test('another request of the call is no re-send', () => {
  expect(gist(judgedAttempts('body', [{ method: 'GET', path: '/models', status: 200 }, { status: 200 }]))).toBe(
    'inconclusive: no request with a body was sent again, so there were no bytes to compare; use a schedule such as [503, 200], and a client that retries the call',
  )
})
