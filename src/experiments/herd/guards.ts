import type { Guard } from '../fleet/retrying.js'

/**
 * A token bucket as gRPC throttles retries (proposal A6): a failure takes one token, a success puts a part back, and nothing is re-sent
 * while half of the tokens or fewer are left. First tries always go out.
 */
export function makeRetryBudget({ tokens, ratio }: { readonly tokens: number; readonly ratio: number }): Guard {
  let left = tokens
  return {
    maySend: () => true,
    mayRetry: () => left > tokens / 2,
    ended: (succeeded) => {
      left = succeeded ? Math.min(tokens, left + ratio) : Math.max(0, left - 1)
    },
  }
}

/** Opens after so many failures in a row, sends nothing while open, then lets one attempt through to see. */
export function makeBreaker({ failures, cooldownMs }: { readonly failures: number; readonly cooldownMs: number }): Guard {
  let inARow = 0
  let openUntilMs: number | null = null
  let isProbing = false
  return {
    maySend: (nowMs) => {
      if (openUntilMs === null) return true
      if (nowMs < openUntilMs || isProbing) return false
      isProbing = true
      return true
    },
    mayRetry: () => true,
    ended: (succeeded, nowMs) => {
      isProbing = false
      inARow = succeeded ? 0 : inARow + 1
      openUntilMs = inARow >= failures ? nowMs + cooldownMs : null
    },
  }
}
