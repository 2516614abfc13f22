import { describe, expect, test } from 'vitest'
import type { Contract } from '../../src/guarantees/contract.js'
import type { EventStream, StreamEvent } from '../../src/schedule/model.js'
import { type AttemptSketch, rejected, resolved, type TrialSketch, trialOf, unsettled } from '../support/make-trial.js'
import { gist, judged, judgedAttempts, reasonOf, rulesOf } from './support.js'

const CONSUMES_STREAMS = { client: { streaming: true } }
const judgedStreams = (attempts: readonly AttemptSketch[], contract: Contract = {}, sketch: Omit<TrialSketch, 'attempts'> = {}) =>
  judgedAttempts('streaming', attempts, contract, { ...CONSUMES_STREAMS, ...sketch })

const stream = (events: readonly StreamEvent[], end: EventStream['end'], more: AttemptSketch = {}): AttemptSketch => ({
  status: 200,
  step: { status: 200, stream: { events, end } },
  complete: end === 'clean',
  ...more,
})
const words: StreamEvent[] = [{ data: 'one' }, { data: 'two' }, { data: 'three' }]
const failed = { outcome: rejected('stream broke') }
const done = { outcome: resolved(200) }

describe('a stream that breaks off', () => {
  test('is an error to its consumer', () => {
    expect(gist(judgedStreams([stream(words, 'reset')], {}, failed))).toBe(
      'pass: the consumer was told that the stream of attempt 1 broke off',
    )
    expect(gist(judgedStreams([stream(words, 'reset')], {}, done))).toBe(
      'fail: the call resolved although the stream of attempt 1 broke off after 3 events',
    )
  })

  test('is not started again from the top', () => {
    const verdict = judgedStreams([stream(words, 'reset'), stream(words, 'clean')], {}, done)
    expect(gist(verdict)).toBe(
      'fail: attempt 2 started the stream again after 3 events had been delivered and attempt 1 broke off',
    )
    expect(reasonOf(verdict)).toMatchObject({ rule: 'STR-02', attempt: 2, mark: 'from the top' })
  })

  test('before its first event may be asked for again', () => {
    expect(judgedStreams([stream([], 'reset'), stream(words, 'clean')], {}, done).kind).toBe('inconclusive')
  })
})

describe('what a stream says', () => {
  const error: StreamEvent[] = [{ data: 'one' }, { event: 'error', data: { type: 'overloaded_error' } }]

  test('an error event must not be lost by a client of that vendor', () => {
    expect(rulesOf(judgedStreams([stream(error, 'clean')], { preset: 'anthropic' }, done))).toEqual(['fail STR-04'])
    expect(judgedStreams([stream(error, 'clean')], {}, done).kind).toBe('inconclusive')
    expect(judgedStreams([stream(error, 'clean')], {}, failed).kind).toBe('pass')
  })

  test('an end without the terminator should be reported', () => {
    const contract = { preset: 'openai', strict: true } as const
    expect(rulesOf(judgedStreams([stream(words, 'clean')], contract, done))).toEqual(['fail STR-03'])
    expect(judgedStreams([stream([...words, { data: '[DONE]' }], 'clean')], contract, done).kind).toBe('inconclusive')
  })
})

describe('reconnecting', () => {
  const GET = { method: 'GET', ...done } as const
  const first = stream([{ id: '7', data: 'one', retryMs: 500 }], 'close', { endedAt: 100 })
  const again = (at: number, lastId?: string) =>
    stream(words, 'clean', {
      at,
      requestHeaders: { accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
    })

  test('waits the time that the stream set', () => {
    expect(judgedStreams([first, again(600, '7')], {}, GET).kind).toBe('pass')
    const verdict = judgedStreams([first, again(200, '7')], {}, GET)
    expect(gist(verdict)).toBe('fail: attempt 2 came 100 ms after the end of the stream, which had set 500 ms')
    expect(reasonOf(verdict)).toMatchObject({ rule: 'STR-05', mark: '400 ms too early' })
  })

  test('should name the last event', () => {
    expect(judgedStreams([first, again(600)], {}, GET).kind).toBe('pass')
    expect(gist(judgedStreams([first, again(600)], { strict: true }, GET))).toBe(
      'fail: attempt 2 reconnected without Last-Event-ID after event 7',
    )
  })

  test('ends at 204', () => {
    const stopped = [first, { at: 600, status: 204, requestHeaders: { 'last-event-id': '7' } }]
    expect(rulesOf(judgedStreams(stopped, {}, GET))).toContain('pass STR-06')
    const verdict = judgedStreams([...stopped, again(1_200, '7')], {}, GET)
    expect(gist(verdict)).toBe('fail: attempt 3 came after a 204, which ends reconnecting')
  })

  test('is not what an API client does that asks for a stream by GET and starts it again from the top', () => {
    const anew = stream(words, 'clean', { at: 600 })
    expect(rulesOf(judgedStreams([stream(words, 'reset'), anew], {}, GET))).toEqual(['fail STR-02'])
    const failing: StreamEvent[] = [{ data: 'one' }, { event: 'error', data: 'overloaded' }]
    expect(rulesOf(judgedStreams([stream(failing, 'clean'), anew], { preset: 'anthropic' }, GET))).toContain('fail STR-04')
    const openEnded = judgedStreams([stream(words, 'clean'), anew], { preset: 'openai', strict: true }, GET)
    expect(rulesOf(openEnded)).toContain('fail STR-03')
  })

  test('makes of an event called error an event like any other', () => {
    const failing = stream([{ data: 'one' }, { event: 'error', data: 'x' }], 'close', {
      requestHeaders: { accept: 'text/event-stream' },
    })
    expect(judgedStreams([failing, again(600)], { preset: 'anthropic' }, GET).kind).toBe('inconclusive')
  })

  test('without an event makes no more attempts than promised, although a deadline ends it', () => {
    const empty = (count: number) => Array.from({ length: count }, (_, index) => stream([], 'clean', { at: index * 500 }))
    const promised: Contract = { maxAttempts: 5, deadlineMs: 8_000 }
    expect(judgedStreams(empty(5), promised, { method: 'GET', ...failed }).kind).toBe('pass')
    const verdict = judgedStreams(empty(6), promised, { method: 'GET', ...failed })
    expect(gist(verdict)).toBe('fail: attempt 6 opened a stream again after 5 of them had closed without an event')
    expect(reasonOf(verdict)).toMatchObject({ rule: 'STR-07', attempt: 6, received: '6 in a row' })
    // An event in between is progress.
    expect(judgedStreams([...empty(5), stream(words, 'clean'), ...empty(5)], promised, { method: 'GET', ...failed }).kind).toBe(
      'pass',
    )
  })

  test('is bounded by progress', () => {
    const empty = Array.from({ length: 50 }, (_, index) => stream([], 'clean', { at: index * 500 }))
    expect(gist(judgedStreams(empty, {}, { method: 'GET', outcome: unsettled() }))).toBe(
      'fail: the client was still reconnecting after 50 streams without an event',
    )
    expect(judgedStreams(empty, {}, { method: 'GET', ...failed }).kind).toBe('pass')
  })
})

test('a client that consumes no streams is not judged', () => {
  expect(gist(judgedAttempts('streaming', [{ status: 200 }]))).toBe(
    'not-applicable: the client is not declared to consume streams (streaming: true)',
  )
  const played = judgedAttempts('streaming', [stream(words, 'reset'), stream(words, 'clean')], {}, done)
  expect(played.kind).toBe('not-applicable')
  const streaming = trialOf({ attempts: [{ status: 200 }], client: { streaming: true } })
  expect(judged('streaming', streaming).kind).toBe('inconclusive')
})
