import type { Attempt, CallRecord, Trial } from '../trace/model.js'
import { endOf } from '../trace/operations.js'
import type { Reason } from './model.js'
import type { RuleId } from './rules.js'
import { defineGuarantee, eachTrial, fail, inconclusive, pass } from './verdict.js'
import { attemptsOfCall, judgesLateness, toleranceMs } from './wire.js'
import { formatMs } from './words.js'

const PROMPT_MS = 100

/** An aborted call and what it was doing at that moment. */
interface Aborted {
  readonly trial: Trial
  readonly index: number
  readonly call: CallRecord
  readonly attempts: readonly Attempt[]
  readonly abortedAtMs: number
  readonly rule: RuleId
  readonly moment: string
}

function momentOf(attempts: readonly Attempt[], abortedAtMs: number): Pick<Aborted, 'rule' | 'moment'> {
  const open = attempts.filter(
    (attempt) => attempt.arrivedAtMs <= abortedAtMs && (endOf(attempt) ?? Number.POSITIVE_INFINITY) >= abortedAtMs,
  )
  const current = open.at(-1)
  if (current === undefined) return { rule: 'DDL-04', moment: 'during a wait' }
  const inBody = current.headersAtMs !== null && current.headersAtMs <= abortedAtMs && endOf(current) !== current.headersAtMs
  return { rule: 'DDL-05', moment: `during ${inBody ? 'the body of ' : ''}attempt ${current.number}` }
}

function abortedCalls(trial: Trial, index: number): Aborted[] {
  return trial.calls.flatMap((call) => {
    const { abortedAtMs } = call
    if (abortedAtMs === null) return []
    const attempts = attemptsOfCall(trial, call)
    const isEarly = call.abortedBeforeCall ?? abortedAtMs <= call.startedAtMs
    const moment = isEarly ? { rule: 'DDL-06' as const, moment: 'before the call' } : momentOf(attempts, abortedAtMs)
    return [{ trial, index, call, attempts, abortedAtMs, ...moment }]
  })
}

/** Nothing is sent for a call that is aborted already, and nothing more once it is. */
function judgeSending({ trial, index, attempts, abortedAtMs, rule, moment }: Aborted): Reason[] {
  const later = attempts.filter(({ arrivedAtMs }) => (rule === 'DDL-06' ? true : arrivedAtMs > abortedAtMs + toleranceMs(trial)))
  return later.map(({ number, arrivedAtMs }) =>
    fail({
      rule,
      trial: index,
      attempt: number,
      text: `attempt ${number} came ${formatMs(arrivedAtMs - abortedAtMs)} after the caller had aborted ${moment}`,
      expected: 'no attempt after the abort',
      received: `attempt ${number} at ${formatMs(arrivedAtMs)}`,
      mark: 'after the abort',
    }),
  )
}

function judgeSettling({ trial, index, call, attempts, abortedAtMs, rule, moment }: Aborted): Reason {
  const { settledAtMs, outcome } = call
  const at = { rule, trial: index, attempt: attempts.at(-1)?.number ?? null }
  if (outcome.kind === 'unobserved') return inconclusive({ ...at, text: 'how the call ended was not observed' })
  if (settledAtMs === null) {
    return fail({
      ...at,
      text: `the call never settled after the caller aborted ${moment}`,
      expected: `settled within ${formatMs(PROMPT_MS)}`,
      received: 'unsettled',
      mark: 'never given up',
    })
  }
  const tookMs = settledAtMs - abortedAtMs
  const received = `settled after ${formatMs(tookMs)}`
  if (judgesLateness(trial) && tookMs > PROMPT_MS) {
    return fail({
      ...at,
      text: `the call settled ${formatMs(tookMs)} after the caller aborted ${moment}`,
      expected: `settled within ${formatMs(PROMPT_MS)}`,
      received,
      mark: 'not given up at once',
    })
  }
  if (outcome.kind === 'resolved') {
    // An answer that comes in the same millisecond as the abort has won the race.
    if (tookMs <= toleranceMs(trial) && rule !== 'DDL-06')
      return inconclusive({ ...at, text: 'the call resolved as it was aborted' })
    return fail({
      ...at,
      text: `the call resolved although the caller aborted ${moment}`,
      expected: 'rejected',
      received: 'resolved',
      mark: 'not given up',
    })
  }
  if (!judgesLateness(trial))
    return inconclusive({
      ...at,
      text: `the call rejected ${formatMs(tookMs)} after the abort; only the virtual clock says whether that is prompt`,
    })
  return pass({ ...at, text: `the call rejected ${formatMs(tookMs)} after the caller aborted ${moment}, and sent nothing more` })
}

/** After the caller's abort the call rejects promptly, and sends nothing more. */
export const abort = defineGuarantee({
  id: 'abort',
  level: 'must',
  stage: 2,
  source: 'Azure Core guidelines, cancellation',
  requirement: 'settle at once when the caller aborts, and send nothing more',
  rule: 'DDL-04',
  unmet: 'no call was aborted while it was under way',
  advice: "use `abort: 'during-wait'` or `abortAtMs`",
  inapplicable: (_trials, contract) => (contract.abort === false ? 'the contract says that the client takes no signal' : null),
  reasons: eachTrial((trial, _contract, index) => {
    if (trial.client.takesSignal === false) {
      return [
        inconclusive({
          rule: 'DDL-04',
          trial: index,
          text: 'the client takes no signal',
          expected: 'a client that takes the signal, or `abort: false` in the contract',
        }),
      ]
    }
    return abortedCalls(trial, index).flatMap((aborted) => {
      const { settledAtMs } = aborted.call
      if (settledAtMs !== null && settledAtMs < aborted.abortedAtMs) {
        return [inconclusive({ rule: aborted.rule, trial: index, text: 'the call had settled before it was aborted' })]
      }
      const sent = judgeSending(aborted)
      return sent.length > 0 ? sent : [judgeSettling(aborted)]
    })
  }),
})
