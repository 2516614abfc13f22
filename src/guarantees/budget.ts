import { HINT_NAMES, hintOf } from '../trace/hints.js'
import type { Attempt, CallRecord, Trial } from '../trace/model.js'
import { endOf } from '../trace/operations.js'
import { bandOf } from './backoff-band.js'
import type { Contract } from './contract.js'
import type { Reason } from './model.js'
import { fail, inconclusive, pass } from './verdict.js'
import { attemptsOfCall, attributedResends, faultOf, hasStrays, isUnsettled, keyOf, succeeded } from './wire.js'
import { plural } from './words.js'

/** A call and its attempts, as far as a budget is concerned. */
interface Spent {
  readonly call: CallRecord
  readonly attempts: readonly Attempt[]
  /** Its first answer was a failure, and a wait for it was the client's own choice. */
  readonly hasFailed: boolean
  readonly hasSucceeded: boolean
  /** Calls of one situation met the same failure with the same request; null when that cannot be told. */
  readonly situation: string | null
}

/** Without a declared backoff the longest wait can only be guessed from those that were seen. */
const LONGEST_OF_SEEN = 10

function situationOf(first: Attempt, contract: Contract): string | null {
  if (first.step === null) return null
  const { repeat: _times, ...step } = first.step
  return JSON.stringify([first.method, keyOf(first, contract) === null, first.result, step])
}

function spendingOf(trial: Trial, contract: Contract): readonly Spent[] {
  return trial.calls.map((call) => {
    const attempts = attemptsOfCall(trial, call)
    const [first] = attempts
    // What a server said of the wait may be longer than the client is ready to wait, whatever its budget.
    const hasFailed = first !== undefined && !succeeded(first) && hintOf(first, { headers: HINT_NAMES }) === null
    const situation = first === undefined ? null : situationOf(first, contract)
    return { call, attempts, hasFailed, hasSucceeded: attempts.some(succeeded), situation }
  })
}

/** A re-send that budgets count: after a failure of the request, which may have done work; not a log-in, a redirect, a refused connection. */
const costsToken = (previous: Attempt): boolean =>
  !succeeded(previous) &&
  faultOf(previous) !== 'refuse' &&
  (previous.status === null || (previous.status >= 400 && previous.status !== 401))

/** Re-sends beyond what the budget allows, when each costs one token at least and nothing is earned but by calls. */
function judgeAllowance(trial: Trial, { budget }: Contract, trialIndex: number): Reason[] {
  const { tokens, ratio } = budget ?? {}
  if (tokens === undefined) return []
  const firstSuccess = trial.attempts.find(succeeded)
  const made = attributedResends(trial).filter(
    // What a success gives back is not promised: only what was spent before the first one can be counted.
    ({ previous, attempt }) =>
      costsToken(previous) && (ratio !== undefined || attempt.number <= (firstSuccess?.number ?? attempt.number)),
  ).length
  const allowed = Math.floor(tokens + (ratio ?? 0) * trial.calls.length)
  if (made <= allowed) return []
  return [
    fail({
      rule: 'BUD-02',
      trial: trialIndex,
      text: `${plural(trial.calls.length, 'call')} made ${plural(made, 're-send')}, more than the promised budget`,
      expected: `≤ ${plural(allowed, 're-send')}`,
      received: plural(made, 're-send'),
    }),
  ]
}

/**
 * A retry budget over the calls of one client: first tries always go out, an outage uses it up, and once successes have refilled it a call
 * that fails is tried again.
 */
export function judgeBudget(trial: Trial, contract: Contract, trialIndex: number): Reason[] {
  const at = { rule: 'BUD-02', trial: trialIndex } as const
  if (contract.budget === undefined || trial.calls.length < 2 || hasStrays(trial)) return []
  if (trial.calls.some((call) => isUnsettled(call) || call.abortedAtMs !== null)) return []
  const spent = spendingOf(trial, contract)
  // An open breaker holds back first tries; an answer may come from a cache.
  const held = spent.find(({ attempts, call }) => attempts.length === 0 && call.outcome.kind === 'rejected')
  if (held !== undefined && contract.breaker === undefined) {
    return [
      fail({
        ...at,
        text: `call ${held.call.index + 1} never went out: a budget holds back re-sends, not first tries`,
        expected: 'a first try of every call',
        received: 'none',
      }),
    ]
  }
  const overspent = judgeAllowance(trial, contract, trialIndex)
  return overspent.length > 0 ? overspent : [judgeRefill(spent, contract, at)]
}

/**
 * Whether a call that was not tried again would have had the time: then nothing but the budget can have held it back, given that others of
 * its situation were tried again.
 */
function hadTime({ call, attempts }: Spent, likes: readonly Spent[], { deadlineMs, backoff }: Contract): boolean {
  if (deadlineMs === undefined) return true
  const seenMs = likes.map((one) => (one.attempts[1]?.arrivedAtMs ?? 0) - (endOf(one.attempts[0]!) ?? 0))
  const longestMs = backoff === undefined ? LONGEST_OF_SEEN * Math.max(...seenMs) : bandOf(backoff, 1, null).highMs
  const elapsedMs = (endOf(attempts[0]!) ?? call.settledAtMs ?? 0) - call.startedAtMs
  return elapsedMs + longestMs < deadlineMs
}

/** A failed call that was not tried again although calls before it, in the same situation, were. */
function isHeldBack(one: Spent, position: number, spent: readonly Spent[], contract: Contract): boolean {
  if (!one.hasFailed || one.attempts.length !== 1 || one.situation === null) return false
  const likes = spent.slice(0, position).filter((other) => other.situation === one.situation && other.attempts.length > 1)
  return likes.length > 0 && hadTime(one, likes, contract)
}

/** One after the other: only then it is known what the budget was worth when a call failed. */
const isSequence = (spent: readonly Spent[]): boolean =>
  spent.every(({ call }, i) => call.startedAtMs >= (spent[i - 1]?.call.settledAtMs ?? 0))

/** A call that met the failure again, after the budget was empty and calls went well, tells whether the tokens came back. */
function judgeRefill(
  spent: readonly Spent[],
  contract: Contract,
  at: { readonly rule: 'BUD-02'; readonly trial: number },
): Reason {
  const isOpen = contract.breaker === undefined && isSequence(spent)
  const emptyAt = isOpen ? spent.findIndex((one, i) => isHeldBack(one, i, spent, contract)) : -1
  const wellAt = spent.findIndex((one, i) => emptyAt >= 0 && i > emptyAt && one.hasSucceeded && !one.hasFailed)
  const asking = spent.filter(
    (one, i) => wellAt >= 0 && i > wellAt && one.hasFailed && one.situation === spent[emptyAt]?.situation,
  )
  const before = (one: Spent) => spent.slice(emptyAt + 1, spent.indexOf(one))
  const name = ({ call }: Spent) => `call ${call.index + 1}`
  const wentWell = (one: Spent) => plural(before(one).filter(isClean).length, 'call')
  const owed = asking.find((one) => isRefilled(before(one), contract) && isHeldBack(one, spent.indexOf(one), spent, contract))
  if (owed !== undefined) {
    return fail({
      ...at,
      text: `${name(owed)} was not tried again, although ${wentWell(owed)} had succeeded since the budget was used up`,
      expected: 'retries once the budget has refilled',
      received: 'a single attempt',
    })
  }
  const last = asking.findLast(({ attempts }) => attempts.length > 1)
  if (last !== undefined) {
    return pass({ ...at, text: `${name(last)} was tried again: ${wentWell(last)} in between had refilled the budget` })
  }
  const text =
    asking.length === 0
      ? 'the budget was not seen to be used up, and to be asked for again after successes'
      : `${name(asking[0]!)} was not tried again, and need not have been: the budget may not have come back by then`
  return inconclusive({ ...at, text })
}

/** Its first answer was a success, and there was no second. */
const isClean = ({ hasFailed, hasSucceeded, attempts }: Spent): boolean => hasSucceeded && !hasFailed && attempts.length === 1

/** What a budget must hold so that a re-send goes out for certain: where the cost is not declared, it may take a full one. */
const neededFor = ({ budget }: Contract): number => budget?.cost ?? budget?.tokens ?? Number.POSITIVE_INFINITY

/** Sums of tenths are not exact. */
const ROUNDING = 1e-6

/** Whether there is enough for a re-send after these calls, if there was nothing before them and each failure took what it may. */
function isRefilled(calls: readonly Spent[], contract: Contract): boolean {
  const { tokens: most = Number.POSITIVE_INFINITY, ratio = 0 } = contract.budget ?? {}
  const needed = neededFor(contract)
  // Ten tenths of a client's may be a little less than one.
  const spare = Number.isInteger(ratio) ? 0 : ratio
  const tokens = calls.reduce(
    (left, one) => (isClean(one) ? Math.min(most + spare, left + ratio) : Math.max(0, left - one.attempts.length * needed)),
    0,
  )
  return Number.isFinite(needed) && tokens - spare > needed - ROUNDING
}

/** Successes in a row that bring an empty budget back for certain; never, where it is not promised what one gives back. */
export function successesToRefill(contract: Contract): number {
  const { ratio = 0 } = contract.budget ?? {}
  return ratio === 0 ? Number.POSITIVE_INFINITY : Math.ceil(neededFor(contract) / ratio - ROUNDING)
}
