import { isUtf8 } from 'node:buffer'
import type { Body, HeaderValue, JsonValue, ResponseStep, RetryAfter, Step } from '../schedule/model.js'
import { answerHeaderLines } from '../trace/answer.js'
import { hintOf } from '../trace/hints.js'
import type { Attempt } from '../trace/model.js'

/** A longer body is left out of a schedule: what a retry depends on is short. */
const LONGEST_BODY = 4_096
/** Headers that a client may decide by. The rest (Date, Server, cookies, framing) says nothing in a replay. */
const TELLING =
  /^(retry-after-ms|x-ms-retry-after-ms|x-amz-retry-after|x-should-retry|stripe-should-retry|ratelimit.*|x-ratelimit-.*|idempotent-replayed|content-type|location)$/
const EPOCH_SECONDS = /^x-ratelimit-reset$/

function retryAfterOf(attempt: Attempt): RetryAfter | undefined {
  const lines = answerHeaderLines(attempt, 'retry-after')
  const hint = hintOf(attempt, { headers: ['retry-after'] })
  if (lines.length === 0 || hint === null) return undefined
  if (lines.length === 1 && hint.kind === 'seconds') return Number(hint.raw)
  if (lines.length === 1 && hint.kind === 'date' && hint.waitMs !== null) return { date: Math.ceil(hint.waitMs / 1000) }
  return lines.join(', ')
}

/** A reset time is an instant: in a replay it has to be as far away as it was. */
function headerOf(attempt: Attempt, name: string, values: readonly string[]): HeaderValue {
  const hint = EPOCH_SECONDS.test(name) ? hintOf(attempt, { headers: [name] }) : null
  if (hint?.kind === 'date' && hint.waitMs !== null) return { secondsFromNow: Math.ceil(hint.waitMs / 1000) }
  return values.length === 1 ? values[0]! : values
}

function headersOf(attempt: Attempt): Record<string, HeaderValue> {
  const names = [...new Set(attempt.answerHeaders.map(([name]) => name))].filter((name) => TELLING.test(name))
  return Object.fromEntries(names.map((name) => [name, headerOf(attempt, name, answerHeaderLines(attempt, name))]))
}

function bodyOf({ answerBody }: Attempt): Body | undefined {
  if (answerBody.length > LONGEST_BODY) return undefined
  if (!isUtf8(answerBody)) return answerBody
  const text = Buffer.from(answerBody).toString()
  try {
    const value = JSON.parse(text) as JsonValue
    return typeof value === 'object' && value !== null ? value : text
  } catch {
    return text
  }
}

/** What is shorter is the machine's doing, not the endpoint's. */
const NOISE_MS = 10
const wholeMs = (ms: number): number => (ms < NOISE_MS ? 0 : Math.round(ms))

function answerStep(attempt: Attempt, status: number): ResponseStep {
  const { arrivedAtMs, headersAtMs, endedAtMs, hungUpAtMs, answerComplete, step } = attempt
  const headers = headersOf(attempt)
  const retryAfter = retryAfterOf(attempt)
  const body = bodyOf(attempt)
  const delayMs = wholeMs((headersAtMs ?? arrivedAtMs) - arrivedAtMs)
  const bodyDelayMs = answerComplete && headersAtMs !== null ? wholeMs((endedAtMs ?? headersAtMs) - headersAtMs) : 0
  const truncate = step !== null && 'status' in step ? step.truncate : undefined
  return {
    status,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(body === undefined || !answerComplete ? {} : { body }),
    ...(delayMs === 0 ? {} : { delayMs }),
    ...(bodyDelayMs === 0 ? {} : { bodyDelayMs }),
    ...(truncate === undefined ? {} : { truncate }),
    ...(!answerComplete && hungUpAtMs !== null ? { stall: 'body' as const } : {}),
  }
}

/**
 * What the endpoint did to an attempt, as the step of a schedule that does it again. The schedule's server answers with headers and bodies
 * that a client may decide by; an attempt that the client gave up on is a `hang`, since when the answer would have come nobody knows.
 */
export function observedStep(attempt: Attempt): Step {
  const { result, status, step, arrivedAtMs, endedAtMs } = attempt
  if (step !== null && 'fault' in step) {
    // A refusal takes no time, and a reset within the answer comes where it comes.
    const delayMs = step.fault === 'refuse' || status !== null ? 0 : wholeMs((endedAtMs ?? arrivedAtMs) - arrivedAtMs)
    return delayMs === 0 ? { fault: step.fault } : { fault: step.fault, delayMs }
  }
  if (status === null) return { fault: typeof result === 'string' && result !== 'hang-up' && result !== 'open' ? result : 'hang' }
  return answerStep(attempt, status)
}
