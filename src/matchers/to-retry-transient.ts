import type { MatcherResult, MatcherState } from 'vitest'
import { judgeBy } from './judged.js'
import type { MatcherOptions } from './options.js'

export function toRetryTransient(this: MatcherState, received: unknown, options?: MatcherOptions): MatcherResult {
  return judgeBy(this, 'toRetryTransient', 'transience', received, options)
}
