import type { Attempt, CallRecord, Trial } from '../trace/model.js'
import type { Contract } from './contract.js'
import type { Reason } from './model.js'
import { mayBeUsedUp, resendsIn } from './used-up.js'
import { defineGuarantee, eachTrial, exempt, fail, inconclusive, pass } from './verdict.js'
import { answerOf, attemptsOfCall, succeeded } from './wire.js'
import { plural } from './words.js'

/** A promised budget or breaker is a reason to treat later calls otherwise, once it is used up. */
function isBeyondPromise(trial: Trial, { startedAtMs, settledAtMs }: CallRecord, { budget, breaker }: Contract): boolean {
  const before = trial.attempts.filter(
    ({ arrivedAtMs }) => arrivedAtMs < Math.max(settledAtMs ?? Number.POSITIVE_INFINITY, startedAtMs + 1),
  )
  const firsts = new Set(trial.operations.map(({ attempts }) => attempts[0]))
  const retries = before.filter(({ number }) => !firsts.has(number)).length
  const failures = before.filter((attempt) => !succeeded(attempt)).length
  return (budget !== undefined && retries >= resendsIn(budget)) || (breaker !== undefined && failures >= (breaker.failures ?? 0))
}

/** Given by the same step, to the letter: a date, or another hint or code under the same status, may rightly be treated otherwise. */
function sameAnswer(a: Attempt, b: Attempt): boolean {
  const isDated = a.step !== null && 'status' in a.step && typeof a.step.retryAfter === 'object'
  return a.result === b.result && !isDated && JSON.stringify(a.step) === JSON.stringify(b.step)
}

/** What the client did with the same answers; null as soon as the answers differ, since then nothing can be compared. */
function difference(one: readonly Attempt[], other: readonly Attempt[]): string | 'incomparable' | null {
  const length = Math.max(one.length, other.length)
  for (let position = 0; position < length; position++) {
    const [a, b] = [one[position], other[position]]
    const before = one[position - 1] ?? other[position - 1]
    if (a === undefined || b === undefined) {
      const after = before === undefined ? 'at its start' : `after ${answerOf(before)}`
      return `${plural(other.length, 'attempt')} instead of ${one.length}: ${b === undefined ? 'it gave up' : 'it went on'} ${after}`
    }
    if (!a.requestComplete || !b.requestComplete) return 'incomparable'
    if (a.method !== b.method || a.path !== b.path)
      return `${b.method} ${b.path} instead of ${a.method} ${a.path} as attempt ${position + 1}`
    if (!sameAnswer(a, b)) return 'incomparable'
  }
  return null
}

/** Beyond half the deadline it is the jitter that decides whether another attempt fits. */
function wasShortOfTime(trial: Trial, calls: readonly CallRecord[], { deadlineMs }: Contract): boolean {
  if (deadlineMs === undefined) return false
  return calls.some((call) =>
    attemptsOfCall(trial, call).some(({ arrivedAtMs }) => arrivedAtMs - call.startedAtMs >= deadlineMs / 2),
  )
}

function judgeCall(first: CallRecord, call: CallRecord, trial: Trial, contract: Contract, index: number): Reason {
  const attempts = attemptsOfCall(trial, call)
  const name = `call ${call.index + 1}`
  const at = { rule: 'ISO-01', trial: index, attempt: attempts.at(-1)?.number ?? null } as const
  const beyond = `${name} came after the promised budget or breaker may have been used up`
  if (isBeyondPromise(trial, call, contract)) return exempt({ ...at, text: beyond })
  const found = difference(attemptsOfCall(trial, first), attempts)
  if (found === 'incomparable') return inconclusive({ ...at, text: `${name} was given other answers than call 1` })
  const isOtherwise = found !== null || call.outcome.kind !== first.outcome.kind
  const bothOverMs = Math.max(...[first, call].map(({ settledAtMs }) => settledAtMs ?? Number.POSITIVE_INFINITY))
  if (isOtherwise && mayBeUsedUp(trial, contract, bothOverMs)) return exempt({ ...at, text: beyond })
  if (isOtherwise && (first.abortedAtMs !== null || call.abortedAtMs !== null))
    return inconclusive({ ...at, text: `${name} or call 1 was aborted` })
  if (isOtherwise && wasShortOfTime(trial, [first, call], contract))
    return inconclusive({ ...at, text: `${name} did otherwise than call 1 when time was short` })
  if (found !== null) {
    return fail({
      ...at,
      text: `${name} made ${found}`,
      expected: 'what call 1 did with the same answers',
      received: found,
      mark: `unlike call 1`,
    })
  }
  if (call.outcome.kind !== first.outcome.kind) {
    return fail({
      ...at,
      text: `${name} was ${call.outcome.kind}, call 1 was ${first.outcome.kind} after the same answers`,
      expected: first.outcome.kind,
      received: call.outcome.kind,
    })
  }
  return pass({ ...at, text: `${name} did what call 1 did` })
}

/** Call k behaves like call 1. */
export const isolation = defineGuarantee({
  id: 'isolation',
  level: 'must',
  stage: 3,
  source: 'eng',
  requirement: 'treat every call like the first',
  rule: 'ISO-01',
  unmet: 'no two calls were given the same answers, so there was nothing to compare',
  advice: 'use `calls: 8` and a function schedule that gives each call 503, then 200',
  reasons: eachTrial((trial, contract, index) => {
    const [first, ...others] = trial.calls
    const unattributed = trial.calls.length > 1 && trial.attempts.some(({ call }) => call === null)
    if (unattributed)
      return [inconclusive({ rule: 'ISO-01', trial: index, text: 'which attempt belongs to which call cannot be told' })]
    return first === undefined ? [] : others.map((call) => judgeCall(first, call, trial, contract, index))
  }),
})
