import { expect, test } from 'vitest'
import { loadTrial, TraceFormatError } from '../../src/trace/load.js'
import type { Outcome, Trial } from '../../src/trace/model.js'
import { rejected, resolved, trialOf } from '../support/make-trial.js'

const through = (trial: Trial) => loadTrial(JSON.parse(JSON.stringify(trial)), () => 'drawn')

// Functions are equal only to themselves; what they answer is asserted apart.
const data = ({ timeline: _timeline, toJSON: _toJSON, ledger, ...rest }: Trial) => ({
  ...rest,
  ledger: { dedup: ledger.dedup, entries: ledger.entries, applied: ledger.applied },
})

test('a trial that went through JSON is the same trial', () => {
  const trial = trialOf({
    attempts: [
      { status: 429, headers: { 'Retry-After': ['1', '3'] }, answer: { error: { code: 'slow_down' } } },
      { at: 1000, fault: 'reset', ledger: 'new' },
      { at: 2000, fault: 'hang', hungUpAt: 5000 },
      { at: 6000, status: 200, answer: 'é\u0000' },
    ],
    outcome: { kind: 'resolved', value: { ok: true }, status: 200, body: 'é', bodyBytes: new Uint8Array([0, 255]) },
    leftovers: { timers: [{ dueAtMs: 1, delayMs: 2, repeats: false, refed: true, origin: 'f (a.ts:1:1)', byUserCode: true }] },
    record: {
      timerOverflows: [{ atMs: 1, requestedMs: Number.NaN, origin: 'f' }],
      foreignConnections: [{ atMs: 1, host: 'h', port: 80, refused: true }],
      unplayed: [{ status: 200 }],
    },
  })
  const again = through(trial)
  expect(data(again)).toEqual(data(trial))
  expect(again.ledger.appliedUnder('k-1')).toBe(1)
  expect(again.timeline()).toBe('drawn')
})

test('a rejection keeps the name, message, code and cause of its error', () => {
  const error = Object.assign(new TypeError('fetch failed', { cause: new Error('closed') }), { code: 'ECONNRESET' })
  const trial = trialOf({ attempts: [{ fault: 'reset' }], outcome: { kind: 'rejected', error, phase: 'call' } })
  const { outcome } = through(trial)
  expect(outcome).toMatchObject({ kind: 'rejected', phase: 'call' })
  expect((outcome as { error: Error }).error).toMatchObject({
    name: 'TypeError',
    message: 'fetch failed',
    code: 'ECONNRESET',
    cause: { name: 'Error', message: 'closed' },
  })
})

test.each<Outcome>([
  { kind: 'resolved', value: undefined },
  { kind: 'rejected', error: undefined, phase: 'call' },
  { kind: 'unsettled', reason: 'deadlock', pending: ['a socket'] },
  { kind: 'unobserved' },
])('the outcome %j stays what it is', (outcome) => {
  expect(through(trialOf({ attempts: [{ status: 200 }], outcome })).outcome).toEqual(outcome)
})

test('a value that JSON has no word for is named instead', () => {
  const loop: Record<string, unknown> = { response: new Response('x'), big: 10n, bytes: new Uint8Array([1]) }
  loop.self = loop
  const trial = trialOf({ attempts: [{ status: 200 }], outcome: resolved(200, loop) })
  expect(through(trial).outcome).toMatchObject({
    value: {
      response: { $opaque: 'Response' },
      big: { $opaque: 'bigint' },
      bytes: { $base64: 'AQ==' },
      self: { $opaque: 'circular' },
    },
  })
})

interface SpoiledTrace {
  attempts: object[]
  calls?: object
}

test.each<[(trace: SpoiledTrace) => unknown, string]>([
  [(trace: SpoiledTrace) => Object.assign(trace, { format: 'har' }), 'trace.format: Invalid input: expected "retrial-trace"'],
  [(trace: SpoiledTrace) => Object.assign(trace, { version: 2 }), 'trace.version: Invalid input: expected 1'],
  [
    (trace: SpoiledTrace) => Object.assign(trace.attempts[1]!, { arrivedAtMs: 'soon' }),
    'trace.attempts[1].arrivedAtMs: Invalid input: expected number, received string',
  ],
  [(trace: SpoiledTrace) => delete trace.calls, 'trace.calls: Invalid input: expected array, received undefined'],
])('a trace that cannot be read is refused with the place %#', (spoil, message) => {
  const trace = JSON.parse(JSON.stringify(trialOf({ attempts: [{ status: 503 }, { status: 200 }], outcome: rejected() })))
  spoil(trace)
  expect(() => loadTrial(trace, () => '')).toThrow(new TraceFormatError(message))
})

test('what is no object at all is refused too', () => {
  expect(() => loadTrial('[]', () => '')).toThrow('trace: Invalid input: expected object, received string')
})
