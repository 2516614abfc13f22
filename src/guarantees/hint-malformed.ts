import { endOf } from '../trace/operations.js'
import { ruleOfMalformed } from './hint-rules.js'
import type { Hinted } from './hint-window.js'
import type { Reason } from './model.js'
import { twinsOf } from './twin.js'
import { type Finding, fail, inconclusive, pass } from './verdict.js'
import { answerOf, attemptsOf, callOf, isUnsettled, judgesLateness, toleranceMs } from './wire.js'
import { formatMs, formatWait } from './words.js'

const LONGEST_OWN_WAIT_MS = 3_600_000

/** The gaps that followed the same attempt in the trials without the header, shortest first. */
function gapsOfTwins({ trials, index, attempts, attempt, operation }: Hinted): readonly number[] {
  const position = attempts.indexOf(attempt)
  const gaps = twinsOf(trials, index).flatMap((twin) => {
    const counterpart = twin.operations.find(
      ({ method, path, call }) => method === operation.method && path === operation.path && call === operation.call,
    )
    if (counterpart === undefined) return []
    const [before, after] = attemptsOf(twin, counterpart).slice(position, position + 2)
    const endedAtMs = before === undefined ? null : endOf(before)
    return endedAtMs === null || after === undefined ? [] : [after.arrivedAtMs - endedAtMs]
  })
  return gaps.toSorted((a, b) => a - b)
}

/** A hint against the grammar counts as absent: the client comes back as it does without it, and it does come back or settle. */
export function judgeMalformed(hinted: Hinted): Reason[] {
  const { attempt, later, hint, trial, index } = hinted
  const rule = ruleOfMalformed(hint)
  const header = `${answerOf(attempt)} with ${hint.header}: ${hint.raw === '' ? '(empty)' : hint.raw}`
  const next = later[0]
  const at = { rule, trial: index, attempt: next?.number ?? attempt.number }
  if (next === undefined) return [judgeSilence(hinted, header)]
  const gapMs = next.arrivedAtMs - (endOf(attempt) ?? hint.opensAtMs)
  const ownGapsMs = gapsOfTwins(hinted)
  const limitMs = Math.max(LONGEST_OWN_WAIT_MS, 10 * (ownGapsMs.at(-1) ?? 0))
  if (judgesLateness(trial) && gapMs > limitMs) {
    return [
      fail({
        ...at,
        text: `attempt ${next.number} came only ${formatWait(gapMs)} after ${header}`,
        expected: `gap ≤ ${formatMs(limitMs)}`,
        received: `gap = ${formatMs(gapMs)}`,
        mark: `${formatMs(gapMs - limitMs)} too late`,
      }),
    ]
  }
  return [comparedWithTwins({ gapMs, ownGapsMs, header, next: next.number, toleranceMs: toleranceMs(trial), at })]
}

interface Comparison {
  readonly gapMs: number
  /** The same gap without the header, shortest first. */
  readonly ownGapsMs: readonly number[]
  readonly header: string
  readonly next: number
  readonly toleranceMs: number
  readonly at: Pick<Finding, 'rule' | 'trial' | 'attempt'>
}

function comparedWithTwins({ gapMs, ownGapsMs, header, next, toleranceMs, at }: Comparison): Reason {
  const came = `attempt ${next} came ${formatMs(gapMs)} after ${header}`
  const [ownMs, longestMs] = [ownGapsMs[0], ownGapsMs.at(-1)]
  if (ownMs === undefined || longestMs === undefined) {
    return inconclusive({
      ...at,
      text: `${came}; no trial without the header, with the same seed, tells when it would come by itself`,
    })
  }
  if (gapMs >= ownMs - toleranceMs) return pass({ ...at, text: `${came}, no earlier than without the header` })
  // Dice that are not the trial's fall differently each time: then a shorter wait is no sign that the header was read.
  if (longestMs - ownMs > toleranceMs) {
    return inconclusive({
      ...at,
      text: `${came}; without the header it came after ${formatMs(ownMs)} or ${formatMs(longestMs)}, though the seed was the same: the client keeps state beyond a trial`,
    })
  }
  return fail({
    ...at,
    text: `${came}; without the header it came after ${formatMs(ownMs)}`,
    expected: `gap ≥ ${formatMs(ownMs)}`,
    received: `gap = ${formatMs(gapMs)}`,
    mark: `${formatMs(ownMs - gapMs)} earlier than without the header`,
  })
}

function judgeSilence({ attempt, hint, trial, trials, index }: Hinted, header: string): Reason {
  const rule = ruleOfMalformed(hint)
  const at = { rule, trial: index, attempt: attempt.number }
  const call = callOf(trial, attempt)
  const isLast = trial.attempts.every(({ number, call: other }) => other !== attempt.call || number <= attempt.number)
  const alsoWithout = twinsOf(trials, index).some((twin) => twin.calls.some((other) => isUnsettled(other)))
  if (!isUnsettled(call) || !isLast || alsoWithout) {
    return inconclusive({ ...at, text: `the client gave up after ${header}` })
  }
  return fail({
    ...at,
    level: 'must',
    text: `the call never settled after ${header}`,
    expected: 'an attempt after the own backoff, or an error',
    received: 'neither: the call is unsettled',
    mark: 'nothing follows',
  })
}
