import type { Attempt, Operation, Trial } from '../trace/model.js'
import { classify } from './classification.js'
import type { Contract } from './contract.js'
import type { Guarantee, Reason } from './model.js'
import { defineGuarantee, eachTrial, fail, inconclusive, pass } from './verdict.js'
import { attemptsOf, attributedOperations, callOf, isUnsettled, succeeded } from './wire.js'
import { formatMs, plural } from './words.js'

function tooMany(extra: Attempt, count: number, max: number, trial: number): Reason {
  return fail({
    rule: 'BKO-02',
    trial,
    attempt: extra.number,
    text: `attempt ${extra.number} was one too many: the ${extra.method} was sent ${count} times, promised are at most ${max}`,
    expected: `≤ ${plural(max, 'attempt')}`,
    received: plural(count, 'attempt'),
    mark: `more than ${plural(max, 'attempt')}`,
  })
}

function judgeOperation(trial: Trial, operation: Operation, contract: Contract, index: number): Reason[] {
  const attempts = attemptsOf(trial, operation)
  const { maxAttempts = Number.POSITIVE_INFINITY } = contract
  const [last, extra] = [attempts.at(-1), attempts[maxAttempts]]
  if (last === undefined) return []
  if (extra !== undefined) return [tooMany(extra, attempts.length, maxAttempts, index)]
  const at = { rule: 'BKO-01', trial: index, attempt: last.number } as const
  const call = callOf(trial, last)
  const count = plural(attempts.length, 'attempt')
  if (isUnsettled(call)) {
    // A wait that never ends is not an attempt too many.
    const isEndless = call?.outcome.kind === 'unsettled' && call.outcome.reason === 'runaway' && attempts.length > 1
    return isEndless && maxAttempts === Number.POSITIVE_INFINITY
      ? [
          fail({
            ...at,
            text: `the client was still repeating the ${last.method} after ${count}, at ${formatMs(last.arrivedAtMs)}`,
            expected: 'a finite number of attempts',
            received: `${count} and counting`,
          }),
        ]
      : [inconclusive({ ...at, text: `the call had not settled after ${count}` })]
  }
  if (succeeded(last) || classify(last, contract).class === 'permanent') {
    return [inconclusive({ ...at, text: `the ${last.method} ended after ${count} because of its answer, not of a bound` })]
  }
  return [pass({ ...at, text: `the client gave up after ${count}` })]
}

/** Re-sends are bounded on endless faults. */
export const attempts: Guarantee = defineGuarantee({
  id: 'attempts',
  level: 'must',
  stage: 2,
  source: 'suite, RFC 9110 §9.2.2',
  requirement: 'stop after a finite number of attempts, and no more than promised',
  rule: 'BKO-01',
  unmet: 'no call ended in a fault that goes on, so no bound was reached',
  advice: 'use a schedule whose last step fails, such as [503]',
  reasons: eachTrial((trial, contract, index) =>
    attributedOperations(trial).flatMap((operation) => judgeOperation(trial, operation, contract, index)),
  ),
})

/**
 * The guarantee that every operation is sent exactly so many times.
 *
 * @param count Attempts, the first try included.
 */
export function attemptsExactly(count: number): Guarantee {
  const { judge: _atMost, ...about } = attempts
  return defineGuarantee({
    ...about,
    requirement: `make exactly ${plural(count, 'attempt')}`,
    rule: 'BKO-02',
    unmet: 'nothing was sent',
    advice: 'give a trial with at least one attempt',
    reasons: eachTrial((trial, _contract, index) =>
      attributedOperations(trial).map((operation) => {
        const made = attemptsOf(trial, operation)
        const at = { rule: 'BKO-02', trial: index, attempt: made.at(-1)?.number } as const
        const text = `the ${operation.method} was sent ${plural(made.length, 'time')}`
        if (made.length === count) return pass({ ...at, text })
        return fail({
          ...at,
          text: `${text} instead of ${count}`,
          expected: plural(count, 'attempt'),
          received: plural(made.length, 'attempt'),
        })
      }),
    ),
  })
}
