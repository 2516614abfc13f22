import { describe, expect, test } from 'vitest'
import { rejected, trialOf, unsettled } from '../support/make-trial.js'
import { gist, judged, judgedAttempts, reasonOf, rulesOf } from './support.js'

describe('a re-send after a permanent answer', () => {
  test('fails, naming the attempt, the answer and the wait', () => {
    const verdict = judgedAttempts('permanence', [{ status: 404 }, { at: 512, status: 404 }])
    expect(gist(verdict)).toBe('fail: attempt 2 repeated the POST 512 ms after a 404')
    expect(reasonOf(verdict)).toMatchObject({
      rule: 'CLS-03',
      level: 'must',
      attempt: 2,
      expected: 'no attempt after a 404',
      received: 'attempt 2 at 512 ms',
      mark: 're-sent after a 404',
    })
  })

  test('fails too when the permanent answer is not the first', () => {
    const verdict = judgedAttempts('permanence', [{ status: 503 }, { at: 100, status: 400 }, { at: 200, status: 200 }])
    expect(rulesOf(verdict)).toEqual(['fail CLS-15'])
    expect(gist(verdict)).toBe('fail: attempt 3 repeated the POST 100 ms after a 400')
  })

  test('fails by the code of the body, for a client of that vendor', () => {
    const attempts = [
      { status: 429, answer: { error: { code: 'credit_balance_exhausted' } } },
      { at: 500, status: 200 },
    ]
    expect(gist(judgedAttempts('permanence', attempts, { preset: 'openai' }))).toBe(
      'fail: attempt 2 repeated the POST 500 ms after a 429 with code credit_balance_exhausted',
    )
    expect(judgedAttempts('permanence', attempts).kind).toBe('inconclusive')
    expect(judgedAttempts('permanence', attempts, { strict: true }).kind).toBe('fail')
  })

  test('fails after a refused key', () => {
    expect(
      rulesOf(
        judgedAttempts('permanence', [
          { status: 422, ledger: 'mismatch' },
          { at: 1, status: 200 },
        ]),
      ),
    ).toEqual(['fail IDM-08'])
  })

  test('is a matter of the contract for 501', () => {
    const attempts = [{ status: 501 }, { at: 500, status: 200 }]
    expect(judgedAttempts('permanence', attempts).kind).toBe('inconclusive')
    expect(judgedAttempts('permanence', attempts, { strict: true }).kind).toBe('fail')
  })
})

describe('sound clients', () => {
  test('stop at the permanent answer', () => {
    expect(gist(judgedAttempts('permanence', [{ status: 404 }]))).toBe('pass: attempt 1, answered a 404, was the last')
  })

  test('refresh a token after 401, once', () => {
    const before = { authorization: 'Bearer old' }
    const refreshed = judgedAttempts('permanence', [
      { status: 401, requestHeaders: before },
      { path: '/token', status: 200 },
      { status: 200, requestHeaders: { authorization: 'Bearer new' } },
    ])
    expect(rulesOf(refreshed)).toEqual(['inconclusive CLS-02'])
    const refused = judgedAttempts('permanence', [
      { status: 401, requestHeaders: before },
      { path: '/token', status: 200 },
      { status: 401, requestHeaders: { authorization: 'Bearer new' } },
    ])
    expect(rulesOf(refused)).toEqual(['pass CLS-02', 'inconclusive CLS-02'])
  })

  test('read before they write: another request is no repetition', () => {
    const verdict = judgedAttempts('permanence', [{ method: 'GET', path: '/models', status: 404 }, { status: 200 }])
    expect(verdict.kind).toBe('pass')
  })

  test('may have sent an attempt before the answer came', () => {
    const verdict = judgedAttempts('permanence', [
      { status: 404, headersAt: 300 },
      { at: 100, status: 404, headersAt: 300 },
    ])
    expect(rulesOf(verdict)).toEqual(['pass CLS-03', 'pass CLS-03'])
  })
})

test('a second 401 is final, whatever the credential', () => {
  const verdict = judgedAttempts('permanence', [
    { status: 401, requestHeaders: { authorization: 'a' } },
    { status: 401, requestHeaders: { authorization: 'b' } },
    { status: 200, requestHeaders: { authorization: 'c' } },
  ])
  expect(gist(verdict)).toBe('fail: attempt 3 repeated the POST 0 ms after a 401')
})

test('the same credential again is a repetition', () => {
  expect(gist(judgedAttempts('permanence', [{ status: 401 }, { at: 5, status: 401 }]))).toBe(
    'fail: attempt 2 repeated the POST 5 ms after a 401',
  )
})

test('without a permanent answer nothing is shown', () => {
  expect(gist(judgedAttempts('permanence', [{ status: 503 }, { status: 200 }]))).toBe(
    'inconclusive: no permanent answer was served, so there was nothing not to repeat; put a 404 or a 400 into the schedule',
  )
})

test('an unsettled call may still be going to repeat', () => {
  expect(judgedAttempts('permanence', [{ status: 404 }], {}, { outcome: unsettled() }).kind).toBe('inconclusive')
})

test('attempts of several calls that cannot be attributed are no repetition of one another', () => {
  const trial = trialOf({
    attempts: [
      { call: null, status: 404 },
      { call: null, status: 404 },
    ],
    calls: [{ outcome: rejected() }, { outcome: rejected() }],
  })
  expect(judged('permanence', trial).kind).toBe('inconclusive')
})
