import { measureFleet, succeeded } from '../../guarantees/fleet/measure.js'
import type { FleetOutage, FleetRun } from '../../guarantees/fleet/model.js'
import type { FleetRunRecord } from '../fleet/run-fleet.js'
import { percentile } from '../stats.js'
import type { HerdFigures, HerdSetting, Phase, TimelineBin } from './model.js'

const BIN_MS = 1_000

export interface MeasuredHerd {
  readonly figures: HerdFigures
  readonly run: FleetRun
  readonly timeline: readonly TimelineBin[]
  readonly phases: readonly Phase[]
}

/** The figures of one run of a herd. */
export function measureHerd(seed: number, setting: HerdSetting, record: FleetRunRecord): MeasuredHerd {
  const { calls, attempts, endedAtMs } = record
  const outage = outageOf(setting, record)
  const run = measureFleet({ seed, clients: setting.clients, calls, attempts, outage, twinQueueWaitP95Ms: null })
  const asked = setting.clients * setting.requestsEach
  const latencies = calls.map(({ submittedAtMs, settledAtMs }) => (settledAtMs ?? Number.POSITIVE_INFINITY) - submittedAtMs)
  const figures: HerdFigures = {
    seed,
    successRate: calls.filter((call) => call.succeeded).length / asked,
    p50Ms: percentile(latencies, 0.5),
    p95Ms: percentile(latencies, 0.95),
    upstream: attempts.length,
    amplification: attempts.length / calls.length,
    secondWavePeak: run.secondWave.peak,
    wasted: wastedShare(record),
    endedAtMs,
    recoveryMs: run.recoveryMs,
    asPublished: asPublished(record),
    errors: errorMix(record, asked),
  }
  return { figures, run, timeline: timelineOf(record), phases: phasesOf(record, outage) }
}

function outageOf({ server: { outage }, requestsEach }: HerdSetting, { calls, endedAtMs }: FleetRunRecord): FleetOutage | null {
  if (outage === undefined) return null
  const lastCalls = calls.filter(({ call }) => (call + 1) % requestsEach === 0)
  const loadEndsAtMs = Math.min(endedAtMs, ...lastCalls.map(({ submittedAtMs }) => submittedAtMs))
  return { fromMs: outage.fromMs, untilMs: outage.fromMs + outage.forMs, loadEndsAtMs }
}

/** Work whose answer nobody waited for, as a share of all work. */
function wastedShare({ attempts }: FleetRunRecord): number {
  const all = attempts.reduce((sum, { workMs }) => sum + workMs, 0)
  const lost = attempts.reduce((sum, attempt) => sum + (succeeded(attempt) ? 0 : attempt.workMs), 0)
  return all === 0 ? 0 : lost / all
}

/** The definitions of the published harness, kept for comparison: they call a 404 or a 429 a success and leave the waits out. */
function asPublished({ calls, attempts }: FleetRunRecord): HerdFigures['asPublished'] {
  const lastAttemptMs = new Map<number, number>()
  for (const { call, arrivedAtMs, endedAtMs } of attempts) {
    if (call !== null && endedAtMs !== null) lastAttemptMs.set(call, endedAtMs - arrivedAtMs)
  }
  const below500 = calls.filter(({ result }) => Number(result) < 500).length
  return { successRate: below500 / calls.length, lastAttemptP95Ms: percentile([...lastAttemptMs.values()], 0.95) }
}

function errorMix({ calls }: FleetRunRecord, asked: number): Record<string, number> {
  const mix: Record<string, number> = {}
  for (const { succeeded: isSuccess, result } of calls) if (!isSuccess) mix[result] = (mix[result] ?? 0) + 1
  // A client that hangs in one call never comes to the next.
  if (calls.length < asked) mix['not asked'] = asked - calls.length
  return mix
}

function timelineOf({ attempts, endedAtMs }: FleetRunRecord): readonly TimelineBin[] {
  const bins = Array.from({ length: Math.floor(endedAtMs / BIN_MS) + 1 }, (_, i) => ({
    atMs: i * BIN_MS,
    firstTries: 0,
    resends: 0,
    answered: 0,
  }))
  for (const attempt of attempts) {
    const bin = bins[Math.floor(attempt.arrivedAtMs / BIN_MS)]
    if (bin === undefined) continue
    if (attempt.resend) bin.resends++
    else bin.firstTries++
    if (succeeded(attempt)) bin.answered++
  }
  return bins
}

/**
 * spike: from the trigger (the outage, or the common start) to the first re-send after it; pile-up: until the last attempt that fails;
 * recovery: from there to the end. Without a failure the whole run is the spike.
 */
function phasesOf({ attempts, endedAtMs }: FleetRunRecord, outage: FleetOutage | null): readonly Phase[] {
  const triggerMs = outage?.fromMs ?? 0
  const after = attempts.filter(({ arrivedAtMs }) => arrivedAtMs >= triggerMs)
  const pileUpMs = after.find(({ resend }) => resend)?.arrivedAtMs ?? endedAtMs
  const lastFailure = after.findLast((attempt) => !succeeded(attempt))
  const recoveryMs = Math.max(pileUpMs, Math.min(endedAtMs, lastFailure?.endedAtMs ?? triggerMs))
  const phase = (name: Phase['name'], fromMs: number, untilMs: number): Phase => {
    const within = after.filter(({ arrivedAtMs }) => arrivedAtMs >= fromMs && (arrivedAtMs < untilMs || untilMs === endedAtMs))
    const answered = within.filter(succeeded).length / within.length
    return { name, fromMs, untilMs, attempts: within.length, resends: within.filter(({ resend }) => resend).length, answered }
  }
  return [phase('spike', triggerMs, pileUpMs), phase('pile-up', pileUpMs, recoveryMs), phase('recovery', recoveryMs, endedAtMs)]
}
