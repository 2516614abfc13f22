import { isFault, type ResponseStep, type Schedule } from '../schedule/model.js'
import { offered, type Refusal, type RefusalsOf } from './offer.js'

const OFFERED_FAULTS: readonly string[] = ['reset', 'close', 'hang', 'refuse']
const WIRE_OPTIONS = ['stall', 'truncate', 'dripMs', 'endless', 'closeAfter'] as const
const FRAMING: readonly string[] = ['content-length', 'transfer-encoding', 'connection']

const WHY = 'it happens to bytes on a connection, and there is none'

/**
 * Statuses, headers, bodies, delays, hang, and the platform's own errors for reset, close and refuse: what nock can make a client believe.
 */
export const refusedOnNock: RefusalsOf = (step) => {
  if (isFault(step)) return OFFERED_FAULTS.includes(step.fault) ? [] : [{ key: '', why: WHY }]
  return keysOf(step).map((key): Refusal => ({ key, why: WHY }))
}

function keysOf(step: ResponseStep): string[] {
  const framing = Object.keys(step.headers ?? {}).filter((name) => FRAMING.includes(name.toLowerCase()))
  const brokenStream = step.stream?.end !== undefined && step.stream.end !== 'clean'
  return [
    ...WIRE_OPTIONS.filter((key) => step[key] !== undefined),
    ...framing.map((name) => `headers["${name}"]`),
    ...(brokenStream ? ['stream.end'] : []),
  ]
}

/** @throws {NotOfferedError} for a schedule that needs a socket. */
export const offeredOnNock = (schedule: Schedule): Schedule =>
  offered(schedule, 'nock', refusedOnNock, 'it needs a client that takes a base URL, without `origin`')
