import * as fc from 'fast-check'
import type { EventStream, FaultKind, FaultStep, JsonValue, ResponseStep, StepInput, StreamEvent } from '../schedule/model.js'
import { hintFields } from './hints.js'
import { around, spreadUpTo } from './numbers.js'
import type { Space } from './space.js'

const LONGEST_DELAY_MS = 99_900
/** Shorter, and a body that drips would take a timer for each of very many bytes. */
const SHORTEST_DRIP_MS = 100

type Choice<T> = { weight: number; arbitrary: fc.Arbitrary<T> }
const choose = <T>(...choices: (Choice<T> | null)[]): fc.Arbitrary<T> => fc.oneof(...choices.filter((choice) => choice !== null))
const when = <T>(allowed: boolean, weight: number, arbitrary: () => fc.Arbitrary<T>): Choice<T> | null =>
  allowed ? { weight, arbitrary: arbitrary() } : null
const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>): Choice<T> => ({ weight, arbitrary })

/** Waits of any order of magnitude, and both sides of the promised times. */
export const delays = ({ edgesMs }: Space): fc.Arbitrary<number> =>
  choose(
    often(2, spreadUpTo(LONGEST_DELAY_MS)),
    when(edgesMs.length > 0, 1, () => fc.constantFrom(...edgesMs).chain(around)),
  )

/** The connection closes, and no request can lose a race against that. */
const LAST_ON_CONNECTION = { connection: 'close' }

/** Answers that the client is to try again after. */
export function transientAnswers(space: Space): fc.Arbitrary<ResponseStep> {
  const status = fc.constantFrom(...space.transientStatuses)
  return choose<ResponseStep>(
    often(
      4,
      status.map((code) => ({ status: code })),
    ),
    often(4, hinted(space)),
    often(
      1,
      fc.tuple(status, delays(space)).map(([code, delayMs]) => ({ status: code, delayMs })),
    ),
    often(
      1,
      status.map((code) => ({ status: code, headers: LAST_ON_CONNECTION })),
    ),
    often(
      4,
      fc.tuple(status, errorBodies).map(([code, body]) => ({ status: code, body })),
    ),
  )
}

/** What servers say of a limit: the quota of an account may be a 403, too. */
const LIMITED = [429, 503, 403]

/** A refusal for now that says when to come back. */
export const hinted = (space: Space): fc.Arbitrary<ResponseStep> =>
  fc
    .tuple(fc.oneof(fc.constantFrom(...space.transientStatuses), fc.constantFrom(...LIMITED)), hintFields(space))
    .map(([status, hint]) => ({ status, ...hint }))

const MESSAGES = ['try again later', 'You exceeded your current quota', 'permanent failure']

/** Bodies in which the code says one thing and the text may say another. */
const bodiesWith = (codes: readonly string[]): fc.Arbitrary<JsonValue> =>
  fc.tuple(fc.constantFrom(...codes), fc.constantFrom(...MESSAGES)).map(([code, message]) => ({ error: { code, message } }))

const errorBodies = choose<JsonValue>(
  often(4, bodiesWith(['rate_limit_exceeded', 'server_error'])),
  often(1, fc.constantFrom('', '<html>oops</html>')),
)

/** What servers refuse with day by day. */
const COMMON_REFUSALS: readonly number[] = [400, 401, 403, 404, 422]

/** Answers after which the same request is not to be sent again. */
export function permanentAnswers(space: Space): fc.Arbitrary<ResponseStep> {
  const common = space.permanentStatuses.filter((status) => COMMON_REFUSALS.includes(status))
  const status = fc.constantFrom(...space.permanentStatuses, ...common, ...common, ...common, ...common)
  return choose<ResponseStep>(
    often(
      6,
      status.map((code) => ({ status: code })),
    ),
    often(
      1,
      fc.tuple(status, hintFields(space)).map(([code, hint]) => ({ status: code, ...hint })),
    ),
    when<ResponseStep>(space.permanentCodes.length > 0, 2, () =>
      fc
        .tuple(fc.constantFrom(429, ...space.transientStatuses), bodiesWith(space.permanentCodes))
        .map(([code, body]) => ({ status: code, body })),
    ),
  )
}

/**
 * Answers that nobody is held to: conflicts (of keys, most of all), time-outs of the server, what is rarely seen. Not 421: `fetch` itself sends the request again
 * at once, on a new connection (Fetch standard, HTTP-network-or-cache fetch), and no client above it can count or delay that.
 */
const otherAnswers = fc
  .constantFrom(408, 409, 409, 409, 409, 409, 413, 423, 425, 501, 505, 508, 529)
  .map((status): ResponseStep => ({ status }))

/** The connection breaks, before or after the work is done. */
export function brokenConnections({ sockets }: Space): fc.Arbitrary<FaultStep> {
  const kinds: FaultKind[] = [
    'reset',
    'reset',
    'close',
    'refuse',
    'refuse',
    'refuse',
    'reset-early',
    'reset-headers',
    'reset-body',
  ]
  const fault = fc.constantFrom<FaultKind[]>(...kinds, ...(sockets ? (['garbage'] as const) : []))
  return choose<FaultStep>(
    often(
      5,
      fault.map((kind) => ({ fault: kind })),
    ),
    often(
      3,
      fc.constantFrom('reset', 'close').map((kind) => ({ fault: kind, apply: true })),
    ),
    often(
      1,
      fc.tuple(fault, spreadUpTo(LONGEST_DELAY_MS)).map(([kind, delayMs]) => ({ fault: kind, delayMs })),
    ),
  )
}

/** What never ends unless the client ends it. */
export function endlessSteps({ sockets }: Space): fc.Arbitrary<StepInput> {
  const dripMs = fc.integer({ min: SHORTEST_DRIP_MS, max: 1_000 })
  const stall = fc.constantFrom<'headers' | 'body'>('headers', 'body')
  return choose<StepInput>(
    often(3, fc.constantFrom<StepInput[]>('hang', { fault: 'hang', apply: true })),
    often(2, fc.record({ status: fc.constantFrom(200, 503), stall })),
    often(3, fc.record({ status: fc.constant(200), dripMs, endless: fc.constant(true) })),
    when<StepInput>(sockets, 1, () => fc.constant('informational')),
  )
}

/**
 * Success that comes late, in pieces, or not whole, or on a connection that closes after it and says so. Not with `closeAfter`: a request
 * that loses the race against a connection that closes unannounced is an attempt to the client, and none on the wire, so that its waits
 * would be judged by a wrong count.
 */
export function troubledSuccess(space: Space): fc.Arbitrary<ResponseStep> {
  const delayMs = delays(space)
  const dripMs = fc.integer({ min: SHORTEST_DRIP_MS, max: 1_000 })
  const truncate = fc.constantFrom<'length' | 'chunked' | 'gzip'>('length', 'chunked', 'gzip')
  const answer = (fields: fc.Arbitrary<Partial<ResponseStep>>) => fields.map((more) => ({ status: 200, ...more }))
  return choose<ResponseStep>(
    often(4, answer(fc.record({ delayMs }))),
    often(4, answer(fc.record({ bodyDelayMs: delayMs }))),
    often(3, answer(fc.record({ dripMs }))),
    often(4, answer(fc.record({ truncate }))),
    often(2, fc.constant<ResponseStep>({ status: 200, json: 'malformed' })),
    often(1, fc.constant<ResponseStep>({ status: 200, headers: LAST_ON_CONNECTION })),
  )
}

/** The work is done, and the client is told otherwise. */
export const lostAnswers = (space: Space): fc.Arbitrary<ResponseStep> =>
  fc.constantFrom(...space.transientStatuses).map((status) => ({ status, apply: true }))

export const success: fc.Arbitrary<ResponseStep> = fc.constantFrom(200, 200, 200, 201, 204).map((status) => ({ status }))

const event = fc
  .record({
    n: fc.nat(9),
    delayMs: fc.constantFrom(0, 0, 50, 1_000),
    type: fc.constantFrom(undefined, undefined, undefined, 'error'),
    isNamed: fc.constantFrom(false, false, false, true),
    retryMs: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: spreadUpTo(LONGEST_DELAY_MS) }),
  })
  .map(
    ({ n, delayMs, type, isNamed, retryMs }): StreamEvent => ({
      ...(type === undefined ? {} : { event: type }),
      data: `token ${n}`,
      ...(isNamed ? { id: String(n) } : {}),
      ...(retryMs === undefined ? {} : { retryMs }),
      ...(delayMs > 0 ? { delayMs } : {}),
    }),
  )

/** An event stream that comes to its terminator, or breaks before. */
export function eventStreams({ endless }: Space): fc.Arbitrary<ResponseStep> {
  const events = fc.oneof(fc.constant([]), fc.array(event, { minLength: 1, maxLength: 3 }), fc.array(event, { maxLength: 3 }))
  const end = fc.constantFrom<'reset' | 'close' | 'stall'>('reset', 'close', ...(endless ? (['stall'] as const) : []))
  const whole = events.map((list) => ({ events: [...list, { data: '[DONE]' }] }))
  const ended = fc.record({ events })
  const broken = fc.record({ events, end })
  return fc
    .oneof<fc.WeightedArbitrary<EventStream>[]>(
      { weight: 2, arbitrary: whole },
      { weight: 3, arbitrary: ended },
      { weight: 3, arbitrary: broken },
    )
    .map((stream) => ({ status: 200, stream }))
}

/** Any one step. */
export const anyStep = (space: Space): fc.Arbitrary<StepInput> =>
  choose<StepInput>(
    often(6, transientAnswers(space)),
    often(4, permanentAnswers(space)),
    often(4, brokenConnections(space)),
    often(3, success),
    often(5, troubledSuccess(space)),
    often(4, otherAnswers),
    often(1, lostAnswers(space)),
    when<StepInput>(space.endless, 3, () => endlessSteps(space)),
    when<StepInput>(space.streaming, 12, () => eventStreams(space)),
  )
