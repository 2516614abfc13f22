import type { JsonValue } from '../schedule/model.js'
import type { SavedTrial, TrialRecord } from './model.js'

type JsonObject = { [key: string]: JsonValue }

const base64 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

function plainError(error: Error, ancestors: readonly object[]): JsonValue {
  const { code } = error as { code?: unknown }
  const fields: JsonObject = { name: error.name, message: error.message }
  if (typeof code === 'string' || typeof code === 'number') fields.code = code
  if (error.cause !== undefined) fields.cause = toPlain(error.cause, ancestors)
  return { $error: fields }
}

/** What JSON has no word for is named, not dropped: a resolved value may be a Response, a stream or an object that contains itself. */
function toPlain(value: unknown, ancestors: readonly object[] = []): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : { $opaque: String(value) }
  if (typeof value !== 'object') return value === undefined ? null : { $opaque: typeof value }
  if (value instanceof Uint8Array) return { $base64: base64(value) }
  if (ancestors.includes(value)) return { $opaque: 'circular' }
  const inside = [...ancestors, value]
  if (value instanceof Error) return plainError(value, inside)
  if (Array.isArray(value)) return value.map((item) => toPlain(item, inside))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return { $opaque: value.constructor?.name ?? 'object' }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined && typeof item !== 'function')
  return Object.fromEntries(entries.map(([key, item]) => [key, toPlain(item, inside)]))
}

// What follows from the rest is not saved: `loadTrial` works it out again.
const RECORD_FIELDS = [
  'client',
  'clock',
  'transport',
  'seed',
  'randomReplaced',
  'schedule',
  'calls',
  'attempts',
  'operations',
  'ledger',
  'leftovers',
  'unplayed',
  'timerOverflows',
  'foreignConnections',
  'relapses',
  'abortAtMs',
  'keyHeader',
] as const satisfies readonly (keyof TrialRecord)[]

type UnsavedField = Exclude<keyof TrialRecord, (typeof RECORD_FIELDS)[number]>
// Fails to compile when a field is added to TrialRecord and forgotten here.
true satisfies [UnsavedField] extends [never] ? true : UnsavedField

/** A trial as plain JSON; `loadTrial` reads it back. */
export function saveTrial(record: TrialRecord): SavedTrial {
  const present = RECORD_FIELDS.filter((field) => record[field] !== undefined)
  const fields = present.map((field) => [field, toPlain(record[field])] as const)
  return { format: 'retrial-trace', version: 1, ...Object.fromEntries(fields) }
}
