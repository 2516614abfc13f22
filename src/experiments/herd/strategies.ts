import type { FleetClient } from '../fleet/model.js'
import { type RetryPolicy, retryingClient, type WaitContext } from '../fleet/retrying.js'
import { makeBreaker, makeRetryBudget } from './guards.js'

/**
 * The built-in clients of a herd. Each retries 429, 500, 502, 503, 504, time-outs and broken connections; base 1 s, at most six attempts:
 *
 * - `none`: one attempt; `fixed`: five, 2 s apart; `exponential`: waits of 1, 2, 4, 8, 16 s
 * - `full-jitter`, `equal-jitter`, `decorrelated-jitter`: the same waits, spread (AWS, exponential backoff and jitter)
 * - `capped-jitter`: full jitter with a cap of 4 s; `published-policy`: four attempts, full jitter, cap 8 s
 * - `retry-budget`: full jitter with a token bucket of 10 and 0.1 back (gRPC A6); `circuit-breaker`: opens after 5 failures, for 10 s
 * - `retry-after`: full jitter, and the hint with up to 1 s on top where there is one
 *
 * @example
 * const { reports } = await compareHerd({ strategies: HERD_STRATEGIES, runs: 2 })
 */
export const HERD_STRATEGIES = [
  'none',
  'fixed',
  'exponential',
  'full-jitter',
  'equal-jitter',
  'decorrelated-jitter',
  'capped-jitter',
  'published-policy',
  'retry-budget',
  'circuit-breaker',
  'retry-after',
] as const
/** One of {@link HERD_STRATEGIES}. */
export type HerdStrategy = (typeof HERD_STRATEGIES)[number]

const BASE_MS = 1_000
/** 1, 2, 4, 8, 16 s: five waits, six attempts. */
const CAP_MS = 16_000
const ATTEMPTS = 6
const TRANSIENT = new Set([429, 500, 502, 503, 504])
const retries = (status: number | null): boolean => status === null || TRANSIENT.has(status)

const exponential = ({ retry }: WaitContext): number => Math.min(CAP_MS, BASE_MS * 2 ** (retry - 1))
/** Anywhere up to the exponential wait (AWS, exponential backoff and jitter). */
const full = (context: WaitContext): number => context.random() * exponential(context)
const equal = (context: WaitContext): number => (exponential(context) * (1 + context.random())) / 2
const decorrelated = ({ previousMs, random }: WaitContext): number =>
  Math.min(CAP_MS, BASE_MS + random() * (3 * (previousMs ?? BASE_MS) - BASE_MS))
const cappedAt =
  (capMs: number) =>
  ({ retry, random }: WaitContext): number =>
    random() * Math.min(capMs, BASE_MS * 2 ** (retry - 1))
/** The hint is the floor, and every client adds a spread of its own: max(hint, jitter) would bring all of them back at once. */
const hinted = (context: WaitContext): number =>
  context.hintMs === null ? full(context) : context.hintMs + context.random() * BASE_MS

const POLICIES: Record<HerdStrategy, RetryPolicy> = {
  none: { attempts: 1, retries, waitMs: () => 0 },
  fixed: { attempts: 5, retries, waitMs: () => 2_000 },
  exponential: { attempts: ATTEMPTS, retries, waitMs: exponential },
  'full-jitter': { attempts: ATTEMPTS, retries, waitMs: full },
  'equal-jitter': { attempts: ATTEMPTS, retries, waitMs: equal },
  'decorrelated-jitter': { attempts: ATTEMPTS, retries, waitMs: decorrelated },
  'capped-jitter': { attempts: ATTEMPTS, retries, waitMs: cappedAt(4_000) },
  // Its cap of 8 s is never reached: four attempts have three waits, of 4 s at most.
  'published-policy': { attempts: 4, retries, waitMs: cappedAt(8_000) },
  // The numbers of the example in gRPC A6.
  'retry-budget': { attempts: ATTEMPTS, retries, waitMs: full, makeGuard: () => makeRetryBudget({ tokens: 10, ratio: 0.1 }) },
  'circuit-breaker': {
    attempts: ATTEMPTS,
    retries,
    waitMs: full,
    makeGuard: () => makeBreaker({ failures: 5, cooldownMs: 10_000 }),
  },
  'retry-after': { attempts: ATTEMPTS, retries, waitMs: hinted },
}

export const herdStrategy = (strategy: HerdStrategy, attemptTimeoutMs: number): FleetClient =>
  retryingClient(strategy, POLICIES[strategy], attemptTimeoutMs)
