import type { ResponseStep, RetryAfter } from '../model.js'

export interface QuotaOptions {
  /** Requests per window. Default 100. */
  readonly quota?: number
  /** Default 60. */
  readonly windowSeconds?: number
  /** Requests left in this window. Default 0. */
  readonly remaining?: number
  /** Until the window's end. Default 30. */
  readonly resetSeconds?: number
  /** A client that sees both obeys this one. Default: no Retry-After. */
  readonly retryAfter?: RetryAfter
}

/**
 * The RateLimit fields on their way to a standard.
 *
 * Source: draft-ietf-httpapi-ratelimit-headers-10: remaining is no promise, Retry-After wins when both are there.
 *
 * @example
 * ```ts
 * import { presets } from 'retrial'
 *
 * const schedule = [presets.ietf.quotaExceeded({ resetSeconds: 1, retryAfter: 3 }), 200]
 * ```
 */
export const ietf = {
  /**
   * 429 with `RateLimit-Policy` and `RateLimit`.
   *
   * @param options What the fields say; by default a window of 60 s for 100 requests, used up for 30 s more.
   */
  quotaExceeded: ({
    quota = 100,
    windowSeconds = 60,
    remaining = 0,
    resetSeconds = 30,
    retryAfter,
  }: QuotaOptions = {}): ResponseStep => ({
    status: 429,
    ...(retryAfter !== undefined && { retryAfter }),
    headers: {
      'ratelimit-policy': `"default";q=${quota};w=${windowSeconds}`,
      ratelimit: `"default";r=${remaining};t=${resetSeconds}`,
    },
    body: { title: 'Quota exceeded', status: 429 },
  }),
}
