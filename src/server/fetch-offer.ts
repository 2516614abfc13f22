import { isFault, type ResponseStep, type Schedule } from '../schedule/model.js'
import { offered, type Refusal, type RefusalsOf } from './offer.js'

/** What is left of the message is not the server's to choose without a socket. */
const FRAMING: readonly string[] = ['content-length', 'transfer-encoding']

const RAW = 'there is no parser that could meet bytes outside of an answer'
const RACE = 'there is no connection that could break as the next request arrives'
const FRAMED = 'there is no message whose framing could be wrong'

/** What only a socket can show: bytes that are not an answer, the keep-alive race, framing by hand. */
export const refusedOnFetch: RefusalsOf = (step) => {
  if (isFault(step)) return step.fault === 'garbage' || step.fault === 'informational' ? [{ key: '', why: RAW }] : []
  const race: Refusal[] = step.closeAfter === 'next-request' ? [{ key: 'closeAfter', why: RACE }] : []
  return [...race, ...framingOf(step)]
}

const framingOf = (step: ResponseStep): Refusal[] =>
  Object.keys(step.headers ?? {})
    .filter((name) => FRAMING.includes(name.toLowerCase()))
    .map((name) => ({ key: `headers["${name}"]`, why: FRAMED }))

/** @throws {NotOfferedError} for a schedule that needs a socket. */
export const offeredOnFetch = (schedule: Schedule): Schedule =>
  offered(schedule, 'fetch', refusedOnFetch, "use transport: 'socket'")
