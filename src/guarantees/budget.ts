import { hintOf } from '../trace/hints.js'
import type { Attempt, CallRecord, Trial } from '../trace/model.js'
import { endOf } from '../trace/operations.js'
import { classify, hintHeadersOf } from './classification.js'
import type { Contract } from './contract.js'
import type { Reason } from './model.js'
import { fail, inconclusive, pass } from './verdict.js'
import { attemptsOfCall, hasStrays, isIdempotent, isUnsettled, succeeded } from './wire.js'
import { plural } from './words.js'

/** A call and its attempts, as far as a budget is concerned. */
interface Spent {
  readonly call: CallRecord
  readonly attempts: number
  readonly hasFailed: boolean
  readonly hasSucceeded: boolean
}

function spendingOf(trial: Trial): readonly Spent[] {
  return trial.calls.map((call) => {
    const attempts = attemptsOfCall(trial, call)
    return {
      call,
      attempts: attempts.length,
      hasFailed: attempts.some((attempt) => !succeeded(attempt)),
      hasSucceeded: attempts.some(succeeded),
    }
  })
}

/** Re-sends that a budget allows at most, when each costs one token at least. */
function allowance(spent: readonly Spent[], { budget }: Contract): number {
  const { tokens = 0, ratio = 0 } = budget ?? {}
  return tokens + Math.floor(ratio * spent.length)
}

/**
 * A retry budget over the calls of one client: first tries always go out, an outage uses it up, and once successes have refilled it a call
 * that fails is tried again.
 */
export function judgeBudget(trial: Trial, contract: Contract, index: number): Reason[] {
  const at = { rule: 'BUD-02', trial: index } as const
  const spent = spendingOf(trial)
  if (contract.budget === undefined || spent.length < 2 || hasStrays(trial)) return []
  if (spent.some(({ call }) => isUnsettled(call) || call.abortedAtMs !== null)) return []
  const held = spent.find(({ attempts }) => attempts === 0)
  if (held !== undefined) {
    return [
      fail({
        ...at,
        text: `call ${held.call.index + 1} never went out: a budget holds back re-sends, not first tries`,
        expected: 'a first try of every call',
        received: 'none',
      }),
    ]
  }
  const resends = spent.reduce((sum, { attempts }) => sum + attempts - 1, 0)
  const allowed = allowance(spent, contract)
  if (resends > allowed) {
    return [
      fail({
        ...at,
        text: `${plural(spent.length, 'call')} made ${plural(resends, 're-send')}, more than the promised budget`,
        expected: `≤ ${plural(allowed, 're-send')}`,
        received: plural(resends, 're-send'),
      }),
    ]
  }
  return [judgeRefill(trial, spent, contract, at)]
}

/** How much more than one token must have come back: sums of tenths are not exact. */
const ROUNDING = 1e-6

/** A client has every reason to come back: it may repeat the method, is given no hint, and has time. */
function isDue(trial: Trial, call: CallRecord, contract: Contract): boolean {
  const [first] = attemptsOfCall(trial, call)
  if (first === undefined || !isIdempotent(first.method) || classify(first, contract).class !== 'transient') return false
  const endedAtMs = endOf(first) ?? Number.POSITIVE_INFINITY
  const isShort = endedAtMs - call.startedAtMs >= (contract.deadlineMs ?? Number.POSITIVE_INFINITY) / 2
  return !isShort && hintOf(first, { headers: hintHeadersOf(contract) }) === null
}

/** Tokens that are there at least when `later` begins, if there were none after `empty`: every failure may have taken one. */
function refilled(trial: Trial, empty: CallRecord, later: CallRecord, { budget }: Contract): number {
  const { tokens: most = 0, ratio = 0 } = budget ?? {}
  const lastOfEmpty = attemptsOfCall(trial, empty).at(-1)?.number ?? Number.POSITIVE_INFINITY
  const firstOfLater = attemptsOfCall(trial, later)[0]?.number ?? 0
  const hasEarned = (attempt: Attempt) => succeeded(attempt) && (endOf(attempt) ?? Number.POSITIVE_INFINITY) <= later.startedAtMs
  // By number, not by time: calls that need no wait all come in one millisecond.
  return trial.attempts
    .filter(({ number }) => number > lastOfEmpty && number < firstOfLater)
    .reduce((tokens, attempt) => {
      if (hasEarned(attempt)) return Math.min(most, tokens + ratio)
      return succeeded(attempt) ? tokens : Math.max(0, tokens - 1)
    }, 0)
}

/** A call that meets a failure, after the budget was empty and calls went well, tells whether the tokens came back. */
function judgeRefill(
  trial: Trial,
  spent: readonly Spent[],
  contract: Contract,
  at: { readonly rule: 'BUD-02'; readonly trial: number },
): Reason {
  const emptyAt = spent.findIndex(({ call, attempts, hasFailed }) => hasFailed && attempts === 1 && isDue(trial, call, contract))
  const empty = spent[emptyAt]?.call
  const wellAt = spent.findIndex(({ hasFailed, hasSucceeded }, i) => emptyAt >= 0 && i > emptyAt && hasSucceeded && !hasFailed)
  const asking = spent.filter(({ hasFailed }, i) => wellAt >= 0 && i > wellAt && hasFailed)
  if (empty === undefined || asking.length === 0) {
    return inconclusive({ ...at, text: 'the budget was not seen to be used up, and to be asked for again after successes' })
  }
  const nameOf = ({ call }: Spent) => `call ${call.index + 1}`
  const wellBefore = (later: Spent) => spent.slice(wellAt, spent.indexOf(later)).filter(({ hasFailed }) => !hasFailed).length
  const owed = asking.find(
    ({ call, attempts }) =>
      attempts === 1 && refilled(trial, empty, call, contract) >= 1 + ROUNDING && isDue(trial, call, contract),
  )
  if (owed !== undefined) {
    return fail({
      ...at,
      text: `${nameOf(owed)} was not tried again, although ${plural(wellBefore(owed), 'call')} had succeeded since the budget was used up`,
      expected: 'retries once the budget has refilled',
      received: 'a single attempt',
    })
  }
  const last = asking.findLast(({ attempts }) => attempts > 1)
  if (last !== undefined) {
    return pass({
      ...at,
      text: `${nameOf(last)} was tried again: ${plural(wellBefore(last), 'call')} in between had refilled the budget`,
    })
  }
  return inconclusive({ ...at, text: 'after the budget was used up, the calls that succeeded had not earned a whole token' })
}
