import type { MatcherResult, MatcherState } from 'vitest'
import { judgeSpread, type SpreadBound } from '../guarantees/fleet/spread.js'
import { judgeFleet, requireBounds } from './fleet.js'

export function toSpreadRetries(this: MatcherState, received: unknown, bound: SpreadBound = {}): MatcherResult {
  requireBounds('toSpreadRetries(bound)', bound, { maxShare: ['a share above 0, up to 1', (value) => value > 0 && value <= 1] })
  return judgeFleet(this, 'toSpreadRetries', received, (report) => judgeSpread(report, bound))
}
