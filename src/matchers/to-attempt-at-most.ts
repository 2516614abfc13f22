import type { MatcherResult, MatcherState } from 'vitest'
import { checkAttempts } from './attempts-argument.js'
import { judgeBy } from './judged.js'
import type { MatcherOptions } from './options.js'

export function toAttemptAtMost(
  this: MatcherState,
  received: unknown,
  attempts: number,
  options?: MatcherOptions,
): MatcherResult {
  checkAttempts('toAttemptAtMost', attempts)
  return judgeBy(this, 'toAttemptAtMost', 'attempts', received, options, { maxAttempts: attempts })
}
