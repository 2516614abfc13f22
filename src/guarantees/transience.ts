import { hintOf } from '../trace/hints.js'
import type { Attempt, Operation, Trial } from '../trace/model.js'
import { endOf } from '../trace/operations.js'
import { type Classified, classify, hintHeadersOf, kindOf, type TransientKind } from './classification.js'
import type { Contract } from './contract.js'
import type { Reason } from './model.js'
import { mayBeUsedUp } from './used-up.js'
import { defineGuarantee, fail, inconclusive, pass } from './verdict.js'
import {
  abortedBy,
  answerOf,
  attemptsOf,
  attributedOperations,
  callOf,
  hasStrays,
  isIdempotent,
  isSuccess,
  succeeded,
} from './wire.js'
import { listed } from './words.js'

/** A transient answer, and what the client did about it. */
interface Met {
  readonly kind: TransientKind
  readonly why: Classified
  readonly index: number
  readonly trial: Trial
  readonly attempt: Attempt
  readonly resent: Attempt | undefined
  /** The client had every reason to come back: it may repeat the method, and had attempts and time left. */
  readonly isDue: boolean
  /** The last attempt of the operation. */
  readonly last: Attempt
}

/** A hint that the client may answer by giving up: longer than its cap, or than what is left of its deadline. */
function mayGiveUp(attempt: Attempt, trial: Trial, contract: Contract): boolean {
  const hint = hintOf(attempt, { headers: hintHeadersOf(contract) })
  const startedAtMs = callOf(trial, attempt)?.startedAtMs ?? 0
  const { deadlineMs = Number.POSITIVE_INFINITY, retryAfter } = contract
  const closesAtMs = hint?.closesAtMs ?? attempt.arrivedAtMs
  // Beyond half the deadline time is short: with the client's own jitter on top, the wait may not fit any more.
  const isShort = closesAtMs - startedAtMs >= deadlineMs / 2
  return (hint?.waitMs ?? 0) > (retryAfter?.capMs ?? Number.POSITIVE_INFINITY) || isShort
}

function met(trial: Trial, index: number, operation: Operation, contract: Contract): Met[] {
  const attempts = attemptsOf(trial, operation)
  const last = attempts.at(-1)
  if (last === undefined) return []
  return attempts.flatMap((attempt, position) => {
    const why = classify(attempt, contract)
    const kind = kindOf(attempt, contract)
    const call = callOf(trial, attempt)
    if (why.class !== 'transient' || kind === null || abortedBy(call, attempt.endedAtMs ?? attempt.arrivedAtMs)) return []
    // Only a first answer shows a refusal: later the attempts, or the budget, may be used up.
    const isDue =
      position === 0 &&
      isIdempotent(attempt.method) &&
      contract.maxAttempts !== 1 &&
      !mayGiveUp(attempt, trial, contract) &&
      !mayBeUsedUp(trial, contract, endOf(attempt) ?? attempt.arrivedAtMs)
    const wasAborted = call !== undefined && call.abortedAtMs !== null
    // Whoever consumes a stream may stop at its terminator, and must not always start again: that is the guarantee of streams.
    const isStream = trial.client.streaming && isSuccess(attempt.status)
    return [
      {
        kind,
        why,
        index,
        trial,
        attempt,
        resent: attempts[position + 1],
        isDue: isDue && !wasAborted && !isStream && !hasStrays(trial),
        last,
      },
    ]
  })
}

/** A 200 that came whole at the end of a call which reports something else: the retry was made, and its result lost. */
function lostRecovery({ trial, index, attempt, last, why }: Met): Reason | null {
  const call = callOf(trial, last)
  const isUnreadable =
    last.step !== null && 'status' in last.step && (last.step.json !== undefined || last.step.truncate !== undefined)
  const isLastOfCall = trial.attempts.every(({ number, call: other }) => number <= last.number || other !== last.call)
  // A stream that ends without an event may be no success to whoever consumes it.
  if (
    call === undefined ||
    trial.client.streaming ||
    hasStrays(trial) ||
    !succeeded(last) ||
    isUnreadable ||
    !isLastOfCall ||
    call.abortedAtMs !== null
  )
    return null
  const { outcome } = call
  if (outcome.kind === 'unobserved' || (outcome.kind === 'resolved' && (outcome.status ?? 200) < 300)) return null
  const reported = outcome.kind === 'resolved' ? `resolved with ${outcome.status}` : outcome.kind
  return fail({
    rule: why.rule,
    level: 'must',
    trial: index,
    attempt: last.number,
    text: `attempt ${last.number} succeeded after ${answerOf(attempt)}, but the call was ${reported}`,
    expected: 'the call resolves with the answer of its last attempt',
    received: reported,
    mark: 'this success was lost',
  })
}

function judgeMet(one: Met): Reason[] {
  const { attempt, resent, last, index, why } = one
  const at = { rule: why.rule, trial: index, attempt: attempt.number } as const
  if (resent === undefined) return []
  const lost = lostRecovery(one)
  if (lost !== null) return [lost]
  if (!succeeded(last))
    return [
      inconclusive({
        ...at,
        text: `attempt ${resent.number} followed ${answerOf(attempt)}, but no attempt was answered with success`,
      }),
    ]
  return [pass({ ...at, text: `attempt ${resent.number} followed ${answerOf(attempt)}, and attempt ${last.number} succeeded` })]
}

function refusal({ attempt, index, why }: Met, kind: TransientKind): Reason {
  return fail({
    rule: why.rule,
    level: 'must',
    trial: index,
    attempt: attempt.number,
    text: `the client did not repeat the ${attempt.method} after ${answerOf(attempt)}`,
    expected: `an attempt after ${kind}`,
    received: 'no further attempt',
    mark: 'not repeated',
  })
}

/** Kinds that were met and never followed by an attempt: a fault where the contract lists them, or where nothing was repeated at all. */
function judgeRefused(all: readonly Met[], contract: Contract): Reason[] {
  const repeated = new Set(all.filter(({ resent }) => resent !== undefined).map(({ kind }) => kind))
  const refused = [...new Set(all.map(({ kind }) => kind))].filter((kind) => !repeated.has(kind))
  const isDuty = (kind: TransientKind) => repeated.size === 0 || (contract.transient?.includes(kind) ?? false)
  return refused.flatMap((kind) => {
    const due = all.find((one) => one.kind === kind && one.isDue)
    const first = due ?? all.find((one) => one.kind === kind)
    if (first === undefined) return []
    if (due !== undefined && isDuty(kind)) return [refusal(due, kind)]
    const { attempt, why, index } = first
    const text = `the client never repeated a ${attempt.method} after ${listed([kind])}`
    return [inconclusive({ rule: why.rule, trial: index, attempt: attempt.number, text })]
  })
}

/** A transient fault leads to a re-send, and recovery to success. */
export const transience = defineGuarantee({
  id: 'transience',
  level: 'must',
  stage: 2,
  source: 'Azure Core guidelines, vendor SDKs',
  requirement: 'repeat a request after a transient fault, until it succeeds',
  rule: 'CLS-06',
  unmet: 'no transient fault was followed by an attempt that succeeded',
  advice: "use a schedule such as [503, 200] and `call: { method: 'GET' }`",
  inapplicable: (_trials, { maxAttempts }) => (maxAttempts === 1 ? 'the contract promises a single attempt' : null),
  reasons(trials, contract) {
    const all = trials.flatMap((trial, index) =>
      attributedOperations(trial).flatMap((operation) => met(trial, index, operation, contract)),
    )
    return [...judgeRefused(all, contract), ...all.flatMap(judgeMet)]
  },
})
