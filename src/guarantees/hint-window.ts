import type { Hint } from '../trace/hints.js'
import type { Attempt, Operation, Trial } from '../trace/model.js'
import { endOf } from '../trace/operations.js'
import type { Contract } from './contract.js'
import { isRedirect, ruleOfHint } from './hint-rules.js'
import type { Reason } from './model.js'
import { fail, inconclusive, pass } from './verdict.js'
import { abortedBy, callOf, isIdempotent, isUnsettled, toleranceMs } from './wire.js'
import { formatMs, formatWait } from './words.js'

/** An answer with a hint, and the attempts of its operation that came after it. */
export interface Hinted {
  readonly trials: readonly Trial[]
  readonly index: number
  readonly trial: Trial
  readonly contract: Contract
  readonly operation: Operation
  readonly attempts: readonly Attempt[]
  readonly attempt: Attempt
  readonly hint: Hint
  /** Without those that were under way before the hint was given. */
  readonly later: readonly Attempt[]
}

/** The window of a hint, once it is known when it closes. */
interface Window {
  readonly waitMs: number
  readonly closesAtMs: number
}

/** The attempts that arrived inside the window, whatever other faults lie between. */
export function earlyAttempts({ later, trial }: Hinted, { closesAtMs }: Window): readonly Attempt[] {
  return later.filter(({ arrivedAtMs }) => arrivedAtMs < closesAtMs - toleranceMs(trial))
}

function tooEarly({ attempt, hint, contract, later, index }: Hinted, { waitMs, closesAtMs }: Window, early: Attempt): Reason {
  const gapMs = early.arrivedAtMs - hint.opensAtMs
  const asked = `asked for ${formatWait(waitMs)}`
  const what =
    early === later[0]
      ? `a ${attempt.status} that ${asked}`
      : `the ${attempt.status} of attempt ${attempt.number}, which ${asked}`
  return fail({
    rule: ruleOfHint(attempt, hint, contract),
    level: isRedirect(attempt) ? 'may' : 'must',
    trial: index,
    attempt: early.number,
    text: `attempt ${early.number} came ${formatMs(gapMs)} after ${what}`,
    expected: `gap ≥ ${formatMs(waitMs)}`,
    received: `gap = ${formatMs(gapMs)}`,
    mark: `${formatMs(closesAtMs - early.arrivedAtMs)} too early`,
  })
}

/** No re-send inside the window; and whether one came after it. */
export function judgeWindow(hinted: Hinted, window: Window): Reason[] {
  const early = earlyAttempts(hinted, window)
  if (early.length > 0) return early.map((attempt) => tooEarly(hinted, window, attempt))
  const { later, attempt, hint, contract, index } = hinted
  const next = later[0]
  if (next === undefined) return [judgeGivingUp(hinted, window)]
  const at = { rule: ruleOfHint(attempt, hint, contract), trial: index, attempt: next.number }
  const waited = `attempt ${next.number} waited out the ${formatWait(window.waitMs)} that a ${attempt.status} asked for`
  if (isOverCap(hinted, window) && contract.retryAfter?.overCap === 'fail') {
    const capMs = contract.retryAfter.capMs ?? 0
    return [
      fail({
        ...at,
        text: `${waited}, although the contract promises to give up above ${formatWait(capMs)}`,
        expected: `no attempt after a wait above ${formatMs(capMs)}`,
        received: `gap = ${formatMs(next.arrivedAtMs - hint.opensAtMs)}`,
        mark: 'above the cap',
      }),
    ]
  }
  return [pass({ ...at, text: waited })]
}

const isOverCap = ({ contract }: Hinted, { waitMs }: Window): boolean =>
  waitMs > (contract.retryAfter?.capMs ?? Number.POSITIVE_INFINITY)

/** Giving up is kept where it is the required answer; otherwise it shows nothing. */
function judgeGivingUp(hinted: Hinted, window: Window): Reason {
  const { attempt, hint, contract, trial, index, attempts } = hinted
  const call = callOf(trial, attempt)
  const asked = `a ${attempt.status} that asked for ${formatWait(window.waitMs)}`
  const at = { rule: ruleOfHint(attempt, hint, contract), trial: index, attempt: attempt.number }
  if (isUnsettled(call)) return inconclusive({ ...at, text: `the call was still waiting after ${asked} when the trial ended` })
  const endsAtMs = call === undefined ? null : call.startedAtMs + (contract.deadlineMs ?? Number.POSITIVE_INFINITY)
  if (endsAtMs !== null && window.closesAtMs > endsAtMs) {
    return pass({ ...at, text: `the client gave up after ${asked}, which does not fit into its deadline` })
  }
  if (!isOverCap(hinted, window)) {
    return inconclusive({ ...at, text: `the client gave up after ${asked}, so there was no wait to judge` })
  }
  const hadReasonToWait =
    contract.retryAfter?.overCap === 'wait' &&
    attempt === attempts[0] &&
    isIdempotent(attempt.method) &&
    contract.maxAttempts !== 1
  if (hadReasonToWait && !abortedBy(call, Number.POSITIVE_INFINITY)) {
    return fail({
      ...at,
      text: `the client gave up after ${asked}, although the contract promises to wait above its cap`,
      expected: `an attempt after ${formatMs(window.waitMs)}`,
      received: 'no further attempt',
      mark: 'given up',
    })
  }
  return pass({ ...at, text: `the client gave up after ${asked}, which is above its cap` })
}

/** Zero, or a date that has passed: any gap is allowed, but the own backoff is better manners than none. */
export function judgePassed({ attempt, hint, contract, trial, later, index }: Hinted): Reason[] {
  const next = later[0]
  const rule = ruleOfHint(attempt, hint, contract)
  if (next === undefined) {
    return [
      inconclusive({
        rule,
        trial: index,
        attempt: attempt.number,
        text: `the client gave up after a ${attempt.status} that asked for no wait`,
      }),
    ]
  }
  const gapMs = next.arrivedAtMs - (endOf(attempt) ?? hint.opensAtMs)
  const said = hint.kind === 'date' ? 'whose date had passed' : 'that asked for 0 s'
  const at = { rule, level: 'should' as const, trial: index, attempt: next.number }
  if (gapMs >= toleranceMs(trial)) {
    return [
      inconclusive({
        ...at,
        text: `attempt ${next.number} came ${formatMs(gapMs)} after a ${attempt.status} ${said}: any gap is allowed`,
      }),
    ]
  }
  return [
    fail({
      ...at,
      text: `attempt ${next.number} came at once after a ${attempt.status} ${said}`,
      expected: 'gap > 0 ms, the own backoff',
      received: `gap = ${formatMs(gapMs)}`,
      mark: 'at once',
    }),
  ]
}
