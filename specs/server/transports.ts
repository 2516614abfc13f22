import * as fc from 'fast-check'
import { type Client, type ClientInput, defineClient, runTrial, type TrialOptions } from '../../src/index.js'
import type { ResponseStep, StepInput } from '../../src/schedule/model.js'
import type { Outcome, Trial } from '../../src/trace/model.js'

const delayMs = fc.constantFrom(0, 1, 90, 700, 1_999, 2_001, 4_500, 61_000)

const answers: fc.Arbitrary<StepInput> = fc.oneof(
  fc.constantFrom(200, 201, 204, 400, 404, 409, 421, 429, 500, 503),
  fc.record({ status: fc.constantFrom(429, 503), retryAfter: fc.oneof(fc.nat(9), fc.record({ date: fc.nat(9) })) }),
  fc.record({ status: fc.constantFrom(200, 500), delayMs, apply: fc.boolean() }),
  fc.record({ status: fc.constantFrom(200, 503), bodyDelayMs: delayMs }),
  fc.record({ status: fc.constant(200), dripMs: fc.constantFrom(20, 90), endless: fc.boolean() }),
  fc.record({ status: fc.constantFrom(200, 500), stall: fc.constantFrom('headers' as const, 'body' as const) }),
  fc.record({
    status: fc.constantFrom(200, 500),
    truncate: fc.constantFrom('length' as const, 'chunked' as const, 'gzip' as const),
  }),
  fc.constantFrom<ResponseStep>(
    { status: 200, json: 'malformed' },
    { status: 200, body: 'x'.repeat(200_000) },
    { status: 200, body: '' },
    { status: 500, body: '<html>oops</html>', headers: { 'content-type': 'text/html' } },
    { status: 200, headers: { 'x-more': ['a', 'b'], 'set-cookie': ['a=1', 'b=2'] } },
    { status: 200, headers: { 'content-encoding': 'gzip' }, body: 'not gzip' },
    { status: 302, headers: { location: '/elsewhere' } },
    { status: 307, headers: { location: '/elsewhere?a=1' }, delayMs: 50 },
    { status: 503, closeAfter: 'answer' },
    { status: 200, closeAfter: 'answer' },
    { status: 503, headers: { connection: 'close' } },
  ),
  fc.record({
    status: fc.constant(200),
    stream: fc.record({
      events: fc.array(fc.record({ data: fc.constantFrom('a', { token: 1 }), delayMs }), { maxLength: 3 }),
      end: fc.constantFrom('clean' as const, 'reset' as const, 'close' as const, 'stall' as const),
    }),
  }),
)

/** Not `refuse`, which has a test of its own: on sockets undici connects again by itself after a hang-up, and that meets it. */
const faults: fc.Arbitrary<StepInput> = fc.oneof(
  fc.constantFrom<StepInput>('reset', 'reset-early', 'reset-headers', 'reset-body', 'close', 'hang'),
  fc.record({ fault: fc.constantFrom('reset' as const, 'close' as const, 'hang' as const), apply: fc.constant(true), delayMs }),
)

/** Everything that both transports offer. */
export const schedules = fc.array(fc.oneof({ weight: 3, arbitrary: answers }, { weight: 2, arbitrary: faults }), {
  minLength: 1,
  maxLength: 6,
})

export const plans: fc.Arbitrary<TrialOptions> = fc.record({
  call: fc.record({ method: fc.constantFrom('POST', 'GET', 'HEAD', 'DELETE', 'PUT') }),
  dedup: fc.constantFrom('replay' as const, 'conflict' as const, 'ignore' as const),
  seed: fc.nat(99),
})

/** Not AbortSignal.any with AbortSignal.timeout: on Node 20 the garbage collector may take such a signal before it fires. */
async function inTime<T>(send: (signal: AbortSignal) => Promise<T>, outer: AbortSignal): Promise<T> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error('too late')), 2_000)
  const forward = () => controller.abort(outer.reason)
  outer.addEventListener('abort', forward)
  try {
    return await send(controller.signal)
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', forward)
  }
}

/** Tries again whatever happens, so that every step of a schedule is met. */
export const persistent: Client = defineClient('persistent', async ({ url, method, headers, body, signal: outer }) => {
  const send = async (signal: AbortSignal) => {
    const response = await fetch(url, { method, headers, body, signal })
    return { status: response.status, text: await response.text(), headers: [...response.headers] }
  }
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await inTime(send, outer)
      if (attempt === 6) return result
    } catch (error) {
      if (attempt === 6 || outer.aborted) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 100 * attempt))
  }
})

/** What an outcome is, without the stack and the classes of errors. */
function shapeOf(outcome: Outcome): unknown {
  if (outcome.kind === 'resolved') return { kind: outcome.kind, status: outcome.status, body: outcome.body }
  if (outcome.kind !== 'rejected') return outcome.kind
  return { kind: outcome.kind, phase: outcome.phase, error: errorShape(outcome.error) }
}

function errorShape(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, cause } = error
  const { code } = error as { code?: unknown }
  // Some name the port, or the whole address.
  return { name, message: message.replace(/:\d+/, '').replace(/~retrial-t\d+/, ''), code, cause: errorShape(cause) }
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/** How far the clock goes on after settling is up to the timers that are left, and undici's are not there without sockets. */
const untilSettled = ({ settledAtMs }: Trial, atMs: number | null): number | null =>
  atMs !== null && settledAtMs !== null && atMs > settledAtMs ? null : atMs

/** All of a trial that must not depend on the transport: not the port, and nothing about connections and their timers. */
export function pictureOf(trial: Trial): unknown {
  const { timers, idleSockets: _, ...leftovers } = trial.leftovers
  return {
    attempts: trial.attempts.map(({ socket: _, body, answerBody, answerHeaders, headers, ...attempt }) => ({
      ...attempt,
      body: text(body),
      answerBody: text(answerBody),
      answerHeaders: answerHeaders.map(([name, value]) => `${name}: ${value}`),
      headers: { ...headers, host: null },
    })),
    operations: trial.operations,
    calls: trial.calls.map(({ outcome, ...call }) => ({ ...call, outcome: shapeOf(outcome) })),
    ledger: trial.ledger.entries.map((entry) => ({ ...entry, finishedAtMs: untilSettled(trial, entry.finishedAtMs) })),
    leftovers: {
      ...leftovers,
      timers: timers.filter(({ byUserCode }) => byUserCode).map((timer) => [timer.delayMs, timer.dueAtMs]),
    },
    unplayed: trial.unplayed,
    relapses: trial.relapses,
  }
}

/** The same trial on both transports. */
export async function onBoth(
  client: ClientInput,
  schedule: readonly StepInput[],
  options: TrialOptions = {},
): Promise<[unknown, unknown]> {
  const socket = await runTrial(client, schedule, { ...options, transport: 'socket' })
  const fetched = await runTrial(client, schedule, { ...options, transport: 'fetch' })
  return [pictureOf(socket), pictureOf(fetched)]
}
