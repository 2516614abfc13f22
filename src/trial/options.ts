import type { ClockKind, ClockOptions } from '../clock/model.js'
import { DEDUP_MODES, type DedupMode } from '../trace/model.js'
import { show } from './client.js'
import type { AbortPlan, CallPlan, TrialOptions } from './model.js'

/** A trial was asked for with options that make no sense. */
export class TrialOptionsError extends Error {
  override readonly name = 'TrialOptionsError'
}

/** The request that every call of the trial asks for, with its defaults filled in. */
export interface CallRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly contentType: string
  /** Key of a call by its index. */
  keyOf(index: number): string | undefined
}

export interface ResolvedOptions {
  readonly clock: ClockKind
  readonly transport: 'socket' | 'fetch'
  readonly request: CallRequest
  readonly calls: number
  readonly concurrency: number
  readonly abortAtMs: number | null
  readonly abort: AbortPlan | null
  readonly seed: number
  readonly dedup: DedupMode
  readonly keyHeader: string
  readonly keyExpiryMs: number | undefined
  readonly maxRequests: number
  readonly clockOptions: ClockOptions
}

/** Far more than any bounded client sends for one call; about half a second of real time. */
const REQUESTS_PER_CALL = 300
/** Timers and requests after which a client is a runaway: about as long. */
const MAX_EVENTS = 100_000

export type Check = readonly [allowed: string, holds: (value: unknown) => boolean]

const oneOf = (values: readonly string[]): Check => [
  values.map((v) => `'${v}'`).join(', '),
  (value) => values.includes(value as string),
]
const atLeast = (least: number): Check => [
  `an integer >= ${least}`,
  (value) => Number.isSafeInteger(value) && (value as number) >= least,
]
const milliseconds: Check = ['milliseconds >= 0', (value) => Number.isFinite(value) && (value as number) >= 0]
const above: Check = ['milliseconds > 0', (value) => Number.isFinite(value) && (value as number) > 0]
const text: Check = ['a string that is not empty', (value) => typeof value === 'string' && value !== '']
const object: Check = ['an object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)]
const ABORT_MOMENTS = ['before-call', 'during-attempt', 'during-wait', 'during-body']

export const OPTIONS: Readonly<Record<keyof TrialOptions, Check>> = {
  clock: oneOf(['virtual', 'real']),
  transport: oneOf(['socket', 'fetch']),
  call: object,
  calls: atLeast(1),
  concurrency: atLeast(1),
  abortAtMs: milliseconds,
  abort: [
    `{ onAttempt: n } or ${ABORT_MOMENTS.map((m) => `'${m}'`).join(', ')}`,
    (value) => ABORT_MOMENTS.includes(value as string) || atLeast(1)[1]((value as { onAttempt?: number } | null)?.onAttempt),
  ],
  seed: ['a safe integer', (value) => Number.isSafeInteger(value)],
  random: oneOf(['seeded', 'real']),
  dedup: oneOf(DEDUP_MODES),
  keyHeader: ['a header name', isHeaderName],
  keyExpiryMs: milliseconds,
  wallClockOffsetMs: [
    'milliseconds, or a list of { atMs, offsetMs }',
    (value) =>
      Number.isFinite(value) ||
      (Array.isArray(value) && value.every((s) => Number.isFinite(s?.atMs) && s.atMs >= 0 && Number.isFinite(s?.offsetMs))),
  ],
  maxVirtualMs: above,
  maxEvents: atLeast(1),
  maxRequests: atLeast(1),
  allowHosts: [
    "a list of 'host:port'",
    (value) => Array.isArray(value) && value.every((host) => typeof host === 'string' && host !== ''),
  ],
}

const CALL_OPTIONS: Record<keyof CallPlan, Check> = {
  method: ['an HTTP method in capitals', (value) => typeof value === 'string' && /^[A-Z]+$/.test(value)],
  path: ["a path that begins with '/'", (value) => typeof value === 'string' && value.startsWith('/') && !/[\s#]/.test(value)],
  body: [
    'text or a JSON value (no bytes, and nothing that JSON cannot hold: a circular object, a bigint, a function)',
    (value) => !ArrayBuffer.isView(value) && toText(value) !== undefined,
  ],
  headers: [
    'an object of header names and string values',
    (value) =>
      object[1](value) && Object.entries(value as object).every(([name, v]) => isHeaderName(name) && typeof v === 'string'),
  ],
  idempotencyKey: ["'auto', 'none' or a key", text[1]],
}

/** Fills in the defaults of a trial's options. Throws TrialOptionsError naming the first wrong one. */
export function resolveOptions(options: TrialOptions = {}): ResolvedOptions {
  check('options', options, OPTIONS)
  check('options.call', options.call ?? {}, CALL_OPTIONS)
  checkHeaders(options.call?.headers)
  if (options.abort !== undefined && options.abortAtMs !== undefined) {
    throw new TrialOptionsError('options.abort and options.abortAtMs: give one of them')
  }
  const { clock = 'virtual', transport = 'socket', calls = 1, concurrency = 1, seed = 1, dedup = 'replay' } = options
  if (transport === 'fetch' && clock === 'real') {
    throw new TrialOptionsError("options.transport: 'fetch' plays without a socket and needs clock: 'virtual'")
  }
  return {
    clock,
    transport,
    request: resolveRequest(options.call ?? {}),
    calls,
    concurrency,
    abortAtMs: options.abortAtMs ?? null,
    abort: options.abort ?? null,
    seed,
    dedup,
    keyExpiryMs: options.keyExpiryMs,
    maxRequests: options.maxRequests ?? REQUESTS_PER_CALL * calls,
    keyHeader: (options.keyHeader ?? 'idempotency-key').toLowerCase(),
    clockOptions: {
      seed: options.random === 'real' ? null : seed,
      wallClockOffsetMs: options.wallClockOffsetMs,
      maxVirtualMs: options.maxVirtualMs,
      maxEvents: options.maxEvents ?? MAX_EVENTS,
      allowHosts: options.allowHosts,
    },
  }
}

function resolveRequest(plan: CallPlan): CallRequest {
  const method = plan.method ?? 'POST'
  const carriesBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
  const body = plan.body ?? (carriesBody ? { prompt: 'hi' } : undefined)
  const key = plan.idempotencyKey ?? 'auto'
  const takesKey = method === 'POST' || method === 'PATCH'
  return {
    method,
    path: plan.path ?? '/',
    headers: Object.fromEntries(Object.entries(plan.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
    body: body === undefined ? undefined : toText(body),
    contentType: typeof body === 'string' ? 'text/plain;charset=UTF-8' : 'application/json',
    keyOf: (index) => (!takesKey || key === 'none' ? undefined : key === 'auto' ? `k-${index + 1}` : key),
  }
}

function toText(body: unknown): string | undefined {
  if (typeof body === 'string') return body
  try {
    return JSON.stringify(body)
  } catch {
    return undefined // circular, or a bigint
  }
}

function isHeaderName(value: unknown): boolean {
  return typeof value === 'string' && /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(value)
}

/** What a header line can carry (RFC 9110 §5.5): no client could send anything else. */
const HEADER_VALUE: Check = [
  'characters of Latin-1 without line breaks',
  (value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value as string),
]

function checkHeaders(headers: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_VALUE[1](value))
      throw new TrialOptionsError(
        `options.call.headers[${JSON.stringify(name)}]: expected ${HEADER_VALUE[0]}, received ${JSON.stringify(value)}`,
      )
  }
}

/**
 * Holds options to what is allowed.
 *
 * @param place what they are called in the message
 * @throws TrialOptionsError naming the first wrong one
 */
export function check(place: string, given: unknown, checks: Readonly<Record<string, Check>>): void {
  if (!object[1](given)) throw new TrialOptionsError(`${place}: expected an object, received ${show(given)}`)
  for (const [name, value] of Object.entries(given as object)) {
    const rule = checks[name]
    if (rule === undefined)
      throw new TrialOptionsError(`${place}.${name}: unknown option, allowed are ${Object.keys(checks).join(', ')}`)
    if (value !== undefined && !rule[1](value))
      throw new TrialOptionsError(`${place}.${name}: expected ${rule[0]}, received ${show(value)}`)
  }
}
