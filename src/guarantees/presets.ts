import { RETRY_INFO } from '../trace/hints.js'
import type { Attempt } from '../trace/model.js'
import type { Classification, Contract, PresetName } from './contract.js'

const CONNECTION_FAULTS = ['reset', 'close', 'refuse'] as const
const SDK_TRANSIENT = [408, 409, 429, 500, 502, 503, 504, ...CONNECTION_FAULTS] as const

/** OpenAI and Anthropic SDKs share one generator: 2 retries, 0.5 s doubling to 8 s less up to 25 % (read in their code). */
const GENERATED_SDK: Contract = {
  maxAttempts: 3,
  transient: SDK_TRANSIENT,
  // No cap on the hint: openai-node and openai-python stop obeying it at different waits (60 s and 120 s).
  retryAfter: { headers: ['retry-after-ms', 'retry-after'] },
  backoff: { baseMs: 500, factor: 2, capMs: 8_000, jitter: { min: 0.75, max: 1 } },
  shouldRetryHeader: 'x-should-retry',
}

/** Azure Core guidelines: a 4xx is repeated only if it carries Retry-After. */
function azureClass({ status, answerHeaders }: Attempt): Classification | undefined {
  const hinted = answerHeaders.some(([name]) => name === 'retry-after')
  return status !== null && status >= 400 && status < 500 && hinted ? 'unjudged' : undefined
}

/** Starting points: what clients of these vendors promise. The numbers and their sources are those of the catalogue (§1.4, §1.5). */
export const PRESETS: Readonly<Record<PresetName, Contract>> = {
  strict: { strict: true },
  openai: {
    ...GENERATED_SDK,
    // OpenAI error codes; insufficient_quota is the older name, still sent as the type.
    permanentCodes: [
      'credit_balance_exhausted',
      'organization_spend_limit_exceeded',
      'project_spend_limit_exceeded',
      'organization_usage_limit_exceeded',
      'insufficient_quota',
    ],
  },
  anthropic: {
    ...GENERATED_SDK,
    transient: [...SDK_TRANSIENT, 529],
    permanentCodes: ['enforced_spend_limit_reached'],
  },
  // 409 and 5xx and connection errors, not 429; the SDK makes a key of its own. Its waits are not promised: 0.5 s is only the base.
  stripe: {
    maxAttempts: 3,
    transient: [409, 500, 502, 503, 504, ...CONNECTION_FAULTS],
    idempotency: { header: 'idempotency-key', required: true },
    shouldRetryHeader: 'stripe-should-retry',
  },
  // No backoff: since November 2026 throttling has a base of its own (1000 ms beside 50 ms), which one promise cannot say.
  'aws-standard': {
    maxAttempts: 3,
    transient: [429, 500, 502, 503, 504, ...CONNECTION_FAULTS],
    retryAfter: { headers: ['x-amz-retry-after', 'retry-after'] },
    budget: { tokens: 500, ratio: 1 },
  },
  // AIP-194: only UNAVAILABLE is repeated by itself. gRPC A6: at most 5 attempts.
  google: { maxAttempts: 5, transient: [503], retryAfter: { headers: [RETRY_INFO, 'retry-after'] } },
  github: { retryAfter: { headers: ['retry-after', 'x-ratelimit-reset'] } },
  // The guidelines say 3 retries, 0.8 s doubling to 60 s, with jitter. The languages differ, and the band holds them: .NET takes 80 to
  // 120 % of that, JavaScript half to whole of 1 s doubling to 64 s (@azure/core-rest-pipeline, exponentialRetryStrategy).
  azure: {
    maxAttempts: 4,
    classify: azureClass,
    retryAfter: { headers: ['retry-after-ms', 'x-ms-retry-after-ms', 'retry-after'] },
    backoff: { baseMs: 800, factor: 2, capMs: 64_000, jitter: { min: 0.5, max: 1.25 } },
  },
}
