import type { Attempt, Operation, Trial } from '../trace/model.js'
import { haveSameBody } from './body.js'
import type { Contract } from './contract.js'
import type { Reason } from './model.js'
import type { Finding } from './verdict.js'
import { defineGuarantee, eachTrial, fail, inconclusive, pass } from './verdict.js'
import { answerOf, attemptsOf, attributedOperations, callOf, isUnsafe, keyOf, succeeded, timedOut } from './wire.js'
import { listed, plural } from './words.js'

const DID_WORK = new Set(['new', 'duplicate'])

/** An operation whose work was accepted while the client was left without the answer, and what came after. */
interface Lost {
  readonly trial: Trial
  readonly index: number
  readonly contract: Contract
  readonly attempts: readonly Attempt[]
  readonly lost: Attempt
  /** The first attempt after the lost one. */
  readonly resent: Attempt
  readonly at: Pick<Finding, 'rule' | 'trial' | 'attempt'>
}

const wasLost = (attempt: Attempt): boolean => DID_WORK.has(attempt.ledger) && !succeeded(attempt)

function lostWork(trial: Trial, operation: Operation, contract: Contract, index: number): Lost | null {
  // A connection that was refused, or broke before it was read, tells neither keys nor bytes.
  const attempts = attemptsOf(trial, operation).filter(({ requestComplete }) => requestComplete)
  const lost = attempts.find(wasLost)
  const resent = lost === undefined ? undefined : attempts.find(({ number }) => number > lost.number)
  if (lost === undefined || resent === undefined) return null
  const at = { rule: timedOut(lost) ? 'IDM-07' : 'IDM-05', trial: index, attempt: resent.number } as const
  return { trial, index, contract, attempts, lost, resent, at }
}

function judgeKeys({ attempts, lost, contract, at }: Lost): Reason | null {
  const keys = [...new Set(attempts.flatMap((attempt) => keyOf(attempt, contract) ?? []))]
  const bare = attempts.find((attempt) => keyOf(attempt, contract) === null)
  const because = `after attempt ${lost.number} was applied and met ${answerOf(lost)}`
  if (bare !== undefined) {
    // The lost attempt may be the bare one; what went wrong is the repetition.
    const number = bare.number <= lost.number ? at.attempt : bare.number
    return fail({
      ...at,
      rule: 'IDM-02',
      attempt: number,
      text: `attempt ${number} repeated the ${lost.method} without a key ${because}`,
      expected: 'one key on every attempt',
      received: keys.length === 0 ? 'no key' : `a key on some attempts only`,
      mark: 'repeated without a key',
    })
  }
  if (keys.length === 1) return null
  const other = attempts.find((attempt) => keyOf(attempt, contract) !== keyOf(lost, contract))
  return fail({
    ...at,
    rule: 'IDM-05',
    attempt: other?.number,
    text: `attempt ${other?.number} repeated the ${lost.method} under a new key ${because}`,
    expected: 'one key on every attempt',
    received: `${keys.length} keys: ${listed(keys)}`,
    mark: 'another key',
  })
}

function judgeBytes({ attempts, lost, at }: Lost): Reason | null {
  const other = attempts.find((attempt) => attempt.requestComplete && !haveSameBody(attempt, lost))
  if (other === undefined) return null
  return fail({
    ...at,
    rule: 'IDM-11',
    attempt: other.number,
    text: `attempt ${other.number} carried other bytes under the key of attempt ${lost.number}`,
    expected: `the ${plural(lost.body.length, 'byte')} of attempt ${lost.number}`,
    received: plural(other.body.length, 'byte'),
    mark: 'other bytes',
  })
}

/** A server that does not dedup does the work again whatever the client does. */
function judgeLedger({ attempts, trial, at }: Lost): Reason | null {
  const applied = attempts.filter(({ ledger }) => DID_WORK.has(ledger))
  if (applied.length < 2 || trial.ledger.dedup === 'ignore') return null
  return fail({
    ...at,
    attempt: applied[1]?.number,
    text: `the work was applied ${applied.length} times, by attempts ${listed(applied.map(({ number }) => number))}`,
    expected: 'applied once',
    received: `applied ${applied.length} times`,
    mark: 'work done again',
  })
}

/** The first result came back at last: the caller has to get it. */
function judgeResult({ attempts, trial, at }: Lost): Reason | null {
  const last = attempts.at(-1)
  const call = last === undefined ? undefined : callOf(trial, last)
  if (last === undefined || call === undefined || last.ledger !== 'replay' || !succeeded(last)) return null
  const { outcome } = call
  if (outcome.kind === 'unobserved' || call.abortedAtMs !== null || trial.client.streaming) return null
  const answer = new TextDecoder().decode(last.answerBody)
  const isFirst =
    outcome.kind === 'resolved' &&
    (outcome.status ?? last.status) === last.status &&
    (outcome.bodyBytes === undefined || outcome.body === answer)
  if (isFirst) return null
  return fail({
    ...at,
    rule: 'IDM-07',
    attempt: last.number,
    text: `the call was ${outcome.kind}, although attempt ${last.number} was answered with the first result`,
    expected: 'resolved with the first result',
    received: outcome.kind === 'resolved' ? 'resolved with something else' : outcome.kind,
    mark: 'the first result was lost',
  })
}

function judgeLost(lost: Lost): Reason {
  const broken = judgeKeys(lost) ?? judgeBytes(lost) ?? judgeLedger(lost) ?? judgeResult(lost)
  if (broken !== null) return broken
  const { at, attempts, trial, contract, resent } = lost
  const key = keyOf(resent, contract)
  const ending = trial.ledger.dedup === 'ignore' ? 'to a server that does not dedup' : 'and the work was applied once'
  return pass({ ...at, text: `${plural(attempts.length, 'attempt')} carried the key ${key} and the same bytes, ${ending}` })
}

/** The answer is lost after the work was accepted: one key, the same bytes, applied once, and the caller gets the first result. */
export const dedup = defineGuarantee({
  id: 'dedup',
  level: 'must',
  stage: 3,
  source: 'suite, draft-ietf-httpapi-idempotency-key-header-07 §2.6',
  requirement: 'repeat a request whose answer was lost under its key, with the same bytes, and report the first result',
  rule: 'IDM-07',
  unmet: 'no applied request whose answer was lost was sent again: nothing was deduplicated; see toNotReplayUnsafe',
  advice: "use a schedule such as [{ fault: 'reset', apply: true }, 200], and a client that retries keyed POST",
  inapplicable: (trials) =>
    trials.length > 0 && trials.every(({ client }) => client.repeatable) ? 'the client says that its POST may be repeated' : null,
  reasons: eachTrial((trial, contract, index) =>
    attributedOperations(trial)
      .filter((operation) => isUnsafe(operation.method))
      .flatMap((operation) => {
        const lost = lostWork(trial, operation, contract, index)
        if (lost !== null) return [judgeLost(lost)]
        const applied = attemptsOf(trial, operation).find(wasLost)
        if (applied === undefined) return []
        const text = `the client never repeated the ${applied.method} after ${answerOf(applied)}: nothing was deduplicated; see toNotReplayUnsafe`
        return [inconclusive({ rule: 'IDM-07', trial: index, attempt: applied.number, text })]
      }),
  ),
})
