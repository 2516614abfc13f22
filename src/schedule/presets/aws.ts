import type { ResponseStep } from '../model.js'

const throttling = (status: number, code: string, message: string, retryAfterMs: number | undefined): ResponseStep => ({
  status,
  headers: {
    'content-type': 'application/x-amz-json-1.1',
    'x-amzn-errortype': code,
    ...(retryAfterMs !== undefined && { 'x-amz-retry-after': `${retryAfterMs}` }),
  },
  body: { __type: code, message },
})

/**
 * Throttling answers of AWS services that speak JSON.
 *
 * Source: the AWS SDKs' standard retry mode and its 2026 behaviour: `x-amz-retry-after` in milliseconds, kept by clients within
 * [own backoff, own backoff + 5 s].
 *
 * @example
 * ```ts
 * import { presets } from 'retrial'
 *
 * const schedule = [presets.aws.throttled({ retryAfterMs: 1_500 }), 200]
 * ```
 */
export const aws = {
  /**
   * 400 `ThrottlingException`: a client error by its status, temporary by its code.
   *
   * @param options.retryAfterMs `x-amz-retry-after`, milliseconds. Default: no such header.
   */
  throttled: ({ retryAfterMs }: { readonly retryAfterMs?: number } = {}): ResponseStep =>
    throttling(400, 'ThrottlingException', 'Rate exceeded', retryAfterMs),

  /**
   * 503 `SlowDown`.
   *
   * @param options.retryAfterMs `x-amz-retry-after`, milliseconds. Default: no such header.
   */
  slowDown: ({ retryAfterMs }: { readonly retryAfterMs?: number } = {}): ResponseStep =>
    throttling(503, 'SlowDown', 'Please reduce your request rate.', retryAfterMs),
}
