import type { FleetClient } from '../fleet/model.js'
import { type RetryPolicy, retryingClient } from '../fleet/retrying.js'

/** The three clients of the retired-model story. They differ only in what they retry, and in asking for the list of models first. */
export const BATCH_STRATEGIES = ['naive', 'classified', 'preflight'] as const
export type BatchStrategy = (typeof BATCH_STRATEGIES)[number]

const ATTEMPTS = 4
const WAITS_MS = [500, 1_000, 2_000]
const TRANSIENT = new Set([429, 500, 502, 503, 504])
/** Far above the latency: the story has no time-outs. */
const ATTEMPT_TIMEOUT_MS = 30_000

const waitMs: RetryPolicy['waitMs'] = ({ retry }) => WAITS_MS[retry - 1]!
/** Everything that is not a success, permanent or not. */
const naive: RetryPolicy = { attempts: ATTEMPTS, waitMs, retries: (status) => status === null || status >= 400 }
const classified: RetryPolicy = { attempts: ATTEMPTS, waitMs, retries: (status) => status === null || TRANSIENT.has(status) }

export const batchStrategy = (strategy: BatchStrategy): FleetClient =>
  retryingClient(strategy, strategy === 'naive' ? naive : classified, ATTEMPT_TIMEOUT_MS)
