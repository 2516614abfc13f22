import type { ResponseStep, RetryAfter } from '../model.js'

/** Codes of a 429 that waiting does not cure: the account is out of money. */
export type OpenAIBillingCode =
  | 'credit_balance_exhausted'
  | 'organization_spend_limit_exceeded'
  | 'project_spend_limit_exceeded'
  | 'organization_usage_limit_exceeded'

const error = (type: string, code: string, message: string) => ({ error: { message, type, param: null, code } })

/**
 * Answers of the OpenAI API. The code in the body says whether a 429 is worth a retry; the message does not.
 *
 * Source: OpenAI's error codes as quoted by Microsoft Learn (Dev Proxy, "OpenAI rate limit reached"); the SDKs' retry code.
 *
 * @example
 * ```ts
 * import { presets } from 'retrial'
 *
 * const schedule = [presets.openai.rateLimited({ retryAfter: 20 }), 200]
 * ```
 */
export const openai = {
  /**
   * 429 `rate_limit_exceeded`: temporary.
   *
   * @param options.retryAfter Default 1 s.
   */
  rateLimited: ({ retryAfter = 1 }: { readonly retryAfter?: RetryAfter } = {}): ResponseStep => ({
    status: 429,
    retryAfter,
    headers: {
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '1s',
      'x-ratelimit-limit-tokens': '150000',
      'x-ratelimit-remaining-tokens': '149984',
      'x-ratelimit-reset-tokens': '6m0s',
    },
    body: error('requests', 'rate_limit_exceeded', 'Rate limit reached for requests per minute.'),
  }),

  /**
   * 429 that is permanent until somebody pays. Its type is the same for every code.
   *
   * @param code Default 'credit_balance_exhausted'.
   */
  outOfMoney: (code: OpenAIBillingCode = 'credit_balance_exhausted'): ResponseStep => ({
    status: 429,
    body: error('insufficient_quota', code, 'The account cannot be charged for this request.'),
  }),

  /**
   * 429 whose text speaks of quota although its code is the temporary one: a client that reads the prose gives up wrongly.
   *
   * @param options.retryAfter Default 1 s.
   */
  lookAlike: ({ retryAfter = 1 }: { readonly retryAfter?: RetryAfter } = {}): ResponseStep => ({
    status: 429,
    retryAfter,
    body: error('requests', 'rate_limit_exceeded', 'Insufficient quota for this minute, please try again.'),
  }),

  /**
   * 429 `slow_down`: inside the limits, but the traffic grew too fast. Temporary.
   *
   * @param options.retryAfter Default 1 s.
   */
  slowDown: ({ retryAfter = 1 }: { readonly retryAfter?: RetryAfter } = {}): ResponseStep => ({
    status: 429,
    retryAfter,
    body: error('rate_limit_error', 'slow_down', 'Request rate increased too quickly.'),
  }),

  /** 503 `server_is_overloaded`: temporary, without a hint. */
  overloaded: (): ResponseStep => ({
    status: 503,
    body: error('service_unavailable_error', 'server_is_overloaded', 'The model is short of capacity.'),
  }),
}
