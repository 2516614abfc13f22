import { isRandomReplaced, startClock, warmUp } from '../clock/index.js'
import type { ClockRun, DriveResult, PendingTimer } from '../clock/model.js'
import { renderTimeline } from '../report/timeline.js'
import type { Schedule, ScheduleInput } from '../schedule/model.js'
import { parseSchedule } from '../schedule/parse.js'
import { printSchedule } from '../schedule/print.js'
import type { ScriptedServer } from '../server/model.js'
import { makeTrial } from '../trace/build.js'
import type { Leftovers, Outcome, Trial } from '../trace/model.js'
import { groupOperations } from '../trace/operations.js'
import { assertArrived } from './arrived.js'
import { CallDriver } from './calls.js'
import { toClient } from './client.js'
import { tellFinished } from './finished.js'
import type { Client, ClientInput, TrialOptions } from './model.js'
import { type ResolvedOptions, resolveOptions } from './options.js'
import { captureRejections } from './rejections.js'
import { startOn, transportOf } from './transport.js'

/** How much virtual time is watched after settling: long enough for a retry that nobody waits for any more. */
const LINGER_MIN_MS = 120_000
const LINGER_EVENTS = 2_000
/** What an abandoned client may still do, so that its errors are caught by its own code. */
const LAST_EVENTS = 50

let trials = 0

/**
 * Runs a client once against a schedule and returns the complete record.
 *
 * @param input a fetch-style function, or what `defineClient` returned
 * @param schedule the steps the server plays, one per attempt, the last one repeating; or a function that chooses them
 * @param options clock, call, number of calls, abort, seed, dedup; times in milliseconds
 * @returns the finished trial; a client that fails, or never settles, is recorded, not thrown
 * @throws ClientSetupError, ScheduleError, TrialOptionsError for bad input; ClockBusyError inside another trial
 * @example
 * const trial = await runTrial(fetch, [{ status: 429, retryAfter: 30 }, 200])
 * trial.statuses // [429]
 */
export async function runTrial(input: ClientInput, schedule: ScheduleInput, options: TrialOptions = {}): Promise<Trial> {
  const client = toClient(input)
  const script = parseSchedule(schedule)
  const resolved = resolveOptions(options)
  await warmUp()
  const run = startClock(resolved.clock, resolved.clockOptions)
  const rejections = captureRejections()
  try {
    return tellFinished(await conduct(client, script, resolved, run, rejections.seen))
  } finally {
    run.stop()
    rejections.release()
  }
}

async function conduct(
  client: Client,
  schedule: Schedule,
  options: ResolvedOptions,
  run: ClockRun,
  unhandledRejections: readonly unknown[],
): Promise<Trial> {
  let driver: CallDriver | undefined
  let scriptFailure: { readonly error: unknown } | undefined
  let runaway = () => {}
  const tooMany = new Promise<'runaway'>((resolve) => {
    runaway = () => resolve('runaway')
  })
  const server = await startOn(transportOf(client, options), client, {
    schedule,
    clock: run.clock,
    dedup: options.dedup,
    keyHeader: options.keyHeader,
    keyExpiryMs: options.keyExpiryMs,
    token: `t${++trials}`,
    asked: options.request,
    attribute: (key) => driver?.attribute(key) ?? null,
    onAttempt: (attempt, change) => {
      driver?.onAttempt(attempt, change)
      if (attempt.number > options.maxRequests) runaway()
    },
    onError: (error) => {
      scriptFailure ??= { error }
    },
  })
  try {
    driver = new CallDriver(client, options, server, run.clock)
    const calls = driver
    const end = await driveCalls(run, calls, tooMany, options.maxRequests)
    // A schedule function of the user's that fails says nothing about the client.
    if (scriptFailure !== undefined) throw scriptFailure.error
    const timers = run.pendingTimers()
    if (end.kind === 'settled') {
      server.markSettled()
      // A zombie comes at the latest after a wait like the longest one so far; twice that is watched.
      await run.linger(Math.max(LINGER_MIN_MS, 2 * run.clock.nowMs()), LINGER_EVENTS)
    }
    const trial = record(client, schedule, options, run, server, calls, end, timers, unhandledRejections)
    if (end.kind === 'unsettled') await giveUp(run, server, calls)
    assertArrived(client, trial, calls.read, options)
    if (end.kind === 'settled') await wrapUp(run, server, calls)
    return trial
  } finally {
    await server.close()
  }
}

/** A failing `create` is a set-up error of the user's and is thrown as it is. A client that sends without end is stopped by its requests. */
async function driveCalls(
  run: ClockRun,
  calls: CallDriver,
  tooMany: Promise<'runaway'>,
  maxRequests: number,
): Promise<DriveResult> {
  let failure: { error: unknown } | undefined
  let how: unknown
  const end = await run.drive(async () => {
    try {
      how = await Promise.race([calls.runAll(), tooMany])
    } catch (error) {
      failure = { error }
    }
  })
  if (failure !== undefined) throw failure.error
  if (how !== 'runaway' || end.kind === 'unsettled') return end
  const line = `runaway at ${end.atMs} ms: more than ${maxRequests} requests have come and the call has not settled (option maxRequests)`
  return { kind: 'unsettled', reason: 'runaway', atMs: end.atMs, pending: [line] }
}

/**
 * Lets the client close what it holds, then takes its connections and its timers away, so that nothing of it reaches the next trial: a timer
 * that went on in real time would wake it in the middle of that.
 */
async function wrapUp(run: ClockRun, server: ScriptedServer, calls: CallDriver): Promise<void> {
  let failure: { error: unknown } | undefined
  await run.drive(() =>
    calls.dispose().catch((error: unknown) => {
      failure = { error }
    }),
  )
  if (failure !== undefined) throw failure.error
  server.dropConnections()
  await run.linger(LINGER_MIN_MS, LINGER_EVENTS)
  run.abandon()
}

/** A client that never settles is told to stop, loses its server, and then its timers: it must not go on in the next trial. */
async function giveUp(run: ClockRun, server: ScriptedServer, calls: CallDriver): Promise<void> {
  calls.abortAll()
  await server.close()
  await run.linger(LINGER_MIN_MS, LAST_EVENTS)
  run.abandon()
}

function record(
  client: Client,
  schedule: Schedule,
  options: ResolvedOptions,
  run: ClockRun,
  server: ScriptedServer,
  calls: CallDriver,
  end: DriveResult,
  timers: readonly PendingTimer[],
  unhandledRejections: readonly unknown[],
): Trial {
  const attempts = server.attempts()
  const unsettled = unsettledOutcome(end, server)
  const leftovers: Leftovers = {
    timers,
    attempts: attempts.filter((attempt) => attempt.afterSettling).map((attempt) => attempt.number),
    abortListeners: calls.abortListeners(),
    unreadAnswers: server.unreadAnswers(),
    unhandledRejections: [...unhandledRejections],
    idleSockets: server.openSockets(),
  }
  return makeTrial(
    {
      client: {
        name: client.name,
        repeatable: client.options.repeatable ?? false,
        streaming: client.options.streaming ?? false,
        parses: client.options.parses ?? null,
        takesSignal: calls.read.has('signal'),
      },
      clock: options.clock,
      transport: transportOf(client, options),
      seed: options.seed,
      ...(isRandomReplaced() ? { randomReplaced: true } : {}),
      schedule: printSchedule(schedule),
      calls: calls.records(unsettled),
      attempts,
      operations: groupOperations(attempts),
      ledger: server.ledger(),
      leftovers,
      unplayed: server.unplayed(),
      timerOverflows: run.overflows(),
      foreignConnections: [...run.foreignConnections(), ...(server.foreignRequests?.() ?? [])],
      relapses: run.relapses(),
      abortAtMs: options.abortAtMs,
      keyHeader: options.keyHeader,
    },
    renderTimeline,
  )
}

/** The clock knows timers and sockets; which attempt is being held by which step only the server knows. */
function unsettledOutcome(end: DriveResult, server: ScriptedServer): Outcome {
  if (end.kind === 'settled') return { kind: 'unobserved' }
  const held = server
    .attempts()
    .filter((attempt) => attempt.endedAtMs === null)
    .map(
      (attempt) =>
        `the server holds attempt ${attempt.number} (${attempt.method} ${attempt.path}), unanswered since ${attempt.arrivedAtMs} ms`,
    )
  return { kind: 'unsettled', reason: end.reason, pending: [...held, ...end.pending] }
}
