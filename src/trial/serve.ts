import { startClock } from '../clock/index.js'
import { renderTimeline } from '../report/timeline.js'
import type { ScheduleInput } from '../schedule/model.js'
import { parseSchedule } from '../schedule/parse.js'
import { printSchedule } from '../schedule/print.js'
import { startServer } from '../server/http-server.js'
import { makeTrial } from '../trace/build.js'
import type { Attempt, AttemptResult, DedupMode, Trial } from '../trace/model.js'
import { groupOperations } from '../trace/operations.js'
import { show } from './client.js'
import { resolveOptions, TrialOptionsError } from './options.js'

export interface ServeOptions {
  /** 0 = any free port. Default 0. */
  readonly port?: number
  /** Default 'replay'. */
  readonly dedup?: DedupMode
  /** Default 'Idempotency-Key'. */
  readonly keyHeader?: string
  /** Shown in reports. Default 'client'. */
  readonly name?: string
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
  /** Stops at once: no connection outlives it. */
  close(): Promise<void>
}

/**
 * Starts the scripted server on loopback, in real time.
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
  const { port = 0, name = 'client', onAttempt, ...rest } = options
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TrialOptionsError(`options.port: expected an integer from 0 to 65535, received ${show(port)}`)
  }
  const { dedup, keyHeader } = resolveOptions({ ...rest, clock: 'real' })
  const run = startClock('real', { seed: null })
  const server = await startServer({
    schedule: script,
    clock: run.clock,
    dedup,
    keyHeader,
    token: 'serve',
    port,
    attribute: () => 0,
    onAttempt,
  }).catch((error: unknown) => {
    run.stop()
    throw error
  })
  const close = async () => {
    await server.close()
    run.stop()
  }
  return {
    url: server.origin,
    port: server.port,
    get attempts() {
      return server.attempts()
    },
    get statuses() {
      return server.attempts().map((attempt) => attempt.result)
    },
    trial: () => {
      const attempts = server.attempts()
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
          ledger: server.ledger(),
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
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
