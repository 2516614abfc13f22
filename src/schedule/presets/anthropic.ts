import type { JsonValue, ResponseStep, RetryAfter } from '../model.js'

const REQUEST_ID = 'req_011CSHoEeqs5C35K2UUqR7Fy'

const error = (type: string, message: string, more: Readonly<Record<string, JsonValue>> = {}): JsonValue => ({
  type: 'error',
  error: { type, message, ...more },
  request_id: REQUEST_ID,
})

/**
 * Answers of the Anthropic API.
 *
 * Source: guides that quote Anthropic's error pages (Microsoft Learn, Dev Proxy; Developers Digest); the pages themselves were not read.
 *
 * @example
 * ```ts
 * import { presets } from 'retrial'
 *
 * const schedule = [presets.anthropic.overloaded(), presets.anthropic.rateLimited({ retryAfter: 5 }), 200]
 * ```
 */
export const anthropic = {
  /**
   * 429 `rate_limit_error`, which always carries Retry-After: temporary.
   *
   * @param options.retryAfter Default 1 s.
   */
  rateLimited: ({ retryAfter = 1 }: { readonly retryAfter?: RetryAfter } = {}): ResponseStep => ({
    status: 429,
    retryAfter,
    headers: { 'request-id': REQUEST_ID },
    body: error('rate_limit_error', 'Number of requests has exceeded your per-minute rate limit.'),
  }),

  /** 429 of the same type without Retry-After: the monthly spend is used up, and retrying does not help. */
  spendLimitReached: (): ResponseStep => ({
    status: 429,
    headers: { 'request-id': REQUEST_ID },
    body: error('rate_limit_error', 'The monthly spend limit of the usage tier is reached.', {
      details: { error_code: 'enforced_spend_limit_reached' },
    }),
  }),

  /** 529 `overloaded_error`: the service, not the caller, is at its limit. Temporary. */
  overloaded: (): ResponseStep => ({
    status: 529,
    headers: { 'request-id': REQUEST_ID },
    body: error('overloaded_error', 'Overloaded'),
  }),
}
