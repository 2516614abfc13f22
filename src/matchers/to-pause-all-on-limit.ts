import type { MatcherResult, MatcherState } from 'vitest'
import { judgePauseOnLimit } from '../guarantees/fleet/pause-on-limit.js'
import { judgeFleet } from './fleet.js'

export function toPauseAllOnLimit(this: MatcherState, received: unknown): MatcherResult {
  return judgeFleet(this, 'toPauseAllOnLimit', received, judgePauseOnLimit)
}
