import { describe, expect, test } from 'vitest'
import { classify } from '../../src/guarantees/classification.js'
import type { Contract } from '../../src/guarantees/contract.js'
import { resolveContract } from '../../src/guarantees/resolve.js'
import { type AttemptSketch, trialOf } from '../support/make-trial.js'

const classed = (sketch: AttemptSketch, contract: Contract = {}): string => {
  const [attempt] = trialOf({ attempts: [sketch] }).attempts
  if (attempt === undefined) throw new Error('no attempt')
  const found = classify(attempt, resolveContract(contract))
  return found.class === 'permanent' ? `${found.class} ${found.level} ${found.rule}` : found.class
}

describe('by status', () => {
  test.each([400, 401, 402, 403, 404, 405, 406, 410, 411, 414, 415, 422, 431, 451])('%i is permanent', (status) => {
    expect(classed({ status })).toMatch(/^permanent must CLS-0[1-4]$/)
  })

  test.each([413, 501, 505])('%i should be permanent', (status) => {
    expect(classed({ status })).toMatch(/^permanent should CLS-(05|10)$/)
  })

  test.each([200, 204, 301, 304, 408, 409, 421, 423, 425, 507, 520, 529])('%i is not judged', (status) => {
    expect(classed({ status })).toBe('unjudged')
  })

  test.each([429, 500, 502, 503, 504])('%i is transient', (status) => {
    expect(classed({ status })).toBe('transient')
  })

  test.each<[string, AttemptSketch]>([
    ['413 with a hint', { status: 413, headers: { 'Retry-After': '1' } }],
    ['403 with a hint', { status: 403, headers: { 'Retry-After': '60' } }],
    ['403 with a used-up limit', { status: 403, headers: { 'X-RateLimit-Remaining': '0' } }],
    ['a 404 that broke off', { status: 404, complete: false }],
  ])('%s is not judged', (_name, sketch) => {
    expect(classed(sketch)).toBe('unjudged')
  })

  test('403 with a limit that is not used up is permanent', () => {
    expect(classed({ status: 403, headers: { 'X-RateLimit-Remaining': '12' } })).toBe('permanent must CLS-02')
  })
})

describe('by fault', () => {
  test.each(['reset', 'close', 'refuse'] as const)('%s is transient', (fault) => {
    expect(classed({ fault })).toBe('transient')
  })

  test.each(['reset-early', 'reset-headers', 'garbage', 'informational'] as const)(
    '%s is not judged unless it is listed',
    (fault) => {
      expect(classed({ fault })).toBe('unjudged')
      expect(classed({ fault }, { transient: [fault] })).toBe('transient')
    },
  )

  test('a time-out is transient only where the contract promises one', () => {
    const hang: AttemptSketch = { fault: 'hang', hungUpAt: 1_000 }
    expect(classed(hang)).toBe('unjudged')
    expect(classed(hang, { attemptTimeoutMs: 1_000 })).toBe('transient')
    expect(classed(hang, { transient: ['timeout'] })).toBe('transient')
    expect(classed(hang, { transient: ['hang'] })).toBe('transient')
    expect(classed(hang, { transient: [503] })).toBe('unjudged')
  })
})

describe('by the lists of the contract', () => {
  test('a given list replaces the default one', () => {
    expect(classed({ status: 404 }, { permanent: [400] })).toBe('unjudged')
    expect(classed({ status: 409 }, { permanent: [409] })).toBe('permanent must CLS-04')
    expect(classed({ status: 500 }, { transient: [503] })).toBe('unjudged')
  })

  test('what a contract calls transient is not permanent by default', () => {
    expect(classed({ status: 404 }, { transient: [404] })).toBe('transient')
  })

  test('its classifier has the first word, and may leave it to the lists', () => {
    const classify: Contract['classify'] = ({ status }) =>
      status === 404 ? 'transient' : status === 500 ? 'permanent' : undefined
    expect(classed({ status: 404 }, { classify })).toBe('transient')
    expect(classed({ status: 500 }, { classify })).toBe('permanent must CLS-04')
    expect(classed({ status: 400 }, { classify })).toBe('permanent must CLS-01')
  })

  test('the Azure preset judges no 4xx that carries Retry-After', () => {
    expect(classed({ status: 404, headers: { 'Retry-After': '1' } }, { preset: 'azure' })).toBe('unjudged')
    expect(classed({ status: 404 }, { preset: 'azure' })).toBe('permanent must CLS-03')
  })
})

describe("by the server's word", () => {
  test('x-should-retry counts only for a contract that speaks it', () => {
    const go: AttemptSketch = { status: 400, headers: { 'x-should-retry': 'true' } }
    const stop: AttemptSketch = { status: 503, headers: { 'x-should-retry': 'false' } }
    expect(classed(go)).toBe('permanent must CLS-01')
    expect(classed(stop)).toBe('transient')
    expect(classed(go, { preset: 'openai' })).toBe('unjudged')
    expect(classed(stop, { preset: 'openai' })).toBe('permanent must CLS-16')
  })

  const outOfMoney: AttemptSketch = { status: 429, answer: { error: { code: 'credit_balance_exhausted', message: 'no funds' } } }

  test('a 429 whose code says out of money should not be repeated; must not by a client of that vendor', () => {
    expect(classed(outOfMoney)).toBe('permanent should CLS-12')
    expect(classed(outOfMoney, { preset: 'openai' })).toBe('permanent must CLS-12')
    expect(classed(outOfMoney, { permanentCodes: ['credit_balance_exhausted'] })).toBe('permanent must CLS-12')
  })

  test('a listed code makes any error permanent', () => {
    const refused: AttemptSketch = { status: 503, answer: { error: { code: 'account_closed' } } }
    expect(classed(refused)).toBe('transient')
    expect(classed(refused, { permanentCodes: ['account_closed'] })).toBe('permanent must CLS-12')
  })

  test('the text of a message decides nothing', () => {
    const prose: AttemptSketch = {
      status: 429,
      answer: { error: { code: 'rate_limit_exceeded', message: 'insufficient_quota' } },
    }
    expect(classed(prose)).toBe('transient')
  })
})
