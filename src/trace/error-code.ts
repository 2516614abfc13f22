import { jsonAnswerBody } from './answer.js'
import type { Attempt } from './model.js'

type JsonObject = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
const objectsIn = (value: unknown): JsonObject[] => [value].flat().filter(isObject)

/** Where vendors put a code, most specific first: `reason` is Google's ErrorInfo, `status` its canonical code, `type` Stripe's and Anthropic's. */
const CODE_FIELDS = ['error_code', 'code', 'reason', 'status', 'type'] as const

/** Envelopes that say only that there is an error: Anthropic's `type: "error"`, JSend's `status: "fail"`. */
const ENVELOPE_WORDS = new Set(['error', 'fail', 'failed'])

/** The objects of an error body that may hold a code, the inner ones first. */
function codeHolders(body: JsonObject): JsonObject[] {
  const errors = [...objectsIn(body.error), ...objectsIn(body.errors)]
  const details = [...errors, body].flatMap(({ details: found }) => objectsIn(found))
  return [...errors, ...details, body]
}

/** A code is one word: what has white space is message text. A number that repeats the HTTP status says nothing new. */
function asCode(value: unknown, status: number | null): string | null {
  if (typeof value === 'number') return value === status ? null : String(value)
  if (typeof value !== 'string' || !/^\S+$/.test(value)) return null
  return ENVELOPE_WORDS.has(value) || value === String(status) ? null : value
}

/**
 * The machine-readable code of a JSON error body ('insufficient_quota', 'RESOURCE_EXHAUSTED'), or null. Never the message text: a
 * text that speaks of a quota is no statement that waiting is useless.
 *
 * @example
 * machineCode(attempt) // '{"error":{"type":"rate_limit_error","message":"slow down"}}' gives 'rate_limit_error'
 */
export function machineCode(attempt: Pick<Attempt, 'answerBody' | 'status'>): string | null {
  const body = jsonAnswerBody(attempt)
  if (!isObject(body)) return null
  const holders = codeHolders(body)
  for (const field of CODE_FIELDS) {
    for (const holder of holders) {
      const code = asCode(holder[field], attempt.status)
      if (code !== null) return code
    }
  }
  // OAuth and many small APIs: { "error": "slow_down" }.
  return asCode(body.error, attempt.status)
}
