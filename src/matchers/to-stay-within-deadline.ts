import type { MatcherResult, MatcherState } from 'vitest'
import { show } from '../trial/client.js'
import { MatcherUsageError } from './errors.js'
import { judgeBy } from './judged.js'
import type { MatcherOptions } from './options.js'

export function toStayWithinDeadline(
  this: MatcherState,
  received: unknown,
  deadlineMs: number,
  options?: MatcherOptions,
): MatcherResult {
  if (!Number.isFinite(deadlineMs) || deadlineMs <= 0) {
    throw new MatcherUsageError(`toStayWithinDeadline(deadlineMs): expected milliseconds > 0, received ${show(deadlineMs)}`)
  }
  return judgeBy(this, 'toStayWithinDeadline', 'deadline', received, options, { deadlineMs })
}
