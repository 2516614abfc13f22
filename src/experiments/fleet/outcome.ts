import type { Outcome } from '../../trace/model.js'

const TIMEOUT_CODES = new Set([
  'ETIMEDOUT',
  'ECONNABORTED',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** What a call came to, in the word that the error mix counts it under. */
export function resultOf(outcome: Outcome): { readonly result: string; readonly succeeded: boolean } {
  if (outcome.kind === 'resolved') {
    // A client that hands back parsed data has taken the answer for a success.
    const { status = 200 } = outcome
    return { result: String(status), succeeded: status >= 200 && status < 300 }
  }
  return { result: outcome.kind === 'rejected' ? errorWord(outcome.error) : 'unsettled', succeeded: false }
}

interface ErrorLike {
  readonly name?: unknown
  readonly code?: unknown
  readonly status?: unknown
  readonly statusCode?: unknown
  readonly response?: { readonly status?: unknown }
  readonly cause?: unknown
}

function errorWord(error: unknown): string {
  const { name, code, status, statusCode, response, cause } = (error ?? {}) as ErrorLike
  const answered = [status, statusCode, response?.status].find((value) => typeof value === 'number')
  if (answered !== undefined) return String(answered)
  if (name === 'TimeoutError' || name === 'AbortError' || TIMEOUT_CODES.has(String(code))) return 'timeout'
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return 'reset'
  if (cause !== undefined) return errorWord(cause)
  return typeof name === 'string' ? name : 'error'
}
