import type { MatcherResult, MatcherState } from 'vitest'
import { judgeAmplification } from '../guarantees/fleet/amplification.js'
import { judgeFleet, requireBound } from './fleet.js'

export function toBoundAmplification(this: MatcherState, received: unknown, ratio: number): MatcherResult {
  requireBound('toBoundAmplification(ratio)', ratio, 'requests per call, >= 1', (value) => value >= 1)
  return judgeFleet(this, 'toBoundAmplification', received, (report) => judgeAmplification(report, ratio))
}
