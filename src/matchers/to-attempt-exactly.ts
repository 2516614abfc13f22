import type { MatcherResult, MatcherState } from 'vitest'
import { show } from '../trial/client.js'
import { MatcherUsageError } from './errors.js'
import { judgeBy } from './judged.js'
import type { MatcherOptions } from './options.js'

export function toAttemptExactly(
  this: MatcherState,
  received: unknown,
  attempts: number,
  options?: MatcherOptions,
): MatcherResult {
  if (!Number.isInteger(attempts) || attempts < 1) {
    throw new MatcherUsageError(
      `toAttemptExactly(attempts): expected an integer >= 1 (the first try counts), received ${show(attempts)}`,
    )
  }
  return judgeBy(this, 'toAttemptExactly', 'attempts', received, options, { exactAttempts: attempts })
}
