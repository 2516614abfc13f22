import type { MatcherResult, MatcherState } from 'vitest'
import { judgeRetryBudget, type RetryBudgetBound } from '../guarantees/fleet/retry-budget.js'
import { judgeFleet, requireBounds } from './fleet.js'

export function toKeepRetryBudget(this: MatcherState, received: unknown, bound: RetryBudgetBound = {}): MatcherResult {
  requireBounds('toKeepRetryBudget(bound)', bound, {
    tokens: ['a number of re-sends >= 0', (value) => value >= 0],
    ratio: ['re-sends per call, >= 0', (value) => value >= 0],
  })
  return judgeFleet(this, 'toKeepRetryBudget', received, (report) => judgeRetryBudget(report, bound))
}
