import { describe, expect, test } from 'vitest'
import { bandOf } from '../../src/guarantees/backoff-band.js'
import { type Contract, PRESET_NAMES } from '../../src/guarantees/contract.js'
import { ContractError, resolveContract } from '../../src/guarantees/resolve.js'

const refused = (contract: unknown): string => {
  try {
    resolveContract(contract as Contract)
  } catch (error) {
    if (error instanceof ContractError) return error.message
    throw error
  }
  throw new Error('the contract was accepted')
}

describe('a wrong contract is refused by place, expectation and value', () => {
  test.each<[string, unknown, string]>([
    ['a negative cap', { retryAfter: { capMs: -1 } }, 'contract.retryAfter.capMs: expected a number of ms >= 0, received -1'],
    ['no attempts', { maxAttempts: 0 }, 'contract.maxAttempts: expected an integer >= 1, received 0'],
    ['half an attempt', { maxAttempts: 1.5 }, 'contract.maxAttempts: expected an integer >= 1, received 1.5'],
    ['a deadline of no time', { deadlineMs: 0 }, 'contract.deadlineMs: expected a number of ms > 0, received 0'],
    ['NaN', { deadlineMs: Number.NaN }, 'contract.deadlineMs: expected a number of ms > 0, received NaN'],
    [
      'a status that is none',
      { permanent: [404, 700] },
      'contract.permanent[1]: expected a status from 100 to 599, received 700',
    ],
    ['a stage that is none', { stages: [2, 6] }, 'contract.stages[1]: expected a stage from 1 to 5, received 6'],
    ['a classifier that is none', { classify: 404 }, 'contract.classify: expected a function of an attempt'],
    ['no object', 'openai', 'contract: expected an object such as { maxAttempts: 4 }, received "openai"'],
    ['a backoff without a base', { backoff: {} }, 'contract.backoff.baseMs: expected a number of ms >= 0, received nothing'],
    [
      'an unknown preset',
      { preset: 'openia' },
      'contract.preset: expected one of "strict", "openai", "anthropic", "stripe", "aws-standard", "google", "github", "azure", received "openia"; did you mean "openai"?',
    ],
    [
      'an unknown key',
      { retryAfter: { capMS: 1 } },
      'contract.retryAfter.capMS: unknown key; did you mean "capMs"? (allowed: capMs, overCap, headers)',
    ],
    [
      'a kind that is none',
      { transient: ['rest'] },
      'contract.transient[0]: expected a status or one of "timeout", "reset", "reset-early", "reset-headers", "reset-body", "close", "hang", "refuse", "garbage", "informational", received "rest"',
    ],
    [
      'a jitter that is none',
      { backoff: { baseMs: 1, jitter: 'some' } },
      'contract.backoff.jitter: expected "none", "full", "equal", "decorrelated" or { min, max }, received "some"',
    ],
    [
      'a band upside down',
      { backoff: { baseMs: 1, jitter: { min: 2, max: 1 } } },
      'contract.backoff.jitter.min: expected at most max (1), received 2',
    ],
    [
      'a cap below the base',
      { backoff: { baseMs: 10, capMs: 5 } },
      'contract.backoff.capMs: expected at least baseMs (10), received 5',
    ],
    [
      'a status in both lists',
      { permanent: [404], transient: [404, 503] },
      'contract.transient: expected no status of contract.permanent, received 404',
    ],
    [
      'a deadline kept by a signal that is none',
      { deadlineBy: 'signal' },
      'contract.deadlineBy: expected contract.deadlineMs beside it, received only "signal"',
    ],
  ])('%s', (_name, contract, message) => {
    expect(refused(contract)).toBe(message)
  })

  test('every issue has a line of its own', () => {
    expect(refused({ maxAttempts: 0, deadlineMs: -1 }).split('\n')).toHaveLength(2)
  })
})

describe('presets', () => {
  test.each(PRESET_NAMES)('%s resolves, and resolving twice changes nothing', (preset) => {
    const once = resolveContract({ preset })
    expect(resolveContract(once)).toEqual(once)
  })

  test('what the contract says itself wins over its preset, inside nested promises too', () => {
    const contract = resolveContract({ preset: 'openai', maxAttempts: 5, backoff: { baseMs: 250 }, transient: [503] })
    expect(contract).toMatchObject({
      maxAttempts: 5,
      transient: [503],
      retryAfter: { headers: ['retry-after-ms', 'retry-after'] },
    })
    expect(contract.backoff).toEqual({ baseMs: 250, factor: 2, capMs: 8_000, jitter: { min: 0.75, max: 1 } })
  })

  test('header names are compared in lower case', () => {
    const contract = resolveContract({ idempotency: { header: 'Idempotency-Key' }, shouldRetryHeader: 'X-Should-Retry' })
    expect(contract).toEqual({ idempotency: { header: 'idempotency-key' }, shouldRetryHeader: 'x-should-retry' })
  })

  test('without a contract nothing is promised', () => {
    expect(resolveContract()).toEqual({})
  })
})

/** A wait that doubles, is cut down to its cap, and then loses or gains by jitter: what the SDKs of two languages do. */
const language = (baseMs: number, capMs: number, min: number, max: number) => (resend: number) => {
  const nominalMs = Math.min(baseMs * 2 ** (resend - 1), capMs)
  return { lowMs: min * nominalMs, highMs: Math.min(max * nominalMs, capMs) }
}

test.each([
  ['JavaScript, half to whole of 1 s up to 64 s', language(1_000, 64_000, 0.5, 1)],
  ['.NET, 80 to 120 % of 0.8 s up to 60 s', language(800, 60_000, 0.8, 1.2)],
])('the azure preset holds the waits of %s', (_name, bandOfLanguage) => {
  const { backoff } = resolveContract({ preset: 'azure' })
  for (let resend = 1; resend <= 12; resend++) {
    const promised = bandOf(backoff!, resend, null)
    const { lowMs, highMs } = bandOfLanguage(resend)
    expect([promised.lowMs <= lowMs, promised.highMs >= highMs], `re-send ${resend}`).toEqual([true, true])
  }
})
