import { expect, test } from 'vitest'
import type { AttemptSketch } from '../support/make-trial.js'
import { gist, judgedAttempts, reasonOf } from './support.js'

const failures = (count: number, header?: (index: number) => Record<string, string>): AttemptSketch[] =>
  Array.from({ length: count }, (_, index) => ({ at: index * 100, status: 503, requestHeaders: header?.(index) ?? {} }))

test('attempts that multiply fail under strict, as the product they are', () => {
  expect(judgedAttempts('layers', failures(12), { maxAttempts: 4 }).kind).toBe('inconclusive')
  const verdict = judgedAttempts('layers', failures(12), { maxAttempts: 4, strict: true })
  expect(gist(verdict)).toBe('fail: 3 × 4 = 12 requests for one call: layers of retries multiply')
  expect(reasonOf(verdict)).toMatchObject({ rule: 'BUD-03', level: 'should', attempt: 5, expected: '≤ 4 attempts' })
})

test('a number that is no product is only too large', () => {
  expect(gist(judgedAttempts('layers', failures(7), { maxAttempts: 4, strict: true }))).toBe(
    'fail: 7 requests for one call, promised are at most 4',
  )
})

test('an inner layer that counts anew gives itself away', () => {
  const counted = failures(6, (index) => ({ 'x-stainless-retry-count': String(index % 3) }))
  expect(gist(judgedAttempts('layers', counted, { strict: true }))).toBe(
    'fail: an inner layer of retries began to count anew at attempt 4: 2 rounds in 6 attempts',
  )
  const rising = failures(3, (index) => ({ 'amz-sdk-request': `attempt=${index + 1}; max=3` }))
  expect(judgedAttempts('layers', rising, { maxAttempts: 3, strict: true }).kind).toBe('pass')
})

test('as many as promised pass', () => {
  expect(gist(judgedAttempts('layers', failures(4), { maxAttempts: 4 }))).toBe(
    'pass: one call became 4 attempts in all its layers',
  )
})

test('a success shows nothing', () => {
  expect(judgedAttempts('layers', [{ status: 503 }, { status: 200 }], { maxAttempts: 4 }).kind).toBe('inconclusive')
})

test('without a promised number it is not judged', () => {
  expect(gist(judgedAttempts('layers', failures(12)))).toBe('not-applicable: the contract promises no number of attempts')
})
