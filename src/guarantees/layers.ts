import type { Attempt, Trial } from '../trace/model.js'
import { judgeBudget } from './budget.js'
import type { Contract } from './contract.js'
import { judgeDoomedJobs } from './doomed-jobs.js'
import type { Reason } from './model.js'
import { judgeRecoveryUnderLoad } from './recovery.js'
import { defineGuarantee, eachTrial, fail, inconclusive, pass } from './verdict.js'
import { attemptsOf, attributedOperations, callOf, isUnsettled, succeeded } from './wire.js'
import { plural } from './words.js'

/** Headers in which retry layers count; a value that falls within one operation belongs to a layer that was started again. */
const COUNTERS = ['x-stainless-retry-count', 'grpc-previous-rpc-attempts', 'amz-sdk-request'] as const

function countOf({ headers }: Attempt, counter: string): number | null {
  const digits = /(?:^|attempt=)(\d+)/.exec(headers[counter] ?? '')?.[1]
  return digits === undefined ? null : Number(digits)
}

/** Attempt numbers at which an inner layer began to count anew. */
function restarts(attempts: readonly Attempt[]): readonly number[] {
  return COUNTERS.flatMap((counter) =>
    attempts.flatMap((attempt, position) => {
      const before = attempts[position - 1]
      const [was, is] = [before === undefined ? null : countOf(before, counter), countOf(attempt, counter)]
      return was !== null && is !== null && is < was ? [attempt.number] : []
    }),
  )
}

/** "3 × 4 = 12 requests for one call": what the number may be the product of, when one of the layers makes the promised attempts. */
function amplification(count: number, max: number): string {
  const requests = `${plural(count, 'request')} for one call`
  return count % max === 0
    ? `${count / max} × ${max} = ${requests}: layers of retries multiply`
    : `${requests}, promised are at most ${max}`
}

function judgeOperation(trial: Trial, attempts: readonly Attempt[], { maxAttempts }: Contract, index: number): Reason[] {
  const last = attempts.at(-1)
  if (last === undefined) return []
  const at = { rule: 'BUD-03', trial: index } as const
  const anew = restarts(attempts)
  if (anew[0] !== undefined) {
    return [
      fail({
        ...at,
        attempt: anew[0],
        text: `an inner layer of retries began to count anew at attempt ${anew[0]}: ${anew.length + 1} rounds in ${plural(attempts.length, 'attempt')}`,
        expected: 'one layer that retries',
        received: `${anew.length + 1} rounds of an inner layer`,
        mark: 'counts anew',
      }),
    ]
  }
  if (maxAttempts === undefined) return []
  if (attempts.length > maxAttempts) {
    return [
      fail({
        ...at,
        attempt: attempts[maxAttempts]?.number,
        text: amplification(attempts.length, maxAttempts),
        expected: `≤ ${plural(maxAttempts, 'attempt')}`,
        received: plural(attempts.length, 'attempt'),
        mark: `more than ${plural(maxAttempts, 'attempt')}`,
      }),
    ]
  }
  const count = plural(attempts.length, 'attempt')
  if (succeeded(last) || isUnsettled(callOf(trial, last)))
    return [inconclusive({ ...at, attempt: last.number, text: `the call ended after ${count} before any bound was reached` })]
  return [pass({ ...at, attempt: last.number, text: `one call became ${count} in all its layers` })]
}

/** What many calls at once do to each other, and to the server. */
const judgeLoad = (trials: readonly Trial[]): readonly Reason[] => [
  ...judgeDoomedJobs(trials),
  ...trials.flatMap((trial, index) => judgeRecoveryUnderLoad(trial, index)),
]

/** Only one layer retries: layers multiply. */
export const layers = defineGuarantee({
  id: 'layers',
  level: 'should',
  stage: 2,
  source: 'eng',
  requirement: 'let one layer retry: layers multiply',
  rule: 'BUD-03',
  unmet: 'no call ended in a fault that goes on',
  advice: 'use a schedule whose last step fails, such as [503], and `maxAttempts` in the contract',
  inapplicable: (trials, { maxAttempts, budget }) => {
    const counts = trials.some(({ attempts }) => attempts.some(({ headers }) => COUNTERS.some((counter) => counter in headers)))
    const asksNothing = maxAttempts === undefined && budget === undefined && !counts && judgeLoad(trials).length === 0
    return asksNothing ? 'the contract promises no number of attempts' : null
  },
  reasons: (trials, contract) => [
    ...judgeLoad(trials),
    ...eachTrial((trial, _contract, index) => [
      ...judgeBudget(trial, contract, index),
      ...attributedOperations(trial).flatMap((operation) => judgeOperation(trial, attemptsOf(trial, operation), contract, index)),
    ])(trials, contract),
  ],
})
