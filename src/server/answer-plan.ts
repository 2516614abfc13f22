import { gzipSync } from 'node:zlib'
import type { ResponseStep, RetryAfter } from '../schedule/model.js'
import { formatHttpDate } from '../trace/http-date.js'
import type { Content } from './content.js'
import type { HeaderLines } from './wire.js'

/** An answer as it will be written: everything is decided, nothing is sent yet. */
export interface AnswerPlan {
  readonly status: number
  readonly headers: HeaderLines
  /** Empty where the message has none (HEAD, 204, 304). */
  readonly body: Uint8Array
  /** False where the message ends with its header block. */
  readonly hasBody: boolean
  readonly closeAfter: ResponseStep['closeAfter']
  /** The prefix that a redirect carries. */
  readonly prefix: string
  /** What the wall clock showed when the header block was built. */
  readonly wallMs: number
}

/** What an answer depends on beside its step. */
export interface Serving {
  readonly method: string
  /** The prefix that the request carried: redirects keep it. */
  readonly prefix: string
  readonly keepAlive: boolean
  /** The wall clock at the time of serving. */
  readonly wallMs: number
  /** The body breaks off half way, so the header must promise more than is sent. */
  readonly cut: boolean
  /** The first result of known work, given again. */
  readonly replayed: boolean
}

const EMPTY = new Uint8Array(0)

/** The half after which an answer breaks off or falls silent. */
export const half = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, bytes.length >> 1)

/** Builds the answer of a step at the time of serving: dates and stamps count from now (RFC 9110 §6.6.1, §10.2.3). */
export function planAnswer(step: ResponseStep, content: Content, serving: Serving): AnswerPlan {
  const { status } = step
  const lines: [string, string][] = []
  const given = new Set<string>()
  for (const [name, value] of givenHeaders(step, serving)) {
    given.add(name.toLowerCase())
    lines.push([name, value])
  }
  const add = (name: string, value: string): void => {
    if (given.size === 0 || !given.has(name.toLowerCase())) lines.push([name, value])
  }
  const body = damaged(step, content.body)
  // A Date never runs ahead, so unlike the dates of hints it is rounded down.
  add('Date', formatHttpDate(Math.floor(serving.wallMs / 1000) * 1000))
  if (step.retryAfter !== undefined) add('Retry-After', retryAfterValue(step.retryAfter, serving.wallMs))
  if (step.retryAfterMs !== undefined) add('Retry-After-Ms', String(step.retryAfterMs))
  if (serving.replayed) add('Idempotent-Replayed', 'true')
  const bodiless = status === 204 || status === 205 || status === 304
  if (!bodiless) add('Content-Type', content.type)
  if (step.truncate === 'gzip') add('Content-Encoding', 'gzip')
  frame(step, bodiless ? 0 : body.length, serving.cut, add, given)
  add('Connection', serving.keepAlive ? 'keep-alive' : 'close')
  const hasBody = !bodiless && serving.method !== 'HEAD'
  const { prefix, wallMs } = serving
  return { status, headers: lines, body: hasBody ? body : EMPTY, hasBody, closeAfter: step.closeAfter, prefix, wallMs }
}

/** The headers for the record: lower-case names, and nothing of the harness's in a redirect. */
export const recordedHeaders = ({ headers, prefix }: AnswerPlan): HeaderLines =>
  headers.map(([name, value]) => {
    const ofHarness = isLocation(name) && value.startsWith(prefix)
    return [name.toLowerCase(), ofHarness ? value.slice(prefix.length) : value] as const
  })

const isLocation = (name: string): boolean => name.toLowerCase() === 'location'

function* givenHeaders(step: ResponseStep, serving: Serving): Generator<[string, string]> {
  if (step.headers === undefined) return
  for (const [name, value] of Object.entries(step.headers)) {
    if (typeof value === 'string') yield [name, located(name, value, serving.prefix)]
    else if ('secondsFromNow' in value) yield [name, String(Math.ceil(serving.wallMs / 1000 + value.secondsFromNow))]
    else for (const line of value) yield [name, located(name, line, serving.prefix)]
  }
}

/** A redirect to a path of this server stays inside the prefix, so that the next request is still known to belong to the call. */
function located(name: string, value: string, prefix: string): string {
  const absolutePath = value.startsWith('/') && !value.startsWith('//')
  return absolutePath && isLocation(name) ? prefix + value : value
}

function retryAfterValue(retryAfter: RetryAfter, wallMs: number): string {
  if (typeof retryAfter === 'object') return formatHttpDate(wallMs + retryAfter.date * 1000, retryAfter.form)
  return String(retryAfter)
}

/** Content that is wrong in itself; what breaks off on the way is not damaged here. */
function damaged(step: ResponseStep, body: Uint8Array): Uint8Array {
  if (step.json === 'malformed') return body.subarray(0, body.length - 1)
  if (step.truncate === 'gzip') return half(gzipSync(body))
  return body
}

function frame(
  step: ResponseStep,
  length: number,
  cut: boolean,
  add: (name: string, value: string) => void,
  given: ReadonlySet<string>,
): void {
  // 1xx, 204 and 304 carry no framing (RFC 9110 §8.6, RFC 9112 §6.1).
  if (step.status === 204 || step.status === 304) return
  const chunked = step.stream !== undefined || step.endless === true || step.truncate === 'chunked'
  if (chunked) add('Transfer-Encoding', 'chunked')
  // Two framings in one message are an attack (RFC 9112 §6.3); half of nothing would be a complete message.
  else if (!given.has('transfer-encoding')) add('Content-Length', String(cut ? Math.max(length, 1) : length))
}
