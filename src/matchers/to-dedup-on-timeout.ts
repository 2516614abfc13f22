import type { MatcherResult, MatcherState } from 'vitest'
import { judgeBy } from './judged.js'
import type { MatcherOptions } from './options.js'

export function toDedupOnTimeout(this: MatcherState, received: unknown, options?: MatcherOptions): MatcherResult {
  return judgeBy(this, 'toDedupOnTimeout', 'dedup', received, options)
}
