import { hintOf } from '../trace/hints.js'
import type { Attempt, Trial } from '../trace/model.js'
import { endOf } from '../trace/operations.js'
import { bandOf } from './backoff-band.js'
import { judgeFirstWaits, LEAST_GAP_MS } from './backoff-fleet.js'
import { classify, hintHeadersOf } from './classification.js'
import type { Contract } from './contract.js'
import type { Reason } from './model.js'
import { judgeSecondWave } from './second-wave.js'
import { defineGuarantee, eachTrial, fail, pass } from './verdict.js'
import {
  answerOf,
  attemptsOf,
  attributedOperations,
  callOf,
  hasStrays,
  isSuccess,
  judgesLateness,
  succeeded,
  toleranceMs,
} from './wire.js'
import { formatMs, plural } from './words.js'

/** A wait that the client chose itself: after a failure, and without a hint in force. */
export interface OwnWait {
  readonly trial: Trial
  readonly index: number
  readonly attempt: Attempt
  readonly previous: Attempt
  readonly gapMs: number
  /** 1 for the first re-send of its operation. */
  readonly count: number
  /** The own wait before it; null when there was none. */
  readonly previousMs: number | null
}

function wasHinted(attempt: Attempt, contract: Contract): boolean {
  const hint = hintOf(attempt, { headers: ['retry-after', ...hintHeadersOf(contract)] })
  return hint !== null && hint.kind !== 'malformed'
}

/** A failure that a client backs off from: redirects, log-ins and successes are none. */
function isFailure(attempt: Attempt, contract: Contract): boolean {
  const { status, answerComplete } = attempt
  if (status === null || !answerComplete) return true
  return !isSuccess(status) && status >= 400 && classify(attempt, contract).class !== 'permanent'
}

function ownWaits(trial: Trial, contract: Contract, index: number): OwnWait[] {
  if (hasStrays(trial)) return []
  return attributedOperations(trial).flatMap((operation) => {
    let previousMs: number | null = null
    return attemptsOf(trial, operation).flatMap((attempt, count, all): OwnWait[] => {
      const previous = all[count - 1]
      const endedAtMs = previous === undefined ? null : endOf(previous)
      if (previous === undefined || endedAtMs === null || attempt.arrivedAtMs < endedAtMs) return []
      if (wasHinted(previous, contract) || !isFailure(previous, contract)) return []
      const gapMs = attempt.arrivedAtMs - endedAtMs
      const wait = { trial, index, attempt, previous, gapMs, count, previousMs }
      previousMs = gapMs
      return [wait]
    })
  })
}

function judgeBand({ trial, index, attempt, previous, gapMs, count, previousMs }: OwnWait, contract: Contract): Reason[] {
  if (contract.backoff === undefined) return []
  const { lowMs, highMs } = bandOf(contract.backoff, count, previousMs)
  const slackMs = toleranceMs(trial)
  const at = { rule: 'BKO-05', trial: index, attempt: attempt.number } as const
  const expected = lowMs === highMs ? `gap = ${formatMs(lowMs)}` : `${formatMs(lowMs)} ≤ gap ≤ ${formatMs(highMs)}`
  const came = `attempt ${attempt.number} came ${formatMs(gapMs)} after ${answerOf(previous)}`
  const received = `gap = ${formatMs(gapMs)}`
  if (gapMs < lowMs - slackMs) {
    return [
      fail({
        ...at,
        text: `${came}, earlier than the declared ${formatMs(lowMs)}`,
        expected,
        received,
        mark: `${formatMs(lowMs - gapMs)} too early`,
      }),
    ]
  }
  if (judgesLateness(trial) && gapMs > highMs + slackMs) {
    return [
      fail({
        ...at,
        text: `${came}, later than the declared ${formatMs(highMs)}`,
        expected,
        received,
        mark: `${formatMs(gapMs - highMs)} too late`,
      }),
    ]
  }
  return [pass({ ...at, text: `${came}, inside the declared band` })]
}

/** Between the last answer and settling there is nothing left to wait for. */
function judgeEnd(trial: Trial, contract: Contract, index: number): Reason[] {
  if (!judgesLateness(trial) || hasStrays(trial)) return []
  return attributedOperations(trial).flatMap((operation) => {
    const attempts = attemptsOf(trial, operation)
    const last = attempts.at(-1)
    const call = last === undefined ? undefined : callOf(trial, last)
    const endedAtMs = last === undefined ? null : endOf(last)
    if (last === undefined || call === undefined || endedAtMs === null || call.settledAtMs === null) return []
    const isLastOfCall = trial.attempts.every(({ number, call: other }) => other !== last.call || number <= last.number)
    // What a deadline or the caller cut short is no wait for nothing: the deadline's own guarantee judges it.
    const endsAtMs = call.startedAtMs + (contract.deadlineMs ?? Number.POSITIVE_INFINITY)
    const wasCut = call.abortedAtMs !== null || call.settledAtMs >= endsAtMs - toleranceMs(trial)
    const waitedMs = call.settledAtMs - endedAtMs
    if (!isLastOfCall || wasCut || succeeded(last) || attempts.length < 2 || waitedMs < LEAST_GAP_MS) return []
    return [
      fail({
        rule: 'BKO-11',
        trial: index,
        attempt: last.number,
        text: `the call waited ${formatMs(waitedMs)} after attempt ${last.number}, the last of ${plural(attempts.length, 'attempt')}`,
        expected: `settled at ${formatMs(endedAtMs)}`,
        received: `settled at ${formatMs(call.settledAtMs)}`,
        mark: `${formatMs(waitedMs)} of waiting for nothing`,
      }),
    ]
  })
}

/** Gaps inside the declared band, capped, spread over runs, and none after the last attempt. */
export const backoff = defineGuarantee({
  id: 'backoff',
  level: 'must',
  stage: 2,
  source: 'Azure Core guidelines, AWS',
  requirement: 'wait between attempts, as declared, and no two clients alike',
  rule: 'BKO-05',
  unmet: 'too little was seen to judge the waits',
  advice:
    "use a schedule such as [503] without Retry-After, `call: { method: 'GET' }` for a client that never retries POST, and 50 seeds",
  reasons(trials, contract) {
    const waits = trials.flatMap((trial, index) => ownWaits(trial, contract, index))
    return [
      ...waits.flatMap((wait) => judgeBand(wait, contract)),
      ...eachTrial(judgeEnd)(trials, contract),
      ...judgeFirstWaits(waits, contract),
      ...judgeSecondWave(trials),
    ]
  },
})
