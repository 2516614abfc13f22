import { endOf } from '../trace/operations.js'
import { ruleOfMalformed } from './hint-rules.js'
import type { Hinted } from './hint-window.js'
import type { Reason } from './model.js'
import { twinOf } from './twin.js'
import { fail, inconclusive, pass } from './verdict.js'
import { answerOf, attemptsOf, callOf, isUnsettled, judgesLateness, toleranceMs } from './wire.js'
import { formatMs, formatWait } from './words.js'

const LONGEST_OWN_WAIT_MS = 3_600_000

/** The gap that followed the same attempt in the trial without the header. */
function gapOfTwin(hinted: Hinted): number | null {
  const { trials, index, attempts, attempt, operation } = hinted
  const twin = twinOf(trials, index)
  const counterpart = twin?.operations.find(
    ({ method, path, call }) => method === operation.method && path === operation.path && call === operation.call,
  )
  if (twin === null || counterpart === undefined) return null
  const position = attempts.indexOf(attempt)
  const [before, after] = attemptsOf(twin, counterpart).slice(position, position + 2)
  const endedAtMs = before === undefined ? null : endOf(before)
  return endedAtMs === null || after === undefined ? null : after.arrivedAtMs - endedAtMs
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
  const ownMs = gapOfTwin(hinted)
  const limitMs = Math.max(LONGEST_OWN_WAIT_MS, 10 * (ownMs ?? 0))
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
  if (ownMs === null) {
    return [
      inconclusive({
        ...at,
        text: `attempt ${next.number} came ${formatMs(gapMs)} after ${header}; no trial without the header, with the same seed, tells when it would come by itself`,
      }),
    ]
  }
  if (gapMs < ownMs - toleranceMs(trial)) {
    return [
      fail({
        ...at,
        text: `attempt ${next.number} came ${formatMs(gapMs)} after ${header}; without the header it came after ${formatMs(ownMs)}`,
        expected: `gap ≥ ${formatMs(ownMs)}`,
        received: `gap = ${formatMs(gapMs)}`,
        mark: `${formatMs(ownMs - gapMs)} earlier than without the header`,
      }),
    ]
  }
  return [
    pass({ ...at, text: `attempt ${next.number} came ${formatMs(gapMs)} after ${header}, no earlier than without the header` }),
  ]
}

function judgeSilence({ attempt, hint, trial, trials, index }: Hinted, header: string): Reason {
  const rule = ruleOfMalformed(hint)
  const at = { rule, trial: index, attempt: attempt.number }
  const call = callOf(trial, attempt)
  const isLast = trial.attempts.every(({ number, call: other }) => other !== attempt.call || number <= attempt.number)
  const twin = twinOf(trials, index)
  const alsoWithout = twin?.calls.some((other) => isUnsettled(other)) ?? false
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
