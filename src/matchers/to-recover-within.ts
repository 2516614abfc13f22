import type { MatcherResult, MatcherState } from 'vitest'
import { judgeRecovery } from '../guarantees/fleet/recovery.js'
import { judgeFleet, requireBound } from './fleet.js'

export function toRecoverWithin(this: MatcherState, received: unknown, withinMs: number): MatcherResult {
  requireBound('toRecoverWithin(ms)', withinMs, 'milliseconds >= 0', (value) => value >= 0)
  return judgeFleet(this, 'toRecoverWithin', received, (report) => judgeRecovery(report, withinMs))
}
