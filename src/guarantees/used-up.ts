import type { Trial } from '../trace/model.js'
import type { Contract } from './contract.js'
import { succeeded } from './wire.js'

/** Re-sends that empty a promised budget. */
export const resendsIn = ({ tokens = 0, cost = 1 }: NonNullable<Contract['budget']>): number => tokens / Math.max(cost, 1)

/**
 * Whether a promised budget or breaker may have been used up by then, so that calls are rightly treated otherwise than before. A token is
 * taken when a failure has been seen: the re-send that it pays for may come much later, or never.
 */
export function mayBeUsedUp(trial: Trial, { budget, breaker }: Contract, untilMs: number): boolean {
  const limits = [budget && resendsIn(budget), breaker && (breaker.failures ?? 0)].filter((limit) => limit !== undefined)
  if (limits.length === 0) return false
  const failures = trial.attempts.filter((attempt) => attempt.arrivedAtMs <= untilMs && !succeeded(attempt)).length
  return failures >= Math.min(...limits)
}
