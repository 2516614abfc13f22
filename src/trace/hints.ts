import { answerHeaderLines, jsonAnswerBody } from './answer.js'
import { parseHttpDate } from './http-date.js'
import type { Attempt } from './model.js'
import { parseRetryAfter, wholeSecondsToMs } from './retry-after.js'

/** How a hint was spelled. */
export type HintKind = 'seconds' | 'ms' | 'date' | 'list' | 'malformed'

/** A server's instruction when to come back, placed on the trial's time line. */
export interface Hint {
  /** Name from the contract's list, lower case. */
  readonly header: string
  /** As it was sent; repeated lines joined by ', '. */
  readonly raw: string
  readonly kind: HintKind
  /** When the headers of the answer were flushed: a client acts on headers. */
  readonly opensAtMs: number
  /** When the client may come back. null: malformed, or a date of an answer whose own time is not known. */
  readonly closesAtMs: number | null
  /** Never negative: 0 for a date that has passed. null together with closesAtMs. */
  readonly waitMs: number | null
}

interface Reading {
  readonly raw: string
  readonly kind: HintKind
  readonly waitMs: number | null
}

type Reader = (attempt: Attempt, lines: readonly string[]) => Reading | null

const malformed = (raw: string): Reading => ({ raw, kind: 'malformed', waitMs: null })

/**
 * The wall time from which a date counts. An answer recorded by somebody else has only its Date header, a second cut off: the end of
 * that second is assumed, so that nobody is called early by less than the header can tell.
 */
function servedWallMsOf(attempt: Attempt): number | null {
  if (attempt.servedWallMs !== null) return attempt.servedWallMs
  const date = parseHttpDate(answerHeaderLines(attempt, 'date')[0] ?? '', 0)
  return date === null ? null : date.epochMs + 999
}

/** RFC 9110 §10.2.3. */
const readRetryAfter: Reader = (attempt, lines) => {
  const servedWallMs = servedWallMsOf(attempt)
  const reading = parseRetryAfter(lines, servedWallMs ?? 0)
  const raw = lines.join(', ')
  switch (reading.kind) {
    case 'seconds':
      return { raw, kind: 'seconds', waitMs: reading.ms }
    case 'date':
      return { raw, kind: 'date', waitMs: servedWallMs === null ? null : reading.waitMs }
    case 'list':
      return { raw, kind: 'list', waitMs: reading.minMs }
    case 'malformed':
      return malformed(raw)
    default:
      return reading satisfies never
  }
}

/** The vendors' millisecond headers have no grammar; their SDKs read a non-negative decimal number. */
const readMilliseconds: Reader = (_attempt, lines) => {
  const raw = lines.join(', ')
  const ms = /^\d+(\.\d+)?$/.test(raw) ? Math.min(Number(raw), Number.MAX_SAFE_INTEGER) : null
  return ms === null ? malformed(raw) : { raw, kind: 'ms', waitMs: ms }
}

/** A reset header comes with every answer; it asks for a wait only once the quota beside it is used up. */
const quotaLeft = (attempt: Attempt, header: string) => Number(answerHeaderLines(attempt, header)[0] ?? '0') > 0

/** GitHub: seconds since 1970 (docs.github.com, rate limits for the REST API). */
const readEpochReset: Reader = (attempt, lines) => {
  if (quotaLeft(attempt, 'x-ratelimit-remaining')) return null
  const raw = lines.join(', ')
  const atMs = wholeSecondsToMs(raw)
  if (atMs === null) return malformed(raw)
  const servedWallMs = servedWallMsOf(attempt)
  return { raw, kind: 'date', waitMs: servedWallMs === null ? null : Math.max(0, atMs - servedWallMs) }
}

/** draft-ietf-httpapi-ratelimit-headers up to version 06: seconds from now. */
const readSecondsReset: Reader = (attempt, lines) => {
  if (quotaLeft(attempt, 'ratelimit-remaining')) return null
  const raw = lines.join(', ')
  const waitMs = wholeSecondsToMs(raw)
  return waitMs === null ? malformed(raw) : { raw, kind: 'seconds', waitMs }
}

/** draft-ietf-httpapi-ratelimit-headers-10: `"name";r=0;t=30`, one item per quota; every used-up quota has to reset. */
const readRateLimit: Reader = (_attempt, lines) => {
  const raw = lines.join(', ')
  const waitsMs: number[] = []
  for (const item of raw.split(',')) {
    const parameters = new Map(
      item
        .split(';')
        .slice(1)
        .map((part) => part.trim().split('=', 2) as [string, string]),
    )
    if (Number(parameters.get('r') ?? '0') > 0) continue
    const waitMs = wholeSecondsToMs(parameters.get('t') ?? '')
    if (waitMs === null) return malformed(raw)
    waitsMs.push(waitMs)
  }
  return waitsMs.length === 0 ? null : { raw, kind: 'seconds', waitMs: Math.max(...waitsMs) }
}

/** google.rpc.RetryInfo in a JSON error body: `retryDelay` as "2s" or "0.5s" (google/rpc/error_details.proto). */
function readRetryInfo(attempt: Attempt): Reading | null {
  const details = (jsonAnswerBody(attempt) as { error?: { details?: unknown } } | null)?.error?.details
  if (!Array.isArray(details)) return null
  const info = details.find((detail) => String(detail?.['@type']).endsWith('google.rpc.RetryInfo'))
  if (info === undefined) return null
  const raw = String(info.retryDelay)
  const seconds = /^(\d+(?:\.\d{1,9})?)s$/.exec(raw)?.[1]
  return seconds === undefined ? malformed(raw) : { raw, kind: 'seconds', waitMs: Math.ceil(Number(seconds) * 1000) }
}

/** Name of the hint that is in the body, where a contract lists header names. */
export const RETRY_INFO = 'google.rpc.retryinfo'

const READERS: Readonly<Record<string, Reader>> = {
  'retry-after': readRetryAfter,
  'retry-after-ms': readMilliseconds,
  'x-ms-retry-after-ms': readMilliseconds,
  'x-amz-retry-after': readMilliseconds,
  'x-ratelimit-reset': readEpochReset,
  'ratelimit-reset': readSecondsReset,
  ratelimit: readRateLimit,
}

/** The names that `hintOf` understands. */
export const HINT_NAMES: readonly string[] = [...Object.keys(READERS), RETRY_INFO]

function readHint(attempt: Attempt, name: string): Reading | null {
  if (name === RETRY_INFO) return readRetryInfo(attempt)
  const reader = READERS[name]
  const lines = answerHeaderLines(attempt, name)
  return reader === undefined || lines.length === 0 ? null : reader(attempt, lines)
}

/**
 * The hint that an answer gives, or null for none. The first well-formed one in the order of `headers` counts; a malformed one is
 * returned only when there is no better, since it is to be treated as if it were absent.
 *
 * @param options.headers Names in order of precedence, lower case; see `HINT_NAMES`.
 * @example
 * hintOf(trial.attempts[0], { headers: ['retry-after-ms', 'retry-after'] })?.closesAtMs
 */
export function hintOf(attempt: Attempt, options: { readonly headers: readonly string[] }): Hint | null {
  const opensAtMs = attempt.headersAtMs
  if (opensAtMs === null) return null
  let fallback: Hint | null = null
  for (const header of options.headers) {
    const reading = readHint(attempt, header)
    if (reading === null) continue
    const closesAtMs = reading.waitMs === null ? null : opensAtMs + reading.waitMs
    const hint: Hint = { header, ...reading, opensAtMs, closesAtMs }
    if (hint.kind !== 'malformed') return hint
    fallback ??= hint
  }
  return fallback
}
