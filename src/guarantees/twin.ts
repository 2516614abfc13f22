import type { Trial } from '../trace/model.js'

const HINT_FIELDS = new Set(['retryAfter', 'retryAfterMs'])
const HINT_HEADERS = new Set(['retry-after', 'retry-after-ms', 'x-ms-retry-after-ms', 'x-amz-retry-after'])

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function withoutHintHeaders(headers: unknown): Record<string, unknown> | undefined {
  if (!isRecord(headers)) return undefined
  const kept = Object.entries(headers).filter(([name]) => !HINT_HEADERS.has(name.toLowerCase()))
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

/** A step in one spelling, its keys in one order, its hints taken out. */
function plainStep(step: unknown): unknown {
  if (typeof step === 'number') return { status: step }
  if (typeof step === 'string') return { fault: step }
  if (!isRecord(step)) return step
  const { headers, ...fields } = step
  const kept = Object.entries({ ...fields, headers: withoutHintHeaders(headers) })
    .filter(([name, value]) => !HINT_FIELDS.has(name) && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(kept)
}

/** What a trial was, but for the hints that its server gave; null for a function schedule, which cannot be compared. */
function withoutHints({ schedule, seed, calls, clock }: Trial): string | null {
  if (schedule === null) return null
  try {
    const steps: unknown = JSON.parse(schedule)
    const asked = calls.map(({ method, path }) => [method, path])
    return JSON.stringify([Array.isArray(steps) ? steps.map(plainStep) : steps, seed, asked, clock])
  } catch {
    return null
  }
}

/**
 * The trials "as if the hint were absent": same seed, same calls, and the same schedule once the hints are taken out of both. Empty when
 * none is among the judged trials; several tell whether the client repeats itself.
 */
export function twinsOf(trials: readonly Trial[], index: number): readonly Trial[] {
  const trial = trials[index]
  const identity = trial === undefined ? null : withoutHints(trial)
  if (identity === null) return []
  const hintless = (candidate: Trial) =>
    candidate.attempts.every(({ answerHeaders }) => answerHeaders.every(([name]) => !HINT_HEADERS.has(name)))
  return trials.filter((other, position) => position !== index && hintless(other) && withoutHints(other) === identity)
}
