import type { ResponseStep } from '../model.js'

/**
 * Answers of the Stripe API, which says in a header whether a retry makes sense.
 *
 * Source: Stripe Docs, "Advanced error handling"; stripe-node: `Stripe-Should-Retry` wins, then 409 and 5xx are retried, 429 is not.
 *
 * @example
 * ```ts
 * import { presets } from 'retrial'
 *
 * const schedule = [presets.stripe.lockTimeout({ shouldRetry: true }), 200]
 * ```
 */
export const stripe = {
  /**
   * 429 `lock_timeout`: another request works on the same object.
   *
   * @param options.shouldRetry What `stripe-should-retry` says. Default true.
   */
  lockTimeout: ({ shouldRetry = true }: { readonly shouldRetry?: boolean } = {}): ResponseStep => ({
    status: 429,
    headers: { 'stripe-should-retry': `${shouldRetry}` },
    body: {
      error: { type: 'invalid_request_error', code: 'lock_timeout', message: 'This object cannot be accessed right now.' },
    },
  }),

  /**
   * 409 `idempotency_key_in_use`: the first request with this key is still being worked on.
   *
   * @param options.shouldRetry What `stripe-should-retry` says. Default true.
   */
  keyInUse: ({ shouldRetry = true }: { readonly shouldRetry?: boolean } = {}): ResponseStep => ({
    status: 409,
    headers: { 'stripe-should-retry': `${shouldRetry}` },
    body: {
      error: {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: 'Another request with this key is in progress.',
      },
    },
  }),

  /**
   * 500 that the header may declare final: with `false` its result is stored under the key, and a retry gets the same answer.
   *
   * @param options.shouldRetry What `stripe-should-retry` says. Default false.
   */
  apiError: ({ shouldRetry = false }: { readonly shouldRetry?: boolean } = {}): ResponseStep => ({
    status: 500,
    headers: { 'stripe-should-retry': `${shouldRetry}` },
    body: { error: { type: 'api_error', message: 'An unknown error occurred.' } },
  }),
}
