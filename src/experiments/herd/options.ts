import {
  type Check,
  checkOptions,
  ExperimentOptionsError,
  either,
  integer,
  milliseconds,
  object,
  oneOf,
  positiveMs,
  requireOptions,
  share,
} from '../options.js'
import { type Resolved, resolveRuns, runChecks } from '../runs.js'
import { FAILURES, type HerdOptions, type HerdServer, type HerdSetting } from './model.js'
import { HERD_CASE } from './situations.js'
import { HERD_STRATEGIES, type HerdStrategy, herdStrategy } from './strategies.js'

const CHECKS: Record<keyof HerdOptions, Check> = {
  clients: integer(1),
  requestsEach: integer(1),
  server: object,
  pauseMs: milliseconds,
  loop: oneOf(['closed', 'open']),
  startOverMs: milliseconds,
  attemptTimeoutMs: positiveMs,
  ...runChecks(HERD_STRATEGIES),
}
const SERVER_CHECKS: Record<keyof HerdServer, Check> = {
  capacity: integer(1),
  serviceMs: either(milliseconds, ['{ medianMs, p95Ms }', object[1]]),
  queueLimit: integer(0),
  overload: oneOf(FAILURES),
  retryAfterS: integer(0),
  outage: object,
  recovery: object,
  flaky: object,
}
const SERVICE_CHECKS = { medianMs: positiveMs, p95Ms: positiveMs }
const OUTAGE_CHECKS = { fromMs: milliseconds, forMs: positiveMs, answer: oneOf([...FAILURES, 'stall']) }
const POSITIVE_SHARE: Check = ['a share above 0, up to 1', (value) => share[1](value) && value !== 0]
const RECOVERY_CHECKS = { forMs: positiveMs, share: POSITIVE_SHARE }
const FLAKY_CHECKS = { goodMs: positiveMs, badMs: positiveMs }

export type ResolvedHerd = Resolved<HerdSetting>

/** Fills in the reference case and checks what was given. */
export function resolveHerd(place: string, options: HerdOptions): ResolvedHerd {
  checkOptions(place, options, CHECKS)
  const { clients = HERD_CASE.clients, requestsEach = HERD_CASE.requestsEach, server = HERD_CASE.server } = options
  checkServer(`${place}.server`, server)
  const { loop = 'closed', startOverMs = 0 } = options
  const { pauseMs = HERD_CASE.pauseMs, attemptTimeoutMs = HERD_CASE.attemptTimeoutMs } = options
  if (loop === 'open' && pauseMs === 0) {
    throw new ExperimentOptionsError(`${place}.pauseMs: expected milliseconds > 0 for an open loop, received 0`)
  }
  const make = (strategy: HerdStrategy) => herdStrategy(strategy, attemptTimeoutMs)
  const runs = resolveRuns(place, options, { strategies: HERD_STRATEGIES, runs: 20, calls: clients * requestsEach, make })
  return {
    ...runs,
    setting: { clients, requestsEach, server, pauseMs, loop, startOverMs, attemptTimeoutMs, ...runs.setting },
  }
}

function checkServer(place: string, server: HerdServer): void {
  checkOptions(place, server, SERVER_CHECKS)
  requireOptions(place, server, ['capacity', 'serviceMs'], SERVER_CHECKS)
  const { serviceMs, outage, recovery, flaky } = server
  const parts = [
    ['serviceMs', typeof serviceMs === 'number' ? undefined : serviceMs, SERVICE_CHECKS, ['medianMs', 'p95Ms']],
    ['outage', outage, OUTAGE_CHECKS, ['fromMs', 'forMs']],
    ['recovery', recovery, RECOVERY_CHECKS, ['forMs', 'share']],
    ['flaky', flaky, FLAKY_CHECKS, ['goodMs', 'badMs']],
  ] as const
  for (const [name, part, checks, required] of parts) {
    if (part === undefined) continue
    checkOptions(`${place}.${name}`, part, checks)
    requireOptions(`${place}.${name}`, part, required, checks)
  }
  if (typeof serviceMs !== 'number' && serviceMs.p95Ms < serviceMs.medianMs) {
    throw new ExperimentOptionsError(
      `${place}.serviceMs.p95Ms: expected at least the median (${serviceMs.medianMs}), received ${serviceMs.p95Ms}`,
    )
  }
  if (recovery !== undefined && outage === undefined) {
    throw new ExperimentOptionsError(`${place}.recovery: there is no outage to recover from; give outage as well`)
  }
}
