import { toAttemptAtMost } from './to-attempt-at-most.js'
import { toAttemptExactly } from './to-attempt-exactly.js'
import { toBackOff } from './to-back-off.js'
import { toBoundAmplification } from './to-bound-amplification.js'
import { toBoundQueueWait } from './to-bound-queue-wait.js'
import { toDedupOnTimeout } from './to-dedup-on-timeout.js'
import { toFollowSchedule } from './to-follow-schedule.js'
import { toHonorRetryAfter } from './to-honor-retry-after.js'
import { toIsolateCalls } from './to-isolate-calls.js'
import { toKeepIdempotencyKey } from './to-keep-idempotency-key.js'
import { toKeepRetryBudget } from './to-keep-retry-budget.js'
import { toLeaveNothingBehind } from './to-leave-nothing-behind.js'
import { toNotReplayUnsafe } from './to-not-replay-unsafe.js'
import { toNotRetryPermanent } from './to-not-retry-permanent.js'
import { toPauseAllOnLimit } from './to-pause-all-on-limit.js'
import { toRecoverWithin } from './to-recover-within.js'
import { toResendSameBody } from './to-resend-same-body.js'
import { toRetryTransient } from './to-retry-transient.js'
import { toReturnIntactResponse } from './to-return-intact-response.js'
import { toSpreadRetries } from './to-spread-retries.js'
import { toStayWithinDeadline } from './to-stay-within-deadline.js'
import { toStopOnAbort } from './to-stop-on-abort.js'
import { toUphold } from './to-uphold.js'

/**
 * All matchers, for those who extend an `expect` of their own; everybody else loads 'retrial/setup'.
 *
 * @example
 * import { matchers } from 'retrial/matchers'
 * expect.extend(matchers)
 */
export const matchers = {
  toNotRetryPermanent,
  toRetryTransient,
  toHonorRetryAfter,
  toStayWithinDeadline,
  toDedupOnTimeout,
  toKeepIdempotencyKey,
  toNotReplayUnsafe,
  toResendSameBody,
  toBackOff,
  toAttemptAtMost,
  toAttemptExactly,
  toStopOnAbort,
  toReturnIntactResponse,
  toLeaveNothingBehind,
  toIsolateCalls,
  toFollowSchedule,
  toUphold,
  toSpreadRetries,
  toBoundAmplification,
  toBoundQueueWait,
  toRecoverWithin,
  toPauseAllOnLimit,
  toKeepRetryBudget,
}
