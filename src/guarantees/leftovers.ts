import type { Trial } from '../trace/model.js'
import type { Reason } from './model.js'
import { defineGuarantee, eachTrial, fail, inconclusive, pass } from './verdict.js'
import { callOf, isUnsettled, toleranceMs } from './wire.js'
import { formatMs, formatWait, listed, plural } from './words.js'

/** Frames of node's own code: what it keeps is its own business. */
const isPlatformFrame = (frame: string): boolean => /(^|\()node:/.test(frame)

const nameOfRejection = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : typeof error)

/** On its way when the caller aborted: neither side could still stop it. */
function wasUnderWay(record: Trial, number: number): boolean {
  const attempt = record.attempts.find((other) => other.number === number)
  const abortedAtMs = attempt === undefined ? null : (callOf(record, attempt)?.abortedAtMs ?? null)
  return attempt !== undefined && abortedAtMs !== null && attempt.arrivedAtMs <= abortedAtMs + toleranceMs(record)
}

function leftBehind(record: Trial, trial: number): Reason[] {
  const { leftovers, attempts } = record
  const at = { rule: 'DDL-10', trial, expected: 'nothing' } as const
  const timers = leftovers.timers.filter(({ refed, byUserCode }) => refed && byUserCode)
  const listeners = leftovers.abortListeners.filter((frame) => !isPlatformFrame(frame))
  return [
    ...leftovers.attempts
      .filter((number) => !wasUnderWay(record, number))
      .map((number) => {
        const arrivedAtMs = attempts.find((attempt) => attempt.number === number)?.arrivedAtMs
        return fail({
          ...at,
          rule: 'BKO-03',
          attempt: number,
          text: `attempt ${number} came after every call had settled`,
          expected: 'no attempt after settling',
          received: arrivedAtMs === undefined ? 'an attempt' : `attempt ${number} at ${formatMs(arrivedAtMs)}`,
          mark: 'after settling',
        })
      }),
    ...timers.map(({ delayMs, origin }) =>
      fail({
        ...at,
        text: `a timer of ${formatWait(delayMs)} outlived the call: ${origin}`,
        received: 'a timer that keeps the process alive',
      }),
    ),
    ...listeners.map((frame) =>
      fail({ ...at, text: `a listener stayed on the caller's signal: ${frame}`, received: 'an abort listener' }),
    ),
    ...leftovers.unreadAnswers.map((socket) =>
      fail({ ...at, text: `connection ${socket} was left with an answer that nobody read`, received: 'an unread answer' }),
    ),
    ...leftovers.unhandledRejections.map((error) =>
      fail({ ...at, text: `a rejection was handled by nobody: ${nameOfRejection(error)}`, received: 'an unhandled rejection' }),
    ),
  ]
}

/** Nothing outlives the call. */
export const leftovers = defineGuarantee({
  id: 'leftovers',
  level: 'must',
  stage: 3,
  source: 'eng',
  requirement: 'leave nothing behind once the call has settled',
  rule: 'DDL-10',
  unmet: 'no call of this client was seen to settle',
  advice: 'give a client, or a trial of `runTrial`',
  reasons: eachTrial((trial, _contract, index) => {
    const open = trial.calls.filter((call) => isUnsettled(call) || call.settledAtMs === null)
    if (open.length > 0) {
      const names = listed(open.map((call) => call.index + 1))
      return [
        inconclusive({ rule: 'DDL-10', trial: index, text: `call ${names} never settled, so nothing can have outlived it` }),
      ]
    }
    const found = leftBehind(trial, index)
    if (found.length > 0) return found
    if (trial.calls.length === 0 || trial.attempts.length === 0) return []
    return [pass({ rule: 'DDL-10', trial: index, text: `nothing was left after ${plural(trial.calls.length, 'call')}` })]
  }),
})
