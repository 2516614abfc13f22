import { createHash } from 'node:crypto'
import { renderTimeline } from '../../src/report/timeline.js'
import type { FaultKind, JsonValue, Step } from '../../src/schedule/model.js'
import { makeTrial } from '../../src/trace/build.js'
import { ledgerOf } from '../../src/trace/ledger.js'
import type {
  Attempt,
  CallRecord,
  DedupMode,
  LedgerEntry,
  LedgerMark,
  Leftovers,
  Outcome,
  Trial,
  TrialRecord,
} from '../../src/trace/model.js'
import { createOperationIndex, endOf, groupOperations } from '../../src/trace/operations.js'

/** What the wall clock shows at 0 ms of a hand-made trial: Thu, 01 Jan 2026 00:00:00 GMT. */
export const WALL_START_MS = Date.UTC(2026, 0, 1)

/** An attempt in short. Everything has a default; `status` or `fault` says what it came to. */
export interface AttemptSketch {
  /** Arrival. Default: the end of the attempt before it, 0 for the first. */
  at?: number
  status?: number
  fault?: FaultKind
  /** Header block flushed. Default: `at` when there is a status, else never. */
  headersAt?: number | null
  /** Default: `hungUpAt`, else `headersAt`, else `at` (never for an open 'hang'). */
  endedAt?: number | null
  hungUpAt?: number | null
  /** Answer headers, any case. */
  headers?: Record<string, string | readonly string[]>
  /** Answer body: text as it is, anything else as JSON. */
  answer?: JsonValue
  /** The answer arrived whole. Default: a status, no fault, no hang-up. */
  complete?: boolean
  /** Default 0. */
  call?: number | null
  method?: string
  path?: string
  /** Default: the trial's key on POST and PATCH. */
  key?: string | null
  requestHeaders?: Record<string, string>
  /** Request body. Default '{"prompt":"hi"}' for POST, PUT and PATCH. */
  body?: string
  bodyHash?: string
  requestComplete?: boolean
  socket?: number
  /** Default: made of `status` or `fault`; null when the ledger answered. */
  step?: Step | null
  /** Default 'new' for the first 2xx under its key, 'replay' for a later one, else 'none'. */
  ledger?: LedgerMark
  servedWallMs?: number | null
  afterSettling?: boolean
}

export interface CallSketch {
  method?: string
  path?: string
  key?: string | null
  startedAt?: number
  /** Default: the end of its last attempt. */
  settledAt?: number | null
  abortedAt?: number | null
  /** Default: resolved with the last status when that is a 2xx, else rejected. */
  outcome?: Outcome
}

export interface TrialSketch {
  attempts: readonly AttemptSketch[]
  /** Default: one for each call that the attempts name. */
  calls?: readonly CallSketch[]
  /** Of the first call. */
  outcome?: Outcome
  /** Of the first call. */
  settledAt?: number | null
  /** Default POST. */
  method?: string
  /** Default '/v1/chat'. */
  path?: string
  /** Key of call 0; others get 'k-2', ... Default 'k-1' for POST and PATCH; null for none. */
  key?: string | null
  dedup?: DedupMode
  /** Default: what the attempts' ledger marks say. */
  entries?: readonly LedgerEntry[]
  leftovers?: Partial<Leftovers>
  client?: Partial<TrialRecord['client']>
  /** Anything else of the record. */
  record?: Partial<TrialRecord>
}

export const resolved = (status = 200, value: unknown = undefined): Outcome => ({ kind: 'resolved', value, status })
export const rejected = (message = 'failed', phase: 'call' | 'body' = 'call'): Outcome => ({
  kind: 'rejected',
  error: new Error(message),
  phase,
})
export const unsettled = (...pending: string[]): Outcome => ({ kind: 'unsettled', reason: 'deadlock', pending })

const bytes = (text: string) => new TextEncoder().encode(text)
const takesKey = (method: string) => method === 'POST' || method === 'PATCH'
const hasBody = (method: string) => takesKey(method) || method === 'PUT'

function keyOfCall(trial: TrialSketch, call: number, method: string): string | null {
  if (trial.key === null || !takesKey(method)) return null
  return call === 0 && trial.key !== undefined ? trial.key : `k-${call + 1}`
}

function answerHeadersOf(headers: AttemptSketch['headers'] = {}): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((line): [string, string] => [name.toLowerCase(), line as string]),
  )
}

function answerBodyOf(answer: JsonValue | undefined): Uint8Array {
  if (answer === undefined) return new Uint8Array()
  return bytes(typeof answer === 'string' ? answer : JSON.stringify(answer))
}

function timesOf(sketch: AttemptSketch, previous: Attempt | undefined) {
  const at = sketch.at ?? (previous === undefined ? 0 : (endOf(previous) ?? previous.arrivedAtMs))
  const headersAtMs = sketch.headersAt === undefined ? (sketch.status === undefined ? null : at) : sketch.headersAt
  const hungUpAtMs = sketch.hungUpAt ?? null
  const impliedEnd = hungUpAtMs ?? headersAtMs ?? (sketch.fault === 'hang' ? null : at)
  return { arrivedAtMs: at, headersAtMs, hungUpAtMs, endedAtMs: sketch.endedAt === undefined ? impliedEnd : sketch.endedAt }
}

function stepOf({ status, fault, step }: AttemptSketch, mark: LedgerMark): Step | null {
  if (step !== undefined) return step
  if (mark === 'replay' || mark === 'in-progress' || mark === 'reject' || mark === 'mismatch') return null
  return fault === undefined ? { status: status ?? 200 } : { fault }
}

function markOf(sketch: AttemptSketch, key: string | null, before: readonly Attempt[]): LedgerMark {
  if (sketch.ledger !== undefined) return sketch.ledger
  if (sketch.status === undefined || sketch.status < 200 || sketch.status > 299) return 'none'
  const known = before.some((attempt) => attempt.idempotencyKey === key && attempt.ledger === 'new')
  return key !== null && known ? 'replay' : 'new'
}

function attemptOf(sketch: AttemptSketch, trial: TrialSketch, before: readonly Attempt[], operation: number): Attempt {
  const call = sketch.call === undefined ? 0 : sketch.call
  const method = sketch.method ?? trial.method ?? 'POST'
  const key = sketch.key === undefined ? keyOfCall(trial, call ?? 0, method) : sketch.key
  const body = sketch.body ?? (hasBody(method) ? '{"prompt":"hi"}' : '')
  const times = timesOf(sketch, before.at(-1))
  const status = sketch.status ?? null
  const mark = markOf(sketch, key, before)
  const keyHeader = trial.record?.keyHeader ?? 'idempotency-key'
  return {
    number: before.length + 1,
    call,
    operation,
    method,
    path: sketch.path ?? trial.path ?? '/v1/chat',
    headers: { ...(key === null ? {} : { [keyHeader]: key }), ...sketch.requestHeaders },
    idempotencyKey: key,
    body: bytes(body),
    bodyHash: sketch.bodyHash ?? createHash('sha256').update(body).digest('hex'),
    requestComplete: sketch.requestComplete ?? true,
    ...times,
    servedWallMs:
      sketch.servedWallMs === undefined
        ? times.headersAtMs === null
          ? null
          : WALL_START_MS + times.headersAtMs
        : sketch.servedWallMs,
    socket: sketch.socket ?? before.length + 1,
    step: stepOf(sketch, mark),
    stepIndex: null,
    status,
    result: status ?? sketch.fault ?? (times.hungUpAtMs === null ? 'open' : 'hang-up'),
    answerHeaders: answerHeadersOf(sketch.headers),
    answerBody: answerBodyOf(sketch.answer),
    answerComplete: sketch.complete ?? (status !== null && sketch.fault === undefined && times.hungUpAtMs === null),
    ledger: mark,
    afterSettling: sketch.afterSettling ?? false,
  }
}

function attemptsOf(trial: TrialSketch): Attempt[] {
  const indexOf = createOperationIndex()
  const attempts: Attempt[] = []
  for (const sketch of trial.attempts) {
    const attempt = attemptOf(sketch, trial, attempts, 0)
    attempts.push({ ...attempt, operation: indexOf(attempt) })
  }
  return attempts
}

function entriesOf(attempts: readonly Attempt[]): LedgerEntry[] {
  const entries: (LedgerEntry & { appliedBy: number[] })[] = []
  for (const { ledger, number, idempotencyKey: key, method, path, bodyHash, arrivedAtMs } of attempts) {
    const known = entries.find((entry) => entry.key !== null && entry.key === key)
    if (ledger === 'duplicate' && known) known.appliedBy.push(number)
    else if (ledger === 'new' || ledger === 'duplicate') {
      entries.push({ key, method, path, bodyHash, appliedBy: [number], acceptedAtMs: arrivedAtMs, finishedAtMs: arrivedAtMs })
    }
  }
  return entries
}

function outcomeOf(last: Attempt | undefined): Outcome {
  const status = last?.status ?? null
  if (status !== null && status >= 200 && status < 300 && last?.answerComplete) return resolved(status)
  return rejected(status === null ? String(last?.result ?? 'nothing was sent') : `HTTP ${status}`)
}

function callOf(sketch: CallSketch, index: number, trial: TrialSketch, attempts: readonly Attempt[]): CallRecord {
  const own = attempts.filter((attempt) => attempt.call === index && !attempt.afterSettling)
  const last = own.at(-1)
  const outcome = sketch.outcome ?? (index === 0 ? trial.outcome : undefined) ?? outcomeOf(last)
  const method = sketch.method ?? own[0]?.method ?? trial.method ?? 'POST'
  const settledAt = sketch.settledAt === undefined && index === 0 ? trial.settledAt : sketch.settledAt
  const impliedEnd = outcome.kind === 'unsettled' ? null : last === undefined ? 0 : (endOf(last) ?? last.arrivedAtMs)
  return {
    index,
    method,
    path: sketch.path ?? own[0]?.path ?? trial.path ?? '/v1/chat',
    idempotencyKey: sketch.key === undefined ? keyOfCall(trial, index, method) : sketch.key,
    startedAtMs: sketch.startedAt ?? 0,
    settledAtMs: settledAt === undefined ? impliedEnd : settledAt,
    abortedAtMs: sketch.abortedAt ?? null,
    outcome,
  }
}

/**
 * A finished trial from a few words, for specs that judge or show one.
 *
 * @example
 * trialOf({ attempts: [{ status: 429, headers: { 'Retry-After': '30' } }, { at: 512, status: 200 }] })
 */
export function trialOf(sketch: TrialSketch): Trial {
  const attempts = attemptsOf(sketch)
  const callCount = Math.max(sketch.calls?.length ?? 0, 1, ...attempts.map(({ call }) => (call ?? 0) + 1))
  const calls = Array.from({ length: callCount }, (_, index) => callOf(sketch.calls?.[index] ?? {}, index, sketch, attempts))
  const record: TrialRecord = {
    client: { name: 'client', repeatable: false, streaming: false, parses: null, takesSignal: null, ...sketch.client },
    clock: 'virtual',
    transport: 'socket',
    seed: 1,
    schedule: JSON.stringify(attempts.flatMap(({ step }) => (step === null ? [] : [step]))),
    calls,
    attempts,
    operations: groupOperations(attempts),
    ledger: ledgerOf(sketch.dedup ?? 'replay', sketch.entries ?? entriesOf(attempts)),
    leftovers: {
      timers: [],
      attempts: attempts.filter(({ afterSettling }) => afterSettling).map(({ number }) => number),
      abortListeners: [],
      unreadAnswers: [],
      unhandledRejections: [],
      idleSockets: 0,
      ...sketch.leftovers,
    },
    unplayed: [],
    timerOverflows: [],
    foreignConnections: [],
    relapses: 0,
    abortAtMs: null,
    keyHeader: 'idempotency-key',
    ...sketch.record,
  }
  return makeTrial(record, renderTimeline)
}
