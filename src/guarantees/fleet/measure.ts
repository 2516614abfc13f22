import type { BudgetFacts, FleetAttempt, FleetCall, FleetOutage, FleetRun, LimitFacts, SecondWave } from './model.js'

/** Width of the buckets in which a wave is counted (catalogue, BUD-04). */
const WAVE_BUCKET_MS = 100
/** Width of the windows in which a server is looked at for being well again. */
const HEALTH_WINDOW_MS = 1_000
/** Share of the answers before the outage that makes a window healthy (catalogue, BUD-05). */
const HEALTHY_SHARE = 0.95
/** Node truncates timer delays. */
const TOLERANCE_MS = 1

export interface FleetRecord {
  readonly seed: number
  readonly clients: number
  readonly calls: readonly FleetCall[]
  /** In order of arrival. */
  readonly attempts: readonly FleetAttempt[]
  readonly outage: FleetOutage | null
  readonly twinQueueWaitP95Ms: number | null
}

/** The figures of one run that the guarantees judge. */
export function measureFleet(record: FleetRecord): FleetRun {
  const { seed, clients, calls, attempts, outage, twinQueueWaitP95Ms } = record
  const recoveryMs = outage === null ? null : recoveryOf(attempts, outage)
  return {
    seed,
    clients,
    calls: calls.length,
    attempts: attempts.length,
    failures: attempts.filter(failed).length,
    queueWaitP95Ms: queueWaitP95(calls),
    twinQueueWaitP95Ms,
    secondWave: secondWaveOf(attempts),
    recoveryMs,
    limit: limitOf(attempts),
    budget: budgetOf(attempts, outage === null || recoveryMs === null ? null : outage.untilMs + recoveryMs),
  }
}

export const succeeded = ({ result }: FleetAttempt): boolean => typeof result === 'number' && result >= 200 && result < 300
const failed = (attempt: FleetAttempt): boolean => !succeeded(attempt)

/** Submission to start of the job, nearest rank; a job that never got its turn waited for ever. */
export function queueWaitP95(calls: readonly FleetCall[]): number {
  const waits = calls.map((call) =>
    call.startedAtMs === null ? Number.POSITIVE_INFINITY : call.startedAtMs - call.submittedAtMs,
  )
  waits.sort((a, b) => (a < b ? -1 : 1))
  return waits[Math.max(0, Math.ceil(0.95 * waits.length) - 1)] ?? Number.NaN
}

/** Only the first re-send of each client: the one that follows the failure they had in common. */
function secondWaveOf(attempts: readonly FleetAttempt[]): SecondWave {
  const seen = new Set<number>()
  const buckets = new Map<number, number>()
  for (const { client, resend, arrivedAtMs } of attempts) {
    if (!resend || seen.has(client)) continue
    seen.add(client)
    const bucket = Math.floor(arrivedAtMs / WAVE_BUCKET_MS)
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1)
  }
  let fullest: readonly [bucket: number, count: number] = [0, 0]
  for (const entry of buckets) if (entry[1] > fullest[1]) fullest = entry
  return { clients: seen.size, peak: fullest[1], peakAtMs: fullest[0] * WAVE_BUCKET_MS }
}

/** Attempts and successes of a window, by arrival. */
interface Window {
  asked: number
  answered: number
}

function windowsOf(attempts: readonly FleetAttempt[], fromMs: number, untilMs: number): readonly Window[] {
  const count = Math.max(0, Math.floor((untilMs - fromMs) / HEALTH_WINDOW_MS))
  const windows = Array.from({ length: count }, (): Window => ({ asked: 0, answered: 0 }))
  for (const attempt of attempts) {
    const window = windows[Math.floor((attempt.arrivedAtMs - fromMs) / HEALTH_WINDOW_MS)]
    if (window === undefined) continue
    window.asked++
    if (succeeded(attempt)) window.answered++
  }
  return windows
}

/**
 * From the end of the outage to the first window of a second from which on the server answers 95 % of what it answered before. One ill
 * window alone is the noise of few requests; two in a row are a relapse, whenever they come. A window without requests proves nothing.
 * null when the load ended before a whole window could be looked at.
 */
function recoveryOf(attempts: readonly FleetAttempt[], { fromMs, untilMs, loadEndsAtMs }: FleetOutage): number | null {
  const before = attempts.filter(({ arrivedAtMs }) => arrivedAtMs < fromMs)
  const usual = before.length === 0 ? 1 : before.filter(succeeded).length / before.length
  const windows = windowsOf(attempts, untilMs, loadEndsAtMs)
  if (windows.length === 0) return null
  let wasIll = true
  let recovered = 0
  for (const [i, { asked, answered }] of windows.entries()) {
    const isIll: boolean = asked === 0 ? wasIll : answered < asked * usual * HEALTHY_SHARE
    if (isIll && wasIll) recovered = i + 1
    wasIll = isIll
  }
  return recovered < windows.length ? recovered * HEALTH_WINDOW_MS : Number.POSITIVE_INFINITY
}

/** A 429 with a hint closes the door for everybody who shares the limit, from its arrival until the time it names. */
function limitOf(attempts: readonly FleetAttempt[]): LimitFacts {
  const limits = attempts.filter(
    ({ result, hintUntilMs, endedAtMs }) => result === 429 && hintUntilMs !== null && endedAtMs !== null,
  )
  const opened = [...limits].sort((a, b) => a.endedAtMs! - b.endedAtMs!)
  let next = 0
  let closedUntilMs = Number.NEGATIVE_INFINITY
  let intruders = 0
  let firstIntruderAtMs: number | null = null
  for (const { arrivedAtMs } of attempts) {
    while (next < opened.length && opened[next]!.endedAtMs! < arrivedAtMs) {
      closedUntilMs = Math.max(closedUntilMs, opened[next++]!.hintUntilMs!)
    }
    if (arrivedAtMs >= closedUntilMs - TOLERANCE_MS) continue
    intruders++
    firstIntruderAtMs ??= arrivedAtMs
  }
  return { limits: limits.length, intruders, firstIntruderAtMs }
}

function budgetOf(attempts: readonly FleetAttempt[], recoveredAtMs: number | null): BudgetFacts {
  const facts = {
    firstTries: 0,
    resends: 0,
    failures: 0,
    failedFirstTries: 0,
    failuresAfterRecovery: 0,
    resendsAfterRecovery: 0,
  }
  for (const attempt of attempts) {
    const later = recoveredAtMs !== null && attempt.arrivedAtMs >= recoveredAtMs
    if (attempt.resend) facts.resends++
    else facts.firstTries++
    if (failed(attempt)) facts.failures++
    if (failed(attempt) && !attempt.resend) facts.failedFirstTries++
    if (later && attempt.resend) facts.resendsAfterRecovery++
    if (later && failed(attempt)) facts.failuresAfterRecovery++
  }
  return facts
}
