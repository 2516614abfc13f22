import { describe, expect, test } from 'vitest'
import { type AttemptSketch, type CallSketch, rejected, resolved, trialOf, unsettled } from '../support/make-trial.js'
import { gist, judged, reasonOf, rulesOf } from './support.js'

const waiting: AttemptSketch = { status: 503, headers: { 'Retry-After': '4' } }
const outcome = rejected('AbortError')
const aborted = (attempts: readonly AttemptSketch[], call: CallSketch, clock: 'virtual' | 'real' = 'virtual') =>
  trialOf({ attempts, calls: [{ outcome, ...call }], record: { clock } })

describe('during a wait', () => {
  test('a prompt rejection passes', () => {
    expect(gist(judged('abort', aborted([waiting], { abortedAt: 300, settledAt: 300 })))).toBe(
      'pass: the call rejected 0 ms after the caller aborted during a wait, and sent nothing more',
    )
    expect(judged('abort', aborted([waiting], { abortedAt: 300, settledAt: 400 })).kind).toBe('pass')
  })

  test('waiting on fails', () => {
    const verdict = judged('abort', aborted([waiting], { abortedAt: 300, settledAt: 4_000 }))
    expect(gist(verdict)).toBe('fail: the call settled 3 700 ms after the caller aborted during a wait')
    expect(reasonOf(verdict)).toMatchObject({
      rule: 'DDL-04',
      expected: 'settled within 100 ms',
      received: 'settled after 3 700 ms',
    })
    expect(judged('abort', aborted([waiting], { abortedAt: 300, settledAt: 401 })).kind).toBe('fail')
  })

  test('another attempt fails', () => {
    const verdict = judged(
      'abort',
      aborted([waiting, { at: 4_000, status: 200, afterSettling: true }], { abortedAt: 300, settledAt: 300 }),
    )
    expect(gist(verdict)).toBe('fail: attempt 2 came 3 700 ms after the caller had aborted during a wait')
    expect(reasonOf(verdict).mark).toBe('after the abort')
  })

  test('never settling fails', () => {
    expect(gist(judged('abort', aborted([waiting], { abortedAt: 300, outcome: unsettled() })))).toBe(
      'fail: the call never settled after the caller aborted during a wait',
    )
  })

  test('resolving all the same fails', () => {
    expect(gist(judged('abort', aborted([waiting], { abortedAt: 300, settledAt: 350, outcome: resolved(503) })))).toBe(
      'fail: the call resolved although the caller aborted during a wait',
    )
  })
})

test('during an attempt', () => {
  const hang: AttemptSketch = { fault: 'hang', hungUpAt: 300 }
  expect(gist(judged('abort', aborted([hang], { abortedAt: 300, settledAt: 300 })))).toBe(
    'pass: the call rejected 0 ms after the caller aborted during attempt 1, and sent nothing more',
  )
  expect(rulesOf(judged('abort', aborted([{ fault: 'hang' }], { abortedAt: 300, outcome: unsettled() })))).toEqual([
    'fail DDL-05',
  ])
})

test('during a body', () => {
  const stalled: AttemptSketch = { status: 200, headersAt: 100, hungUpAt: 300 }
  expect(gist(judged('abort', aborted([stalled], { abortedAt: 300, settledAt: 300 })))).toBe(
    'pass: the call rejected 0 ms after the caller aborted during the body of attempt 1, and sent nothing more',
  )
})

describe('before the call', () => {
  test('nothing sent passes', () => {
    expect(judged('abort', aborted([], { abortedAt: 0, settledAt: 0 })).kind).toBe('pass')
  })

  test('an attempt fails', () => {
    const verdict = judged('abort', aborted([{ status: 200 }], { abortedAt: 0, settledAt: 0 }))
    expect(gist(verdict)).toBe('fail: attempt 1 came 0 ms after the caller had aborted before the call')
    expect(reasonOf(verdict).rule).toBe('DDL-06')
  })
})

describe('shows nothing', () => {
  test('when the call had settled before', () => {
    expect(gist(judged('abort', aborted([{ status: 503 }], { abortedAt: 300, settledAt: 0 })))).toBe(
      'inconclusive: the call had settled before it was aborted',
    )
  })

  test('when the answer and the abort come in the same instant', () => {
    const call = { abortedAt: 300, settledAt: 300, outcome: resolved(200) }
    expect(judged('abort', aborted([{ status: 200, headersAt: 300 }], call)).kind).toBe('inconclusive')
  })

  test('about promptness on the real clock', () => {
    expect(judged('abort', aborted([waiting], { abortedAt: 300, settledAt: 4_000 }, 'real')).kind).toBe('inconclusive')
  })

  test('when nobody aborted', () => {
    expect(gist(judged('abort', trialOf({ attempts: [waiting] })))).toBe(
      "inconclusive: no call was aborted while it was under way; use `abort: 'during-wait'` or `abortAtMs`",
    )
  })

  test('of a client that takes no signal, which the contract may say', () => {
    const trial = trialOf({ attempts: [waiting], calls: [{ abortedAt: 300, settledAt: 4_000 }], client: { takesSignal: false } })
    expect(gist(judged('abort', trial))).toBe('inconclusive: the client takes no signal')
    expect(judged('abort', trial, { abort: false }).kind).toBe('not-applicable')
  })
})
