import type { Attempt, Trial } from '../trace/model.js'
import type { Resend } from '../trace/operations.js'
import type { Contract } from './contract.js'
import type { Level, Reason } from './model.js'
import type { RuleId } from './rules.js'
import { defineGuarantee, eachTrial, fail, inconclusive, pass } from './verdict.js'
import {
  answerOf,
  attemptsOf,
  attributedOperations,
  attributedResends,
  callOf,
  faultOf,
  isSuccess,
  isUnsafe,
  isUnsettled,
  keyOf,
  timedOut,
} from './wire.js'

const MAYBE_APPLIED = new Set([500, 502, 504])
const REFUSED_FOR_NOW = new Set([429, 503])

/**
 * How binding it is not to repeat a request without a key after what it met; null where a repetition is safe or nobody's business: the
 * connection was refused, the request was not read, or the status says that it was not processed (408, 421, 425).
 */
function dangerAfter(attempt: Attempt): Level | null {
  const { status, answerComplete, requestComplete } = attempt
  if (!requestComplete) return null
  if (status !== null && (answerComplete || !isSuccess(status))) {
    if (MAYBE_APPLIED.has(status)) return 'must'
    return REFUSED_FOR_NOW.has(status) ? 'should' : null
  }
  if (timedOut(attempt)) return 'must'
  switch (faultOf(attempt)) {
    case 'refuse':
    case 'reset-early':
      return null
    // Bytes that are no HTTP came after the request was read, but no source speaks of them.
    case 'garbage':
      return 'should'
    case null:
      return isSuccess(status) ? 'must' : null
    default:
      return 'must'
  }
}

function ruleOf({ method }: Attempt, level: Level): RuleId {
  if (level === 'should') return 'IDM-03'
  return method === 'PATCH' ? 'IDM-04' : 'IDM-02'
}

function judgeResend({ previous, attempt }: Resend, level: Level, contract: Contract, trial: number): Reason {
  const [before, after] = [keyOf(previous, contract), keyOf(attempt, contract)]
  const at = { level, trial, attempt: attempt.number }
  const met = answerOf(previous)
  if (before !== null && before === after) {
    return pass({
      ...at,
      rule: 'IDM-05',
      text: `attempt ${attempt.number} repeated the ${attempt.method} after ${met} under the same key`,
    })
  }
  const isKeyless = before === null || after === null
  const how = isKeyless ? 'without a key' : 'under a new key'
  return fail({
    ...at,
    rule: isKeyless ? ruleOf(attempt, level) : 'IDM-05',
    text: `attempt ${attempt.number} repeated the ${attempt.method} ${how} after ${met}`,
    expected: 'no attempt, or one key on all of them',
    received: isKeyless ? 'no key' : `key ${after} after key ${before}`,
    mark: isKeyless ? 'repeated without a key' : 'another key',
  })
}

/** A POST or PATCH that met trouble at its end, and was left at that. */
function judgeLast(last: Attempt | undefined, trial: Trial, index: number): Reason[] {
  const level = last === undefined ? null : dangerAfter(last)
  if (last === undefined || level === null) return []
  const at = { rule: ruleOf(last, level), level, trial: index, attempt: last.number }
  const met = answerOf(last)
  return isUnsettled(callOf(trial, last))
    ? [inconclusive({ ...at, text: `the call had not settled after ${met}: it may still be going to repeat the ${last.method}` })]
    : [pass({ ...at, text: `the ${last.method} was not repeated after ${met} to attempt ${last.number}` })]
}

/** A POST or PATCH is not repeated once it may have been applied, unless under one key. */
export const unsafeReplay = defineGuarantee({
  id: 'unsafe-replay',
  level: 'must',
  stage: 3,
  source: 'RFC 9110 §9.2.2',
  requirement: 'do not repeat a POST or PATCH without a key once it may have been applied',
  rule: 'IDM-02',
  unmet: 'no POST or PATCH met a fault after which it may have been applied',
  advice: "use `call: { method: 'POST', idempotencyKey: 'none' }` and a schedule such as [{ fault: 'reset', apply: true }, 200]",
  inapplicable: (trials) =>
    trials.length > 0 && trials.every(({ client }) => client.repeatable) ? 'the client says that its POST may be repeated' : null,
  reasons: eachTrial((trial, contract, index) => {
    if (trial.client.repeatable) return []
    const resent = attributedResends(trial).flatMap((resend) => {
      // A connection that was refused tells no keys.
      const isSeen = isUnsafe(resend.operation.method) && resend.attempt.requestComplete
      const level = isSeen ? dangerAfter(resend.previous) : null
      return level === null ? [] : [judgeResend(resend, level, contract, index)]
    })
    const unsafe = attributedOperations(trial).filter(({ method }) => isUnsafe(method))
    return [...resent, ...unsafe.flatMap((operation) => judgeLast(attemptsOf(trial, operation).at(-1), trial, index))]
  }),
})
