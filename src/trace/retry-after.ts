import { parseHttpDate } from './http-date.js'

/** What a Retry-After header says (RFC 9110 §10.2.3: a whole number of seconds, or an HTTP-date). Waits count from the serving. */
export type RetryAfterReading =
  | { readonly kind: 'seconds'; readonly ms: number }
  | { readonly kind: 'date'; readonly atWallMs: number; readonly waitMs: number }
  /** Several values, "1, 3" or two header lines: against the grammar, but a client that takes the smallest has read something. */
  | { readonly kind: 'list'; readonly minMs: number }
  | { readonly kind: 'malformed'; readonly raw: string }

/** 1*DIGIT seconds as ms; capped so that absurd values stay finite, exact numbers in JSON. */
export function wholeSecondsToMs(text: string): number | null {
  return /^\d+$/.test(text) ? Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER) : null
}

function parseSingle(text: string, servedWallMs: number): Exclude<RetryAfterReading, { kind: 'list' }> {
  const ms = wholeSecondsToMs(text)
  if (ms !== null) return { kind: 'seconds', ms }
  const date = parseHttpDate(text, servedWallMs)
  if (date === null) return { kind: 'malformed', raw: text }
  return { kind: 'date', atWallMs: date.epochMs, waitMs: Math.max(0, date.epochMs - servedWallMs) }
}

const trimmed = (text: string) => text.replace(/^[ \t]+|[ \t]+$/g, '')

/**
 * Reads the Retry-After header lines of one answer by the grammar of RFC 9110 §10.2.3: digits only, or an HTTP-date. A sign, a
 * fraction or a word is malformed.
 *
 * @param values The header lines in order.
 * @param servedWallMs Milliseconds since 1970 at which they were served: a date is that far away.
 * @example
 * parseRetryAfter(['30'], 0) // { kind: 'seconds', ms: 30000 }
 */
export function parseRetryAfter(values: readonly string[], servedWallMs: number): RetryAfterReading {
  const lines = values.map(trimmed)
  const raw = lines.join(', ')
  const [first = '', ...others] = lines
  const single = parseSingle(first, servedWallMs)
  if (others.length === 0 && single.kind !== 'malformed') return single
  // A date has a comma of its own, so only lines without one are lists in themselves.
  const members = lines.flatMap((line) => (parseHttpDate(line, servedWallMs) ? [line] : line.split(',').map(trimmed)))
  if (members.length < 2) return single
  const waitsMs: number[] = []
  for (const member of members) {
    const reading = parseSingle(member, servedWallMs)
    if (reading.kind === 'malformed') return { kind: 'malformed', raw }
    waitsMs.push(reading.kind === 'date' ? reading.waitMs : reading.ms)
  }
  return { kind: 'list', minMs: Math.min(...waitsMs) }
}
