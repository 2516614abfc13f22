import type { EventStream, StreamEvent } from '../schedule/model.js'
import type { Attempt, CallRecord, Trial } from '../trace/model.js'
import { endOf } from '../trace/operations.js'
import type { Contract } from './contract.js'
import type { Level, Reason } from './model.js'
import type { RuleId } from './rules.js'
import { defineGuarantee, eachTrial, fail, inconclusive, pass } from './verdict.js'
import { attemptsOf, attributedOperations, callOf, isUnsafe, toleranceMs } from './wire.js'
import { formatMs, plural } from './words.js'

/** A stream that was played, and what the client did next. */
interface Streamed {
  readonly trial: Trial
  readonly index: number
  readonly attempt: Attempt
  readonly next: Attempt | undefined
  readonly call: CallRecord | undefined
  readonly events: readonly StreamEvent[]
  /** Those that reach the consumer. */
  readonly delivered: readonly StreamEvent[]
  readonly end: NonNullable<EventStream['end']>
  /** Vendors whose streams have a known terminator and error event. */
  readonly isVendor: boolean
}

const streamOf = ({ step }: Attempt): EventStream | undefined => (step !== null && 'status' in step ? step.stream : undefined)

/** An EventSource asks for nothing but events, by a method that may be repeated (WHATWG HTML §9.2). */
const asksForEvents = ({ method, headers }: Attempt): boolean =>
  !isUnsafe(method) && (headers.accept?.includes('text/event-stream') ?? false)

/** EventSource and the Streamable HTTP transport come back by design; an API client that asks for a completion does not. */
const isReconnect = ({ next }: Streamed): boolean =>
  next !== undefined && (next.headers['last-event-id'] !== undefined || asksForEvents(next))

/** An event without data is not handed on (WHATWG HTML §9.2.6). */
const deliveredOf = (stream: EventStream | undefined): readonly StreamEvent[] =>
  stream?.events.filter(({ data }) => data !== undefined) ?? []

const at = ({ index, attempt }: Streamed, rule: RuleId) => ({ rule, trial: index, attempt: attempt.number })

const isTerminated = (events: readonly StreamEvent[]): boolean =>
  events.some(({ data, event }) => data === '[DONE]' || event === 'message_stop' || event === 'response.completed')

/** What the consumer has to be told: that the stream broke, or that the server reported an error in it. */
function troubleOf({ delivered: events, end, isVendor }: Streamed): { rule: RuleId; level: Level; what: string } | null {
  if (events.some(({ event }) => event === 'error')) {
    return { rule: 'STR-04', level: isVendor ? 'must' : 'should', what: 'reported an error in an event' }
  }
  if (events.length > 0 && (end === 'reset' || end === 'close')) return { rule: 'STR-02', level: 'must', what: 'broke off' }
  if (events.length > 0 && end === 'clean' && isVendor && !isTerminated(events)) {
    return { rule: 'STR-03', level: 'should', what: 'ended without its terminator' }
  }
  return null
}

function judgeTrouble(streamed: Streamed): Reason[] {
  const trouble = troubleOf(streamed)
  const { attempt, next, call } = streamed
  // To an EventSource an event called error is an event like any other.
  if (trouble === null || (isReconnect(streamed) && (trouble.rule !== 'STR-04' || asksForEvents(attempt)))) return []
  const { rule, level, what } = trouble
  const shared = { ...at(streamed, rule), level }
  const delivered = plural(streamed.delivered.length, 'event')
  if (next !== undefined) {
    return [
      fail({
        ...shared,
        attempt: next.number,
        text: `attempt ${next.number} started the stream again after ${delivered} had been delivered and attempt ${attempt.number} ${what}`,
        expected: 'an error to the consumer',
        received: `attempt ${next.number} from the start`,
        mark: 'from the top',
      }),
    ]
  }
  if (call?.outcome.kind === 'rejected')
    return [pass({ ...shared, text: `the consumer was told that the stream of attempt ${attempt.number} ${what}` })]
  if (call?.outcome.kind !== 'resolved')
    return [
      inconclusive({ ...shared, text: `what the consumer got is not known: the call is ${call?.outcome.kind ?? 'unobserved'}` }),
    ]
  return [
    fail({
      ...shared,
      text: `the call resolved although the stream of attempt ${attempt.number} ${what} after ${delivered}`,
      expected: 'an error to the consumer',
      received: 'resolved',
      mark: 'reported as success',
    }),
  ]
}

/** The reconnection time that a stream set, and the name of the last event. */
function judgeReconnect(streamed: Streamed): Reason[] {
  const { attempt, next, events, trial } = streamed
  const endedAtMs = endOf(attempt)
  if (next === undefined || endedAtMs === null || !isReconnect(streamed)) return []
  const retryMs = events.findLast((event) => event.retryMs !== undefined)?.retryMs
  const lastId = events.findLast(({ id }) => id !== undefined)?.id
  const gapMs = next.arrivedAtMs - endedAtMs
  const came = `attempt ${next.number} came ${formatMs(gapMs)} after the end of the stream`
  const reasons: Reason[] = []
  if (retryMs !== undefined) {
    const shared = { ...at(streamed, 'STR-05'), attempt: next.number }
    reasons.push(
      gapMs < retryMs - toleranceMs(trial)
        ? fail({
            ...shared,
            text: `${came}, which had set ${formatMs(retryMs)}`,
            expected: `gap ≥ ${formatMs(retryMs)}`,
            received: `gap = ${formatMs(gapMs)}`,
            mark: `${formatMs(retryMs - gapMs)} too early`,
          })
        : pass({ ...shared, text: `${came}, which had set ${formatMs(retryMs)}` }),
    )
  }
  const named = next.headers['last-event-id']
  if (lastId !== undefined && named !== lastId) {
    reasons.push(
      fail({
        ...at(streamed, 'STR-08'),
        attempt: next.number,
        text: `attempt ${next.number} reconnected ${named === undefined ? 'without Last-Event-ID' : `with Last-Event-ID ${named}`} after event ${lastId}`,
        expected: `last-event-id: ${lastId}`,
        received: named === undefined ? 'no such header' : `last-event-id: ${named}`,
        mark: 'last event not named',
      }),
    )
  }
  return reasons
}

function judgeNoContent(attempt: Attempt, next: Attempt | undefined, streamedBefore: boolean, index: number): Reason[] {
  if (attempt.status !== 204 || !streamedBefore) return []
  const shared = { rule: 'STR-06', trial: index } as const
  if (next === undefined)
    return [pass({ ...shared, attempt: attempt.number, text: `nothing followed the 204 to attempt ${attempt.number}` })]
  return [
    fail({
      ...shared,
      attempt: next.number,
      text: `attempt ${next.number} came after a 204, which ends reconnecting`,
      expected: 'no attempt after 204',
      received: `attempt ${next.number} at ${formatMs(next.arrivedAtMs)}`,
      mark: 'after 204',
    }),
  ]
}

/** Connecting is no progress: streams that deliver nothing use up the attempts. */
function judgeEmptyStreams(trial: Trial, attempts: readonly Attempt[], { maxAttempts }: Contract, index: number): Reason[] {
  const last = attempts.at(-1)
  const isEmpty = (attempt: Attempt) => streamOf(attempt) !== undefined && deliveredOf(streamOf(attempt)).length === 0
  const empty = attempts.slice(attempts.findLastIndex((attempt) => !isEmpty(attempt)) + 1)
  if (last === undefined || empty.length < 2) return []
  const shared = { rule: 'STR-07', trial: index, attempt: last.number } as const
  const extra = maxAttempts === undefined ? undefined : empty[maxAttempts]
  if (extra !== undefined) {
    return [
      fail({
        ...shared,
        attempt: extra.number,
        text: `attempt ${extra.number} opened a stream again after ${maxAttempts} of them had closed without an event`,
        expected: `≤ ${maxAttempts} streams without an event in a row`,
        received: `${empty.length} in a row`,
        mark: 'no progress',
      }),
    ]
  }
  const { outcome } = callOf(trial, last) ?? {}
  if (outcome?.kind !== 'unsettled')
    return [pass({ ...shared, text: `the client gave up after ${empty.length} streams without an event` })]
  return [
    fail({
      ...shared,
      text: `the client was still reconnecting after ${empty.length} streams without an event`,
      expected: 'a finite number of attempts',
      received: `${attempts.length} attempts and counting`,
    }),
  ]
}

function judgeAttempts(trial: Trial, attempts: readonly Attempt[], contract: Contract, index: number): Reason[] {
  const isVendor = contract.preset === 'openai' || contract.preset === 'anthropic'
  const each = attempts.flatMap((attempt, position) => {
    const next = attempts[position + 1]
    const stream = streamOf(attempt)
    const streamedBefore = attempts.slice(0, position).some((earlier) => streamOf(earlier) !== undefined)
    if (stream === undefined) return judgeNoContent(attempt, next, streamedBefore, index)
    const { events, end = 'clean' } = stream
    const delivered = deliveredOf(stream)
    const streamed = { trial, index, attempt, next, call: callOf(trial, attempt), events, delivered, end, isVendor }
    return [...judgeTrouble(streamed), ...judgeReconnect(streamed)]
  })
  return [...each, ...judgeEmptyStreams(trial, attempts, contract, index)]
}

/** A broken event stream reaches its consumer as an error, and reconnecting keeps to what the stream said. */
export const streaming = defineGuarantee({
  id: 'streaming',
  level: 'must',
  stage: 3,
  source: 'WHATWG HTML §9.2, gRPC A6 by analogy',
  requirement: 'report a stream that broke, and reconnect only as the stream allows',
  rule: 'STR-02',
  unmet: 'no event stream broke off or was reconnected',
  advice: "use a schedule such as [{ status: 200, stream: { events: [{ data: 1 }], end: 'reset' } }]",
  inapplicable: (trials) => {
    // Whoever drives the client himself declares nothing: what the server played tells.
    const isDeclared = trials.some(
      ({ client, calls, attempts }) =>
        client.streaming || (calls.length === 0 && attempts.some((attempt) => streamOf(attempt) !== undefined)),
    )
    return isDeclared ? null : 'the client is not declared to consume streams (streaming: true)'
  },
  reasons: eachTrial((trial, contract, index) =>
    attributedOperations(trial).flatMap((operation) => judgeAttempts(trial, attemptsOf(trial, operation), contract, index)),
  ),
})
