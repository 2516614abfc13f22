import type { ScheduleInput, StepInput } from '../../src/schedule/model.js'

/** What a column of the measured tables did to a client. */
export interface Scenario {
  readonly schedule: ScheduleInput
  /** The client's own timeout option. */
  readonly timeoutMs?: number
  /** The measurement looked no further than this. */
  readonly capMs?: number
  readonly abortAtMs?: number
  /** What the hint of the answer asks for; a date was 3 to 4 s ahead, by the second in which it was served. */
  readonly hintMs?: readonly [from: number, to: number]
}

const once = (step: StepInput): ScheduleInput => [step, 200]
const always = (step: StepInput): ScheduleInput => [step]
const seconds = (s: number): readonly [number, number] => [s * 1000, s * 1000]

const TRANSIENT = Object.fromEntries(
  [503, 500, 502, 504, 529, 429, 408, 409, 425].map((status) => [`${status}x1`, { schedule: once(status) }]),
)

const PERMANENT = Object.fromEntries(
  [404, 400, 401, 403, 422, 501].map((status) => [String(status), { schedule: always(status), capMs: 15_000 }]),
)

/** A hint that the measurement cut off by an abort once it had seen the client wait. */
const HINTS: Readonly<Record<string, Scenario>> = {
  '429 RA 2': { schedule: once({ status: 429, retryAfter: 2 }), hintMs: seconds(2) },
  '503 RA 2': { schedule: once({ status: 503, retryAfter: 2 }), hintMs: seconds(2) },
  '503 RA 1.5': { schedule: once({ status: 503, retryAfter: '1.5' }), hintMs: seconds(1.5) },
  '503 RA date +3..4 s': { schedule: once({ status: 503, retryAfter: { date: 4 } }), hintMs: [3000, 4000] },
  '503 RA date past': { schedule: once({ status: 503, retryAfter: { date: -60 } }) },
  '503 retry-after-ms 1500': { schedule: once({ status: 503, retryAfterMs: 1500 }), hintMs: seconds(1.5) },
  '503 RA 0': { schedule: once({ status: 503, retryAfter: 0 }) },
  '503 RA -5': { schedule: once({ status: 503, retryAfter: '-5' }) },
  '503 RA abc': { schedule: once({ status: 503, retryAfter: 'abc' }), capMs: 15_000 },
  '503 RA 20': { schedule: once({ status: 503, retryAfter: 20 }), hintMs: seconds(20) },
  '503 RA 86400': { schedule: once({ status: 503, retryAfter: 86_400 }), hintMs: seconds(86_400), abortAtMs: 15_000 },
  '429 RA 86400': { schedule: once({ status: 429, retryAfter: 86_400 }), hintMs: seconds(86_400), abortAtMs: 15_000 },
}

const NETWORK: Readonly<Record<string, Scenario>> = {
  'RST x1': { schedule: once('reset') },
  'FIN x1': { schedule: once('close') },
  'RST always (cap 45 s)': { schedule: always('reset'), capMs: 45_000 },
  'reset mid-body x1': { schedule: once('reset-body') },
  'body stalls x1, timeout 1 s': { schedule: once({ status: 200, stall: 'body' }), timeoutMs: 1000, capMs: 15_000 },
  '3 s late x1, timeout 1 s': { schedule: once({ status: 200, delayMs: 3000 }), timeoutMs: 1000, capMs: 15_000 },
  '3 s late always, timeout 1 s': { schedule: always({ status: 200, delayMs: 3000 }), timeoutMs: 1000, capMs: 30_000 },
  'malformed JSON x1': { schedule: once({ status: 200, json: 'malformed' }) },
}

const ABORTS: Readonly<Record<string, Scenario>> = {
  '503 + x-should-retry:false': { schedule: once({ status: 503, headers: { 'x-should-retry': 'false' } }) },
  '400 + x-should-retry:true': { schedule: once({ status: 400, headers: { 'x-should-retry': 'true' } }) },
  'abort 60 ms into backoff': { schedule: always(503), abortAtMs: 60 },
  'abort 0.5 s into RA:3 wait': { schedule: always({ status: 503, retryAfter: 3 }), hintMs: seconds(3), abortAtMs: 500 },
  'abort in flight': { schedule: always({ status: 200, delayMs: 3000 }), abortAtMs: 300 },
}

/** The table does not name the cap of its 'always' columns: p-retry made 5 requests (the fifth at 15 s, the sixth would be at 31 s). */
const ENDLESS_CAP_MS = 30_000

const HOSTILE: Readonly<Record<string, Scenario>> = {
  '503 RA 45 x1 (cap 60 s)': { schedule: once({ status: 503, retryAfter: 45 }), hintMs: seconds(45), capMs: 60_000 },
  '503 RA 2500000 s x1 (> 2^31 ms, cap 8 s)': {
    schedule: once({ status: 503, retryAfter: 2_500_000 }),
    hintMs: seconds(2_500_000),
    capMs: 8000,
  },
  'always 503 RA 0': { schedule: always({ status: 503, retryAfter: 0 }), capMs: ENDLESS_CAP_MS },
  'always 503 RA -5': { schedule: always({ status: 503, retryAfter: '-5' }), capMs: ENDLESS_CAP_MS },
  'always 503 RA abc': { schedule: always({ status: 503, retryAfter: 'abc' }), capMs: ENDLESS_CAP_MS },
  'always 503 RA 1': { schedule: always({ status: 503, retryAfter: 1 }), hintMs: seconds(1), capMs: ENDLESS_CAP_MS },
  'always reset mid-body': { schedule: always('reset-body'), capMs: ENDLESS_CAP_MS },
  '503 RA 2 x1, client timeout 1 s': { schedule: once({ status: 503, retryAfter: 2 }), hintMs: seconds(2), timeoutMs: 1000 },
}

/** Column heading -> scenario, over all tables. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  '200': { schedule: always(200) },
  ...TRANSIENT,
  ...HINTS,
  ...PERMANENT,
  ...NETWORK,
  ...ABORTS,
  'always 503': { schedule: always(503), capMs: 70_000 },
  ...HOSTILE,
}
