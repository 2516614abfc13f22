import type { MatcherResult, MatcherState } from 'vitest'
import { judgeQueueWait, type QueueWaitBound } from '../guarantees/fleet/queue-wait.js'
import { judgeFleet, requireBounds } from './fleet.js'

export function toBoundQueueWait(this: MatcherState, received: unknown, bound: QueueWaitBound = {}): MatcherResult {
  requireBounds('toBoundQueueWait(bound)', bound, {
    p95Ms: ['milliseconds >= 0', (value) => value >= 0],
    ratio: ['a ratio >= 1', (value) => value >= 1],
  })
  return judgeFleet(this, 'toBoundQueueWait', received, (report) => judgeQueueWait(report, bound))
}
