import { startClock } from '../clock/index.js'
import type { Clock } from '../clock/model.js'
import { renderTimeline } from '../report/timeline.js'
import { printSchedule } from '../schedule/print.js'
import type { AttemptChange } from '../server/model.js'
import { makeTrial } from '../trace/build.js'
import { ledgerOf } from '../trace/ledger.js'
import type { Attempt, Trial, TrialRecord } from '../trace/model.js'
import { groupOperations } from '../trace/operations.js'
import { CallDriver } from '../trial/calls.js'
import type { Client } from '../trial/model.js'
import { captureRejections } from '../trial/rejections.js'
import { observed, observedAll, observedCall } from './observed.js'
import type { ResolvedProbe } from './probe-options.js'
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.js'
import type { Redactor } from './redact.js'
import { scheduleFrom } from './save-schedule.js'

/** Time for a client to react to the abort at its deadline; then its connections are taken away, and after that it is left alone. */
const GRACE_MS = 1_000
/** Time for a hang-up to travel over loopback on a busy machine. */
const HANG_UP_MS = 500

export interface RunContext {
  readonly probe: ResolvedProbe
  readonly redactor: Redactor
  readonly number: number
  makeClient(clock: Clock): Client
  admit(): boolean
  onSetupFailure(code: string): void
  onAttempt(attempt: Attempt, change: AttemptChange): void
  /** Settles when the probe is to end at once. */
  readonly interrupted: Promise<void>
}

/** One call of a client against the endpoint, recorded. null when it was interrupted. */
export async function runOnce(context: RunContext): Promise<Trial | null> {
  const options = context.probe.runOptions()
  const run = startClock('real', { seed: null, allowHosts: options.clockOptions.allowHosts })
  const { clock } = run
  const client = context.makeClient(clock)
  const rejections = captureRejections()
  let driver: CallDriver | undefined
  let proxy: RecordingProxy | undefined
  try {
    proxy = await startRecordingProxy({
      upstream: context.probe.upstream,
      clock,
      keyHeader: options.keyHeader,
      token: `p${context.number}`,
      attribute: () => 0,
      admit: context.admit,
      onSetupFailure: context.onSetupFailure,
      onAttempt: (raw, change) => context.onAttempt(observed(raw, context.redactor), change),
    })
    driver = new CallDriver(client, options, proxy, clock)
    const calls = driver
    const left = await Promise.race([
      run.drive(() => calls.runAll()).then(() => 'settled' as const),
      leftAlone(context.probe.deadlineMs, proxy, clock),
      context.interrupted.then(() => 'interrupted' as const),
    ])
    if (left === 'interrupted') return null
    await quiet(proxy, clock)
    return record(client, options.keyHeader, context, calls, proxy, run.foreignConnections(), rejections.seen)
  } finally {
    await proxy?.close()
    await driver?.dispose()
    rejections.release()
    run.stop()
  }
}

/** A client that has hung up is seen to a moment later; an answer that it does not read stays open. */
async function quiet(proxy: RecordingProxy, clock: Clock): Promise<void> {
  const untilMs = clock.nowMs() + HANG_UP_MS
  while (proxy.attempts().some(({ endedAtMs }) => endedAtMs === null) && clock.nowMs() < untilMs) {
    await new Promise<void>((resolve) => void clock.after(1, resolve))
  }
}

/** A client that does not listen to its signal is cut off, and at last not waited for. */
function leftAlone(deadlineMs: number, proxy: RecordingProxy, clock: Clock): Promise<'unsettled'> {
  return new Promise((resolve) => {
    clock.after(deadlineMs + GRACE_MS, () => {
      proxy.dropConnections()
      clock.after(GRACE_MS, () => resolve('unsettled'))
    })
  })
}

function record(
  client: Client,
  keyHeader: string,
  { probe, redactor }: RunContext,
  calls: CallDriver,
  proxy: RecordingProxy,
  foreignConnections: TrialRecord['foreignConnections'],
  rejections: readonly unknown[],
): Trial {
  const attempts = observedAll(proxy.attempts(), redactor)
  const pending = [`the call had not settled ${2 * GRACE_MS} ms after its deadline`]
  const records = calls.records({ kind: 'unsettled', reason: 'stall', pending }).map((call) => observedCall(call, redactor))
  return makeTrial(
    {
      client: {
        name: client.name,
        repeatable: client.options.repeatable ?? false,
        streaming: client.options.streaming ?? false,
        parses: client.options.parses ?? null,
        takesSignal: calls.read.has('signal'),
      },
      clock: 'real',
      transport: 'socket',
      seed: 1,
      schedule: attempts.length === 0 ? null : printSchedule(scheduleFrom(attempts)),
      calls: records,
      attempts,
      operations: groupOperations(attempts),
      // What a real endpoint has accepted nobody knows.
      ledger: ledgerOf('ignore', []),
      leftovers: {
        timers: [],
        attempts: [],
        abortListeners: calls.abortListeners(),
        unreadAnswers: [],
        unhandledRejections: rejections.map((error) => redactor.text(String(error))),
        idleSockets: proxy.openSockets(),
      },
      unplayed: [],
      timerOverflows: [],
      foreignConnections,
      relapses: 0,
      abortAtMs: probe.deadlineMs,
      keyHeader,
    },
    renderTimeline,
  )
}
