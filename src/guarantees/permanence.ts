import type { Attempt, Trial } from '../trace/model.js'
import { type Classified, classify } from './classification.js'
import type { Contract } from './contract.js'
import type { Reason } from './model.js'
import type { RuleId } from './rules.js'
import { defineGuarantee, eachTrial, fail, inconclusive, pass } from './verdict.js'
import { attemptsOf, attributedOperations, callOf, isUnsettled } from './wire.js'
import { formatMs } from './words.js'

const CREDENTIAL_HEADERS = ['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'api-key', 'x-auth-token']

const hasOtherCredential = (before: Attempt, after: Attempt): boolean =>
  CREDENTIAL_HEADERS.some((name) => before.headers[name] !== after.headers[name])

/** A 401 may be answered with another credential, once: the second 401 in a row is final. */
function isRefresh(attempts: readonly Attempt[], refused: Attempt, resent: Attempt): boolean {
  const second = attempts.some((earlier) => earlier.number < refused.number && earlier.status === 401)
  return refused.status === 401 && !second && hasOtherCredential(refused, resent)
}

const nameOf = ({ status }: Attempt, { code }: Classified): string =>
  code === undefined ? `a ${status}` : `a ${status} with code ${code}`

/** A refused key has a rule of its own, and so has a permanent answer to a re-send: every answer is to be classified. */
function ruleOf(attempts: readonly Attempt[], refused: Attempt, why: Classified): RuleId {
  if (refused.ledger === 'mismatch') return 'IDM-08'
  const isLater = attempts[0] !== refused && attempts[0]?.status !== 401
  return isLater && why.level === 'must' && why.rule !== 'CLS-12' ? 'CLS-15' : why.rule
}

function judgeResend(attempts: readonly Attempt[], refused: Attempt, resent: Attempt, why: Classified, trial: number): Reason {
  const gapMs = resent.arrivedAtMs - (refused.headersAtMs ?? refused.arrivedAtMs)
  return fail({
    rule: ruleOf(attempts, refused, why),
    level: why.level,
    trial,
    attempt: resent.number,
    text: `attempt ${resent.number} repeated the ${resent.method} ${formatMs(gapMs)} after ${nameOf(refused, why)}`,
    expected: `no attempt after ${nameOf(refused, why)}`,
    received: `attempt ${resent.number} at ${formatMs(resent.arrivedAtMs)}`,
    mark: `re-sent after ${nameOf(refused, why)}`,
  })
}

function judgeAnswer(attempts: readonly Attempt[], refused: Attempt, trial: Trial, contract: Contract, index: number): Reason[] {
  const why = classify(refused, contract)
  if (why.class !== 'permanent') return []
  // An attempt that was under way before the answer came is no reaction to it.
  const resent = attempts.find(({ number, arrivedAtMs }) => number > refused.number && arrivedAtMs >= (refused.headersAtMs ?? 0))
  const at = { rule: why.rule, level: why.level, trial: index, attempt: refused.number }
  if (resent !== undefined && isRefresh(attempts, refused, resent)) {
    return [inconclusive({ ...at, text: `attempt ${resent.number} followed a 401 with another credential, as it may once` })]
  }
  if (resent !== undefined) return [judgeResend(attempts, refused, resent, why, index)]
  if (isUnsettled(callOf(trial, refused))) {
    return [
      inconclusive({ ...at, text: `the call had not settled after ${nameOf(refused, why)}: it may still be going to repeat it` }),
    ]
  }
  return [pass({ ...at, text: `attempt ${refused.number}, answered ${nameOf(refused, why)}, was the last` })]
}

/** No re-send after an answer classed permanent. */
export const permanence = defineGuarantee({
  id: 'permanence',
  level: 'must',
  stage: 2,
  source: 'Azure Core guidelines, AIP-194',
  requirement: 'do not repeat a request whose answer will not change',
  rule: 'CLS-01',
  unmet: 'no permanent answer was served, so there was nothing not to repeat',
  advice: 'put a 404 or a 400 into the schedule',
  reasons: eachTrial((trial, contract, index) =>
    attributedOperations(trial).flatMap((operation) => {
      const attempts = attemptsOf(trial, operation)
      return attempts.flatMap((attempt) => judgeAnswer(attempts, attempt, trial, contract, index))
    }),
  ),
})
