import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { guarantees } from '../../src/guarantees/index.js'
import { judge } from '../../src/guarantees/judge.js'
import { GUARANTEE_IDS } from '../../src/guarantees/model.js'
import { ContractError } from '../../src/guarantees/resolve.js'
import { FAULT_KINDS } from '../../src/schedule/model.js'
import type { LedgerMark, Outcome } from '../../src/trace/model.js'
import { type AttemptSketch, rejected, resolved, trialOf, unsettled } from '../support/make-trial.js'

const kindsOf = (verdicts: ReturnType<typeof judge>) =>
  Object.fromEntries(verdicts.map(({ guarantee, kind }) => [guarantee, kind]))

test('the registry has every guarantee under its own id', () => {
  expect(Object.entries(guarantees).map(([id, guarantee]) => [id, guarantee.id])).toEqual(GUARANTEE_IDS.map((id) => [id, id]))
})

describe('judge', () => {
  const recovered = trialOf({
    attempts: [
      { status: 503, headers: { 'Retry-After': '2' } },
      { at: 2_000, status: 200 },
    ],
  })

  test('gives one verdict for each guarantee, and what is not promised is not applicable', () => {
    expect(kindsOf(judge(recovered))).toEqual({
      permanence: 'inconclusive',
      transience: 'not-applicable',
      hint: 'pass',
      deadline: 'not-applicable',
      dedup: 'inconclusive',
      key: 'pass',
      'unsafe-replay': 'pass',
      body: 'pass',
      attempts: 'inconclusive',
      backoff: 'not-applicable',
      abort: 'inconclusive',
      intact: 'inconclusive',
      leftovers: 'pass',
      isolation: 'inconclusive',
      streaming: 'not-applicable',
      layers: 'not-applicable',
    })
  })

  test('judges what is asked for by name, promised or not', () => {
    expect(kindsOf(judge([recovered], {}, ['transience', 'backoff']))).toEqual({ transience: 'pass', backoff: 'inconclusive' })
  })

  test('judges the stages that the contract asks for', () => {
    const verdicts = judge(recovered, { stages: [3] })
    expect(verdicts.find(({ guarantee }) => guarantee === 'hint')?.reasons[0]?.text).toBe('the contract asks for stages 3 only')
    expect(kindsOf(verdicts).key).toBe('pass')
  })

  test('fills in the preset', () => {
    const early = trialOf({
      attempts: [
        { status: 429, headers: { 'retry-after-ms': '250' } },
        { at: 10, status: 200 },
      ],
    })
    expect(kindsOf(judge(early)).hint).toBe('inconclusive')
    expect(kindsOf(judge(early, { preset: 'openai' })).hint).toBe('fail')
  })

  test('refuses a contract that cannot be', () => {
    expect(() => judge(recovered, { maxAttempts: -1 })).toThrow(ContractError)
  })
})

const MARKS: readonly LedgerMark[] = ['none', 'new', 'replay', 'in-progress', 'reject', 'mismatch', 'duplicate']
const OUTCOMES: readonly Outcome[] = [resolved(200), resolved(503), rejected(), unsettled('a timer'), { kind: 'unobserved' }]
const HEADERS: readonly Record<string, string | readonly string[]>[] = [
  {},
  { 'retry-after': '2' },
  { 'retry-after': 'soon' },
  { 'retry-after': ['1', '3'] },
  { 'retry-after': '1e9' },
  { 'retry-after': '3000000' },
]
const ms = fc.integer({ min: 0, max: 100_000 })
const perhaps = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const anyAttempt: fc.Arbitrary<AttemptSketch> = fc.record({
  at: perhaps(ms),
  status: perhaps(fc.constantFrom(200, 204, 302, 400, 401, 403, 404, 409, 413, 429, 500, 501, 503, 599)),
  fault: perhaps(fc.constantFrom(...FAULT_KINDS)),
  headersAt: fc.option(ms),
  endedAt: fc.option(ms),
  hungUpAt: fc.option(ms),
  headers: fc.constantFrom(...HEADERS),
  answer: perhaps(fc.json()),
  complete: perhaps(fc.boolean()),
  call: fc.option(fc.integer({ min: 0, max: 2 })),
  method: perhaps(fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'BREW')),
  path: perhaps(fc.constantFrom('/v1/chat', '/token')),
  key: perhaps(fc.constantFrom('k-1', 'k-2', '', null)),
  body: perhaps(fc.string({ maxLength: 5 })),
  requestComplete: perhaps(fc.boolean()),
  step: perhaps(
    fc.constantFrom(
      null,
      { status: 200, stream: { events: [{ data: 'x', id: '1', retryMs: 5 }] } },
      { status: 200, json: 'malformed' as const },
    ),
  ),
  ledger: perhaps(fc.constantFrom(...MARKS)),
  afterSettling: perhaps(fc.boolean()),
})

const anyTrial = fc
  .record({
    attempts: fc.array(anyAttempt, { maxLength: 8 }),
    calls: fc.array(fc.record({ outcome: fc.constantFrom(...OUTCOMES), abortedAt: fc.option(ms), settledAt: fc.option(ms) }), {
      maxLength: 3,
    }),
    schedule: fc.constantFrom(null, '[503]', '[{"status":503,"retryAfter":"soon"}]', 'not JSON', '{"steps":[null]}'),
    clock: fc.constantFrom('virtual' as const, 'real' as const),
  })
  .map(({ attempts, calls, schedule, clock }) => trialOf({ attempts, calls, record: { schedule, clock } }))

test('judge throws on no trial, and gives every verdict a reason that points into the trials', () => {
  const contract = {
    strict: true,
    deadlineMs: 5_000,
    maxAttempts: 3,
    attemptTimeoutMs: 1_000,
    backoff: { baseMs: 100, jitter: 'decorrelated' },
    retryAfter: { capMs: 1_000, overCap: 'wait' },
    transient: [429, 503, 'reset', 'timeout'],
    budget: { tokens: 2 },
  } as const
  fc.assert(
    fc.property(fc.array(anyTrial, { maxLength: 3 }), fc.constantFrom({}, contract), (trials, promised) => {
      for (const { reasons } of judge(trials, promised, GUARANTEE_IDS)) {
        expect(reasons.length).toBeGreaterThan(0)
        for (const { trial, attempt, text } of reasons) {
          expect(text).not.toMatch(/undefined|NaN|\[object/)
          if (attempt !== null) expect(trials[trial]?.attempts.map(({ number }) => number)).toContain(attempt)
        }
      }
    }),
    { seed: 1, numRuns: 400 },
  )
})
