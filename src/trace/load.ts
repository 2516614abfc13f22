import { z } from 'zod'
import { FAULT_KINDS, type Step } from '../schedule/model.js'
import { makeTrial } from './build.js'
import { ledgerOf } from './ledger.js'
import { DEDUP_MODES, type Trial } from './model.js'

/** A saved trace that cannot be read; the message names the place, what was expected there and what was found. */
export class TraceFormatError extends Error {
  override readonly name = 'TraceFormatError'
}

function reviveError(value: unknown): unknown {
  const fields = (value as { $error?: Record<string, unknown> } | null)?.$error
  if (fields === undefined) return value
  const cause = 'cause' in fields ? { cause: reviveError(fields.cause) } : undefined
  const error = new Error(String(fields.message), cause)
  error.name = String(fields.name)
  return 'code' in fields ? Object.assign(error, { code: fields.code }) : error
}

const count = z.number().int().nonnegative()
const ms = z.number()
const msOrNull = ms.nullable()
// A timer may have been asked for NaN or Infinity, which JSON cannot say.
const anyNumber = z.union([z.number(), z.object({ $opaque: z.string() }).transform(({ $opaque }) => Number($opaque))])
const bytes = z.object({ $base64: z.string() }).transform(({ $base64 }) => new Uint8Array(Buffer.from($base64, 'base64')))
// Both may be undefined, which JSON leaves out.
const value = z
  .unknown()
  .optional()
  .transform((found) => found)
const error = z.unknown().optional().transform(reviveError)
// A step is shown and printed, never played from a trace: the schedule's own parser reads it before it is.
const step = z.record(z.string(), z.unknown()).transform((value) => value as unknown as Step)
const unsettledReason = z.enum(['deadlock', 'runaway', 'stall'])

const attempt = z.object({
  number: count.min(1),
  call: count.nullable(),
  operation: count,
  method: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  idempotencyKey: z.string().nullable(),
  body: bytes,
  bodyHash: z.string(),
  requestComplete: z.boolean(),
  arrivedAtMs: ms,
  headersAtMs: msOrNull,
  servedWallMs: msOrNull,
  endedAtMs: msOrNull,
  hungUpAtMs: msOrNull,
  socket: count,
  step: step.nullable(),
  stepIndex: count.nullable(),
  status: count.nullable(),
  result: z.union([count, z.enum([...FAULT_KINDS, 'hang-up', 'open'])]),
  answerHeaders: z.array(z.tuple([z.string(), z.string()])),
  answerBody: bytes,
  answerComplete: z.boolean(),
  ledger: z.enum(['none', 'new', 'replay', 'in-progress', 'reject', 'mismatch', 'duplicate']),
  keyExpired: z.literal(true).optional(),
  afterSettling: z.boolean(),
})

const outcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('resolved'),
    value,
    status: count.optional(),
    body: z.string().optional(),
    bodyBytes: bytes.optional(),
  }),
  z.object({ kind: z.literal('rejected'), error, phase: z.enum(['call', 'body']) }),
  z.object({ kind: z.literal('unobserved') }),
  z.object({ kind: z.literal('unsettled'), reason: unsettledReason, pending: z.array(z.string()) }),
])

const call = z.object({
  index: count,
  method: z.string(),
  path: z.string(),
  idempotencyKey: z.string().nullable(),
  startedAtMs: ms,
  settledAtMs: msOrNull,
  abortedAtMs: msOrNull,
  abortedBeforeCall: z.boolean().optional(),
  outcome,
})

const operation = z.object({ call: count.nullable(), method: z.string(), path: z.string(), attempts: z.array(count) })

const ledgerEntry = z.object({
  key: z.string().nullable(),
  method: z.string(),
  path: z.string(),
  bodyHash: z.string(),
  appliedBy: z.array(count),
  acceptedAtMs: ms,
  finishedAtMs: msOrNull,
})

const ledger = z
  .object({ dedup: z.enum(DEDUP_MODES), entries: z.array(ledgerEntry) })
  .transform(({ dedup, entries }) => ledgerOf(dedup, entries))

const timer = z.object({
  dueAtMs: anyNumber,
  delayMs: anyNumber,
  repeats: z.boolean(),
  refed: z.boolean(),
  origin: z.string(),
  byUserCode: z.boolean(),
})

const leftovers = z.object({
  timers: z.array(timer),
  attempts: z.array(count),
  abortListeners: z.array(z.string()),
  unreadAnswers: z.array(count),
  unhandledRejections: z.array(error),
  idleSockets: count,
})

const record = z.object({
  format: z.literal('retrial-trace'),
  version: z.literal(1),
  client: z.object({
    name: z.string(),
    repeatable: z.boolean(),
    streaming: z.boolean(),
    parses: z.literal('json').nullable(),
    takesSignal: z.boolean().nullable(),
  }),
  clock: z.enum(['virtual', 'real']),
  transport: z.enum(['socket', 'fetch', 'nock']),
  seed: z.number(),
  randomReplaced: z.literal(true).optional(),
  schedule: z.string().nullable(),
  calls: z.array(call),
  attempts: z.array(attempt),
  operations: z.array(operation),
  ledger,
  leftovers,
  unplayed: z.array(step),
  timerOverflows: z.array(z.object({ atMs: ms, requestedMs: anyNumber, origin: z.string() })),
  foreignConnections: z.array(z.object({ atMs: ms, host: z.string(), port: count, refused: z.boolean() })),
  relapses: count,
  abortAtMs: msOrNull,
  keyHeader: z.string(),
})

const spell = (path: readonly PropertyKey[]) =>
  path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')

/**
 * Reads a trial that `JSON.stringify(trial)` wrote, so that it can be shown and judged again.
 *
 * @param json The parsed JSON.
 * @param timeline Writes the trace as text; `report/load-trial.ts` passes the standard one.
 * @throws {TraceFormatError} when it is no saved trace; names the place.
 */
export function loadTrial(json: unknown, timeline: (trial: Trial) => string): Trial {
  const parsed = record.safeParse(json)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new TraceFormatError(`trace${spell(issue.path)}: ${issue.message}`)
  }
  const { format: _format, version: _version, ...fields } = parsed.data
  return makeTrial(fields, timeline)
}
