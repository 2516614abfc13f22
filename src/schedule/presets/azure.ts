import type { ResponseStep } from '../model.js'

/**
 * Throttling answers of Azure services, whose wait is in milliseconds.
 *
 * Source: Azure Core (core-rest-pipeline, throttling strategy): a 429 or 503 is throttling when Retry-After, retry-after-ms or
 * x-ms-retry-after-ms is valid.
 *
 * @example
 * ```ts
 * import { presets } from 'retrial'
 *
 * const schedule = [presets.azure.throttled({ retryAfterMs: 1_500, header: 'x-ms-retry-after-ms' }), 200]
 * ```
 */
export const azure = {
  /**
   * 429 `TooManyRequests`.
   *
   * @param options.retryAfterMs Milliseconds. Default 1000.
   * @param options.header Which header carries them. Default 'retry-after-ms'.
   */
  throttled: ({
    retryAfterMs = 1_000,
    header = 'retry-after-ms',
  }: {
    readonly retryAfterMs?: number
    readonly header?: 'retry-after-ms' | 'x-ms-retry-after-ms'
  } = {}): ResponseStep => ({
    status: 429,
    headers: { [header]: `${retryAfterMs}` },
    body: { error: { code: 'TooManyRequests', message: 'The request rate is too large.' } },
  }),
}
