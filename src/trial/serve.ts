import { startClock } from '../clock/index.js'
import { renderTimeline } from '../report/timeline.js'
import type { Schedule, ScheduleInput } from '../schedule/model.js'
import { parseSchedule } from '../schedule/parse.js'
import { printSchedule } from '../schedule/print.js'
import { startServer } from '../server/http-server.js'
import type { ScriptedServer } from '../server/model.js'
import { makeTrial } from '../trace/build.js'
import { ledgerOf } from '../trace/ledger.js'
import type { Attempt, AttemptResult, DedupMode, Trial } from '../trace/model.js'
import { groupOperations } from '../trace/operations.js'
import { tellFinished } from './finished.js'
import { type Check, check, OPTIONS, resolveOptions } from './options.js'
import { controlOf, type ResetOn } from './serve-control.js'

export interface ServeOptions {
  /** 0 = any free port. Default 0. */
  readonly port?: number
  /** Default 'replay'. */
  readonly dedup?: DedupMode
  /** Default 'Idempotency-Key'. */
  readonly keyHeader?: string
  /** The server forgets a key after so many ms. Default: never. */
  readonly keyExpiryMs?: number
  /** Shown in reports. Default 'client'. */
  readonly name?: string
  /** When to begin anew by itself. Default: only when asked, by `reset()` or by a request for `/~retrial/reset`. */
  readonly resetOn?: ResetOn
  /** What is told of the trace when `/~retrial/trace` is asked for. Default: all of it. */
  readonly present?: (trial: Trial) => Trial
  /** Called with the trace of a run that a reset has ended, if anything came in it. */
  readonly onRun?: (trial: Trial) => void
  /** Called as attempts come and go. */
  readonly onAttempt?: (attempt: Attempt, change: 'arrived' | 'headers' | 'ended' | 'hung-up') => void
}

/** The bare scripted server, in real time, for people who drive their client themselves. */
export interface Serving extends AsyncDisposable {
  /** http://127.0.0.1:port */
  readonly url: string
  readonly port: number
  readonly attempts: readonly Attempt[]
  readonly statuses: readonly AttemptResult[]
  /** The trace so far, to be judged like any other. What the caller got is not known here. */
  trial(): Trial
  /** Begins anew: the schedule from its first step, an empty ledger, attempt 1 at 0 ms. */
  reset(): void
  /** Stops at once: no connection outlives it. */
  close(): Promise<void>
}

/**
 * Starts the scripted server on loopback, in real time. It tells what it saw under `/~retrial/trace`, and begins anew when
 * `/~retrial/reset` is asked for.
 *
 * @param schedule the steps it plays, one per attempt, the last one repeating; or a function that chooses them
 * @param options port (0 = any), dedup mode, key header
 * @throws ScheduleError or TrialOptionsError for bad input, before anything listens
 * @example
 * await using server = await serve([503, 200])
 * await fetch(server.url)
 * server.statuses // [503]
 */
export async function serve(schedule: ScheduleInput, options: ServeOptions = {}): Promise<Serving> {
  const script = parseSchedule(schedule)
  check('options', options, SERVE_OPTIONS)
  const { port = 0, name = 'client', onAttempt, onRun, resetOn = {}, present = (trial) => trial } = options
  const { dedup, keyHeader, keyExpiryMs } = resolveOptions({
    dedup: options.dedup,
    keyHeader: options.keyHeader,
    keyExpiryMs: options.keyExpiryMs,
    clock: 'real',
  })
  const run = startClock('real', { seed: null })
  let startedAtMs = 0
  const trial = (): Trial => recordOf(server, script, name, keyHeader, startedAtMs)
  const reset = (): void => {
    if (server.attempts().length > 0) onRun?.(trial())
    server.reset?.()
  }
  const server: ScriptedServer = await startServer({
    schedule: script,
    clock: run.clock,
    dedup,
    keyHeader,
    keyExpiryMs,
    token: 'serve',
    port,
    attribute: () => 0,
    control: controlOf(resetOn, { trace: () => present(trial()), reset }),
    onAttempt: (attempt, change) => {
      // A run begins when its first request comes.
      if (attempt.number === 1 && change === 'arrived') startedAtMs = attempt.arrivedAtMs
      onAttempt?.(since(startedAtMs, attempt), change)
    },
  }).catch((error: unknown) => {
    run.stop()
    throw error
  })
  const close = async () => {
    if (server.attempts().length > 0) tellFinished(trial())
    await server.close()
    run.stop()
  }
  return {
    url: server.origin,
    port: server.port,
    get attempts() {
      return server.attempts().map((attempt) => since(startedAtMs, attempt))
    },
    get statuses() {
      return server.attempts().map((attempt) => attempt.result)
    },
    trial,
    reset,
    close,
    [Symbol.asyncDispose]: close,
  }
}

const aFunction: Check = ['a function', (value) => typeof value === 'function']

const SERVE_OPTIONS: Readonly<Record<keyof ServeOptions, Check>> = {
  port: [
    'an integer from 0 to 65535',
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535,
  ],
  dedup: OPTIONS.dedup,
  keyHeader: OPTIONS.keyHeader,
  keyExpiryMs: OPTIONS.keyExpiryMs,
  name: ['a string', (value) => typeof value === 'string'],
  resetOn: ['an object', (value) => typeof value === 'object' && value !== null],
  present: aFunction,
  onRun: aFunction,
  onAttempt: aFunction,
}

const earlier = (ms: number | null, byMs: number): number | null => (ms === null ? null : ms - byMs)

/** The times of a run count from its own beginning. */
const since = (startedAtMs: number, attempt: Attempt): Attempt => ({
  ...attempt,
  arrivedAtMs: attempt.arrivedAtMs - startedAtMs,
  headersAtMs: earlier(attempt.headersAtMs, startedAtMs),
  endedAtMs: earlier(attempt.endedAtMs, startedAtMs),
  hungUpAtMs: earlier(attempt.hungUpAtMs, startedAtMs),
})

function recordOf(server: ScriptedServer, script: Schedule, name: string, keyHeader: string, startedAtMs: number): Trial {
  const attempts = server.attempts().map((attempt) => since(startedAtMs, attempt))
  const ledger = server.ledger()
  const entries = ledger.entries.map((entry) => ({
    ...entry,
    acceptedAtMs: entry.acceptedAtMs - startedAtMs,
    finishedAtMs: earlier(entry.finishedAtMs, startedAtMs),
  }))
  return makeTrial(
    {
      client: { name, repeatable: false, streaming: false, parses: null, takesSignal: null },
      clock: 'real',
      transport: 'socket',
      seed: 1,
      schedule: printSchedule(script),
      calls: [],
      attempts,
      operations: groupOperations(attempts),
      ledger: ledgerOf(ledger.dedup, entries),
      leftovers: {
        timers: [],
        attempts: [],
        abortListeners: [],
        unreadAnswers: server.unreadAnswers(),
        unhandledRejections: [],
        idleSockets: server.openSockets(),
      },
      unplayed: server.unplayed(),
      timerOverflows: [],
      foreignConnections: [],
      relapses: 0,
      abortAtMs: null,
      keyHeader,
    },
    renderTimeline,
  )
}
