import { hintOf } from '../trace/hints.js'
import type { Attempt, CallRecord, Trial } from '../trace/model.js'
import { endOf } from '../trace/operations.js'
import { hintHeadersOf } from './classification.js'
import type { Contract } from './contract.js'
import type { Reason } from './model.js'
import type { RuleId } from './rules.js'
import { defineGuarantee, eachTrial, fail, inconclusive, pass } from './verdict.js'
import { attemptsOfCall, faultOf, hasStrays, isSuccess, judgesLateness, succeeded, toleranceMs } from './wire.js'
import { formatMs, formatWait } from './words.js'

/** What a client may take to react to a signal. */
const SIGNAL_SLACK_MS = 100
/** undici drives its time-outs by a timer that ticks every 499 ms (lib/util/timers.js). */
const UNDICI_TICK_MS = 499

/** One call against its deadline; times are those of the trial. */
interface Timed {
  readonly trial: Trial
  readonly index: number
  readonly call: CallRecord
  readonly attempts: readonly Attempt[]
  readonly contract: Contract
  readonly deadlineMs: number
  readonly endsAtMs: number
  readonly slackMs: number
}

/** What held the call up decides which rule it broke. */
function ruleOfLateness({ attempts, contract }: Timed): RuleId {
  const last = attempts.at(-1)
  if (last === undefined) return 'DDL-01'
  if (faultOf(last) === 'informational') return 'NET-05'
  if (last.step !== null && 'status' in last.step) {
    if (last.step.dripMs !== undefined) return 'DDL-08'
    if (last.step.stall === 'body' || last.step.bodyDelayMs !== undefined) return 'DDL-07'
  }
  return hintOf(last, { headers: hintHeadersOf(contract) }) === null ? 'DDL-01' : 'RAF-12'
}

function judgeArrivals(timed: Timed): Reason[] {
  const { attempts, endsAtMs, slackMs, deadlineMs, index } = timed
  return attempts
    .filter(({ arrivedAtMs }) => arrivedAtMs > endsAtMs + slackMs)
    .map(({ number, arrivedAtMs }) =>
      fail({
        rule: 'DDL-01',
        trial: index,
        attempt: number,
        text: `attempt ${number} came ${formatMs(arrivedAtMs - endsAtMs)} after the deadline of ${formatWait(deadlineMs)}`,
        expected: `no attempt after ${formatMs(endsAtMs)}`,
        received: `attempt ${number} at ${formatMs(arrivedAtMs)}`,
        mark: `${formatMs(arrivedAtMs - endsAtMs)} after the deadline`,
      }),
    )
}

function unsettled(timed: Timed): Reason {
  const { call, deadlineMs, attempts, index } = timed
  const at = { rule: ruleOfLateness(timed), level: 'must', trial: index, attempt: attempts.at(-1)?.number ?? null } as const
  const { outcome } = call
  if (outcome.kind === 'unsettled' && outcome.reason !== 'stall') {
    return fail({
      ...at,
      text: `the call never settled, with a deadline of ${formatWait(deadlineMs)}`,
      expected: `settled within ${formatMs(deadlineMs)}`,
      received: `unsettled (${outcome.reason})`,
      mark: 'never given up',
    })
  }
  return inconclusive({ ...at, text: 'when the call settled is not known' })
}

function tooLate(timed: Timed, tookMs: number): Reason {
  const { deadlineMs, slackMs, index } = timed
  const offTickMs = Math.abs(tookMs - Math.round(tookMs / UNDICI_TICK_MS) * UNDICI_TICK_MS)
  const isTick = tookMs - deadlineMs <= 2 * UNDICI_TICK_MS && offTickMs <= 1
  const within = `settled within ${formatMs(deadlineMs)}`
  return fail({
    rule: ruleOfLateness(timed),
    level: 'must',
    trial: index,
    text:
      `the call settled ${formatMs(tookMs - deadlineMs)} after its deadline of ${formatWait(deadlineMs)}` +
      (isTick ? ", on a tick of undici's coarse timer" : ''),
    expected: slackMs === SIGNAL_SLACK_MS ? `${within} and ${formatMs(slackMs)} for the signal` : within,
    received: `settled after ${formatMs(tookMs)}`,
  })
}

/** A wait after the last answer that ended without an attempt: it was known at its start that it would not fit. */
function judgeGivingUp({ attempts, call, contract, deadlineMs, index, trial }: Timed, settledAtMs: number): Reason[] {
  const last = attempts.at(-1)
  const endedAtMs = last === undefined ? null : endOf(last)
  if (last === undefined || endedAtMs === null || succeeded(last) || call.abortedAtMs !== null) return []
  const sleptMs = settledAtMs - endedAtMs
  if (sleptMs <= toleranceMs(trial)) return []
  const isHinted = hintOf(last, { headers: hintHeadersOf(contract) }) !== null
  return [
    fail({
      rule: isHinted ? 'RAF-12' : 'DDL-03',
      level: 'should',
      trial: index,
      attempt: last.number,
      text: `the call waited ${formatMs(sleptMs)} after attempt ${last.number}, for an attempt that did not fit into the deadline of ${formatWait(deadlineMs)}`,
      expected: `settled at ${formatMs(endedAtMs)}`,
      received: `settled at ${formatMs(settledAtMs)}`,
      mark: `${formatMs(sleptMs)} of waiting for nothing`,
    }),
  ]
}

/** Some clients return the answer that they could not get round, as `fetch` does. */
const gaveUp = ({ outcome }: CallRecord): boolean =>
  outcome.kind === 'rejected' || (outcome.kind === 'resolved' && outcome.status !== undefined && !isSuccess(outcome.status))

/** In time counts only where time was short: beyond half the deadline, or with a hint longer than what was left. */
function judgePressure({ attempts, call, contract, deadlineMs, endsAtMs, index }: Timed, tookMs: number): Reason {
  const at = { rule: 'DDL-01', trial: index } as const
  if (tookMs > deadlineMs / 2) {
    return pass({ ...at, text: `the call settled after ${formatMs(tookMs)}, within its deadline of ${formatWait(deadlineMs)}` })
  }
  const last = attempts.at(-1)
  const hint = last === undefined ? null : hintOf(last, { headers: hintHeadersOf(contract) })
  if (hint !== null && (hint.closesAtMs ?? 0) > endsAtMs && gaveUp(call)) {
    const asked = `a wait of ${formatWait(hint.waitMs ?? 0)}`
    return pass({
      ...at,
      rule: 'RAF-12',
      attempt: last?.number,
      text: `the call gave up at once when asked for ${asked}, which did not fit`,
    })
  }
  return inconclusive({ ...at, text: `the call settled after ${formatMs(tookMs)}, before time was short` })
}

function judgeCall(timed: Timed): Reason[] {
  const { call, contract, deadlineMs, slackMs } = timed
  const late = judgeArrivals(timed)
  if (call.settledAtMs === null) return [...late, unsettled(timed)]
  const tookMs = call.settledAtMs - call.startedAtMs
  if (tookMs > deadlineMs + slackMs) return [...late, tooLate(timed, tookMs)]
  if (late.length > 0) return late
  // With a signal the client cannot know how much time is left; an attempt that may be any call's may be the last of this one.
  const isKnown = contract.deadlineBy !== 'signal' && !hasStrays(timed.trial)
  const wasted = isKnown ? judgeGivingUp(timed, call.settledAtMs) : []
  return [...wasted, judgePressure(timed, tookMs)]
}

/** Settles, its body read to the end, by the deadline; nothing arrives after it. */
export const deadline = defineGuarantee({
  id: 'deadline',
  level: 'must',
  stage: 2,
  source: 'eng',
  requirement: 'settle by the deadline, and send nothing after it',
  rule: 'DDL-01',
  unmet: 'no call went beyond half the deadline',
  advice: 'use a schedule that takes time, such as ["hang"] or [{ status: 503, retryAfter: 3600 }]',
  inapplicable: (_trials, { deadlineMs }) => (deadlineMs === undefined ? 'the contract promises no deadline' : null),
  reasons: eachTrial((trial, contract, index) => {
    const { deadlineMs } = contract
    if (deadlineMs === undefined) return []
    if (!judgesLateness(trial)) {
      return [
        inconclusive({
          rule: 'DDL-01',
          trial: index,
          text: 'on the real clock nothing is judged to be late',
          expected: 'the virtual clock',
        }),
      ]
    }
    const slackMs = contract.deadlineBy === 'signal' ? SIGNAL_SLACK_MS : toleranceMs(trial)
    return trial.calls.flatMap((call) =>
      judgeCall({
        trial,
        index,
        call,
        contract,
        deadlineMs,
        slackMs,
        attempts: attemptsOfCall(trial, call),
        endsAtMs: call.startedAtMs + deadlineMs,
      }),
    )
  }),
})
