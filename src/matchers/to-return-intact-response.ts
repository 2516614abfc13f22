import type { MatcherResult, MatcherState } from 'vitest'
import { judgeBy } from './judged.js'
import type { MatcherOptions } from './options.js'

export function toReturnIntactResponse(this: MatcherState, received: unknown, options?: MatcherOptions): MatcherResult {
  return judgeBy(this, 'toReturnIntactResponse', 'intact', received, options)
}
