import type { Attempt, CallRecord, Trial } from '../trace/model.js'
import { endOf } from '../trace/operations.js'
import type { Reason } from './model.js'
import type { RuleId } from './rules.js'
import { defineGuarantee, eachTrial, fail, inconclusive, pass } from './verdict.js'
import { attemptsOfCall, callOf, isSuccess, isUnsettled, toleranceMs } from './wire.js'

/** What is wrong with a 2xx answer. */
interface Damage {
  readonly rule: RuleId
  readonly what: string
  /** Only who parses the answer can tell. */
  readonly isForParsers: boolean
}

/**
 * The client waited for the rest of the body, which did not come, and gave up. One that hangs up as soon as it has been sent something may
 * have had what it wanted: of an endless or dripping body it is never known.
 */
function gaveUpWaiting({ step, headersAtMs, hungUpAtMs }: Attempt, trial: Trial): boolean {
  if (step === null || !('status' in step) || headersAtMs === null || hungUpAtMs === null) return false
  const isSilent = step.stall === 'body' || hungUpAtMs < headersAtMs + (step.bodyDelayMs ?? 0)
  return isSilent && trial.clock === 'virtual' && hungUpAtMs > headersAtMs + toleranceMs(trial)
}

function damageOf(attempt: Attempt, trial: Trial): Damage | null {
  const { status, step, answerComplete, answerHeaders, hungUpAtMs } = attempt
  if (!isSuccess(status)) return null
  const answer = step !== null && 'status' in step ? step : null
  // A cut gzip stream may sit inside a message that is complete by its framing.
  if (answer?.truncate === 'gzip') return { rule: 'BDY-04', what: 'gzip stream was cut short', isForParsers: false }
  if (!answerComplete) {
    if (hungUpAtMs !== null) {
      // A consumer of streams may leave one when it likes; what the caller cut short is judged as an abort.
      const isOwnChoice = trial.client.streaming || callOf(trial, attempt)?.abortedAtMs != null || !gaveUpWaiting(attempt, trial)
      return isOwnChoice ? null : { rule: 'BDY-01', what: 'rest of the body had not come', isForParsers: false }
    }
    const isChunked = answerHeaders.some(([name, value]) => name === 'transfer-encoding' && /chunked/i.test(value))
    return { rule: isChunked ? 'BDY-02' : 'BDY-01', what: 'answer was incomplete', isForParsers: false }
  }
  return answer?.json === 'malformed' ? { rule: 'BDY-03', what: 'JSON was malformed', isForParsers: true } : null
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer)

/** The client parsed JSON: it says so, or it resolved with an object that holds the raw text where the parsed value belongs. */
function hasParsed({ client }: Trial, { outcome }: CallRecord, { answerBody }: Attempt): boolean {
  if (client.parses === 'json') return true
  if (outcome.kind !== 'resolved' || !isPlainObject(outcome.value) || outcome.bodyBytes !== undefined) return false
  const text = new TextDecoder().decode(answerBody)
  try {
    return Object.values(outcome.value).some((held) => held === text)
  } catch {
    return false // a getter of the user's object that throws
  }
}

const etagOf = ({ answerHeaders }: Attempt): string | undefined => answerHeaders.find(([name]) => name === 'etag')?.[1]

/** What a client put behind an answer that broke off (RFC 9110 §14), unless it hands the partial answer on as it came. */
function restOf(attempt: Attempt, own: readonly Attempt[], { outcome }: CallRecord): Attempt | null {
  const rest = own.at(-1)
  const isRest = rest !== undefined && rest.number > attempt.number && rest.operation === attempt.operation && rest.status === 206
  if (!isRest || !rest.answerComplete || outcome.kind !== 'resolved') return null
  // A caller that is handed the partial answer as it came knows what it is.
  const isHandedOn =
    outcome.body === undefined ? outcome.status === 206 : outcome.body === new TextDecoder().decode(rest.answerBody)
  return isHandedOn ? null : rest
}

/** How many bytes a partial answer says that it holds; undefined where it does not, or where coding makes it another number. */
function rangeLengthOf({ answerHeaders }: Attempt): number | undefined {
  if (answerHeaders.some(([name]) => name === 'content-encoding')) return undefined
  const value = answerHeaders.find(([name]) => name === 'content-range')?.[1] ?? ''
  const [, first, last] = /^bytes (\d+)-(\d+)\//i.exec(value) ?? []
  return first === undefined || last === undefined ? undefined : Number(last) - Number(first) + 1
}

/** The caller got both parts, all of them: a client that knows better takes from the second only what it lacks. */
function isPutTogether(attempt: Attempt, rest: Attempt, { outcome }: CallRecord): boolean {
  if (outcome.kind !== 'resolved') return false
  const decoded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
  const { value, body = value instanceof Uint8Array ? decoded(value) : value } = outcome
  return body === decoded(attempt.answerBody) + decoded(rest.answerBody)
}

/** Two parts that do not make one whole: of different versions, or of another length than was said. */
function judgeRest(attempt: Attempt, rest: Attempt, call: CallRecord, at: { rule: RuleId; trial: number }): Reason[] {
  const [before, after] = [etagOf(attempt), etagOf(rest)]
  const [said, held] = [rangeLengthOf(rest), rest.answerBody.length]
  const shared = { ...at, rule: 'BDY-06', attempt: rest.number, expected: 'one version, or an error' } as const
  if (before !== after) {
    return [
      fail({
        ...shared,
        text: `the call resolved with half of version ${before} from attempt ${attempt.number} and the rest of version ${after} from attempt ${rest.number}`,
        received: `${before} and ${after} in one body`,
        mark: 'another version',
      }),
    ]
  }
  if (said === undefined || said === held || !isPutTogether(attempt, rest, call)) return []
  return [
    fail({
      ...shared,
      text: `the call resolved with the ${held} bytes of attempt ${rest.number} behind half of attempt ${attempt.number}, although its Content-Range says ${said}`,
      received: `${held} bytes for a range of ${said}`,
      mark: 'not the range that it says',
    }),
  ]
}

function judgeDamage(attempt: Attempt, { rule, what, isForParsers }: Damage, trial: Trial, index: number): Reason[] {
  const call = callOf(trial, attempt)
  if (call === undefined || call.outcome.kind === 'unobserved') return []
  const at = { rule, trial: index, attempt: attempt.number }
  const own = attemptsOfCall(trial, call)
  const rest = restOf(attempt, own, call)
  const spliced = rest === null ? [] : judgeRest(attempt, rest, call, at)
  if (spliced.length > 0) return spliced
  const next = own.find(({ number, operation }) => number > attempt.number && operation === attempt.operation)
  if (next !== undefined)
    return [pass({ ...at, text: `attempt ${next.number} followed attempt ${attempt.number}, whose ${what}` })]
  if (isUnsettled(call))
    return [inconclusive({ ...at, text: `the call had not settled after attempt ${attempt.number}, whose ${what}` })]
  if (call.outcome.kind === 'rejected')
    return [pass({ ...at, text: `the call was rejected after attempt ${attempt.number}, whose ${what}` })]
  // Another request of the call came later: what the caller got may not be this answer.
  if (own.at(-1) !== attempt)
    return [inconclusive({ ...at, text: `the call went on with other requests after attempt ${attempt.number}, whose ${what}` })]
  if ((call.settledAtMs ?? 0) < (endOf(attempt) ?? 0))
    return [inconclusive({ ...at, text: `the call had resolved before the ${what}` })]
  if (isForParsers && !hasParsed(trial, call, attempt)) {
    return [inconclusive({ ...at, text: 'the client handed on the answer as it was: parsing is left to the caller' })]
  }
  return [
    fail({
      ...at,
      text: `the call resolved although the ${what} in attempt ${attempt.number}`,
      expected: 'rejected, or another attempt',
      received: 'resolved',
      mark: 'reported as success',
    }),
  ]
}

/** An incomplete answer is never reported as success. */
export const intact = defineGuarantee({
  id: 'intact',
  level: 'must',
  stage: 3,
  source: 'RFC 9112 §8',
  requirement: 'never report an incomplete answer as success',
  rule: 'BDY-01',
  unmet: 'no 2xx answer was cut short',
  advice: "use a schedule such as [{ status: 200, truncate: 'length' }]",
  reasons: eachTrial((trial, _contract, index) =>
    trial.attempts.flatMap((attempt) => {
      const damage = damageOf(attempt, trial)
      return damage === null ? [] : judgeDamage(attempt, damage, trial, index)
    }),
  ),
})
