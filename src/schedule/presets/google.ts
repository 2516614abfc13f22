import type { ResponseStep } from '../model.js'

/**
 * Answers of Google APIs: the wait is in the body, not in a header.
 *
 * Source: google.rpc.RetryInfo (google/rpc/error_details.proto): wait at least retry_delay from receipt; AIP-194.
 *
 * @example
 * ```ts
 * import { presets } from 'retrial'
 *
 * const schedule = [presets.google.unavailable({ retryDelayMs: 2_000 }), 200]
 * ```
 */
export const google = {
  /**
   * 503 `UNAVAILABLE` with RetryInfo: temporary (AIP-194).
   *
   * @param options.retryDelayMs Milliseconds. Default 1000.
   */
  unavailable: ({ retryDelayMs = 1_000 }: { readonly retryDelayMs?: number } = {}): ResponseStep =>
    withRetryInfo(503, 'UNAVAILABLE', 'The service is currently unavailable.', retryDelayMs),

  /**
   * 429 `RESOURCE_EXHAUSTED` with RetryInfo.
   *
   * @param options.retryDelayMs Milliseconds. Default 1000.
   */
  resourceExhausted: ({ retryDelayMs = 1_000 }: { readonly retryDelayMs?: number } = {}): ResponseStep =>
    withRetryInfo(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for requests per minute.', retryDelayMs),
}

const withRetryInfo = (status: number, code: string, message: string, retryDelayMs: number): ResponseStep => ({
  status,
  body: {
    error: {
      code: status,
      message,
      status: code,
      // The JSON form of google.protobuf.Duration: seconds with a fraction and the letter s.
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryDelayMs / 1000}s` }],
    },
  },
})
