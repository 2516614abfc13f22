import { describe, expect, test } from 'vitest'
import { resolveOptions, TrialOptionsError } from '../../src/trial/options.js'

test('defaults: one POST with a JSON body and a key of its own', () => {
  const { request, calls, concurrency, dedup, keyHeader, clock } = resolveOptions()
  expect({ ...request, keys: [request.keyOf(0), request.keyOf(1)] }).toMatchObject({
    method: 'POST',
    path: '/',
    body: '{"prompt":"hi"}',
    contentType: 'application/json',
    keys: ['k-1', 'k-2'],
  })
  expect({ calls, concurrency, dedup, keyHeader, clock }).toEqual({
    calls: 1,
    concurrency: 1,
    dedup: 'replay',
    keyHeader: 'idempotency-key',
    clock: 'virtual',
  })
})

test('the key goes with POST and PATCH only, the body with POST, PUT and PATCH', () => {
  const of = (method: string) => {
    const { request } = resolveOptions({ call: { method } })
    return [request.keyOf(0), request.body]
  }
  expect(of('GET')).toEqual([undefined, undefined])
  expect(of('PUT')).toEqual([undefined, '{"prompt":"hi"}'])
  expect(of('PATCH')).toEqual(['k-1', '{"prompt":"hi"}'])
  expect(of('DELETE')).toEqual([undefined, undefined])
})

const circular: { self?: unknown } = {}
circular.self = circular
const BODY =
  'options.call.body: expected text or a JSON value (no bytes, and nothing that JSON cannot hold: a circular object, a bigint, a function)'

describe('a wrong option is named with its value and what is allowed', () => {
  test.each<[object, string]>([
    [{ clok: 'real' }, 'options.clok: unknown option, allowed are clock, transport,'],
    [{ clock: 'fake' }, "options.clock: expected 'virtual', 'real', received 'fake'"],
    [{ calls: 0 }, 'options.calls: expected an integer >= 1, received 0'],
    [{ concurrency: 1.5 }, 'options.concurrency: expected an integer >= 1, received 1.5'],
    [{ abortAtMs: -1 }, 'options.abortAtMs: expected milliseconds >= 0, received -1'],
    [
      { abort: 'later' },
      "options.abort: expected { onAttempt: n } or 'before-call', 'during-attempt', 'during-wait', 'during-body', received 'later'",
    ],
    [{ abort: 'during-wait', abortAtMs: 1 }, 'options.abort and options.abortAtMs: give one of them'],
    [{ dedup: 'sometimes' }, "options.dedup: expected 'replay', 'conflict', 'reject', 'ignore', received 'sometimes'"],
    [{ keyHeader: 'a b' }, "options.keyHeader: expected a header name, received 'a b'"],
    [{ call: { method: 'post' } }, "options.call.method: expected an HTTP method in capitals, received 'post'"],
    [{ call: { path: 'v1' } }, "options.call.path: expected a path that begins with '/', received 'v1'"],
    [{ call: { verb: 'GET' } }, 'options.call.verb: unknown option, allowed are method, path, body, headers, idempotencyKey'],
    [{ call: { body: 10n } }, `${BODY}, received 10n`],
    [{ call: { body: circular } }, `${BODY}, received an object with keys self`],
    [
      { call: { headers: { 'x-a': 'b\r\nc' } } },
      'options.call.headers["x-a"]: expected characters of Latin-1 without line breaks, received "b\\r\\nc"',
    ],
    [
      { call: { headers: { 'x-a': '€' } } },
      'options.call.headers["x-a"]: expected characters of Latin-1 without line breaks, received "€"',
    ],
    [{ maxVirtualMs: 0 }, 'options.maxVirtualMs: expected milliseconds > 0, received 0'],
    [{ call: { headers: { 'x y': '1' } } }, 'options.call.headers: expected an object of header names and string values'],
    [{ call: [] }, 'options.call: expected an object, received an array of 0'],
    [
      { wallClockOffsetMs: [{ atMs: -1, offsetMs: 2 }] },
      'options.wallClockOffsetMs: expected milliseconds, or a list of { atMs, offsetMs }',
    ],
    [{ transport: 'fetch', clock: 'real' }, "options.transport: 'fetch' plays without a socket and needs clock: 'virtual'"],
  ])('%o', (options, message) => {
    expect(() => resolveOptions(options as never)).toThrow(TrialOptionsError)
    expect(() => resolveOptions(options as never)).toThrow(message)
  })
})
