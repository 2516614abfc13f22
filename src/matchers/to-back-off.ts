import type { MatcherResult, MatcherState } from 'vitest'
import type { BackoffPromise } from '../guarantees/contract.js'
import { judgeBy } from './judged.js'
import type { MatcherOptions } from './options.js'

export function toBackOff(
  this: MatcherState,
  received: unknown,
  backoff?: BackoffPromise,
  options?: MatcherOptions,
): MatcherResult {
  return judgeBy(this, 'toBackOff', 'backoff', received, options, backoff === undefined ? {} : { backoff })
}
