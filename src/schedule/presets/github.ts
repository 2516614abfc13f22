import type { ResponseStep, RetryAfter } from '../model.js'

const DOCUMENTATION = 'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api'

/**
 * Limits of the GitHub REST API.
 *
 * Source: GitHub Docs, "Rate limits for the REST API": obey retry-after; else, with x-ratelimit-remaining 0, wait until
 * x-ratelimit-reset (epoch seconds); else wait at least a minute.
 *
 * @example
 * ```ts
 * import { presets } from 'retrial'
 *
 * const schedule = [presets.github.primaryLimit({ resetInSeconds: 60 }), 200]
 * ```
 */
export const github = {
  /**
   * The secondary limit: a 403 or 429 with Retry-After.
   *
   * @param options.status Default 403.
   * @param options.retryAfter Default 60 s.
   */
  secondaryLimit: ({
    status = 403,
    retryAfter = 60,
  }: {
    readonly status?: 403 | 429
    readonly retryAfter?: RetryAfter
  } = {}): ResponseStep => ({
    status,
    retryAfter,
    body: {
      message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
      documentation_url: DOCUMENTATION,
    },
  }),

  /**
   * The primary limit: nothing remains until a moment that is given as epoch seconds.
   *
   * @param options.status Default 403.
   * @param options.resetInSeconds From serving to the reset. Default 60.
   */
  primaryLimit: ({
    status = 403,
    resetInSeconds = 60,
  }: {
    readonly status?: 403 | 429
    readonly resetInSeconds?: number
  } = {}): ResponseStep => ({
    status,
    headers: {
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-used': '5000',
      'x-ratelimit-resource': 'core',
      'x-ratelimit-reset': { secondsFromNow: resetInSeconds },
    },
    body: { message: 'API rate limit exceeded.', documentation_url: DOCUMENTATION },
  }),
}
