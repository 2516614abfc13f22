import type { BackoffPromise, JitterPromise } from './contract.js'
import { type Distribution, uniform } from './statistics.js'

/** Where a wait may lie, in ms. */
export interface Band {
  readonly lowMs: number
  readonly highMs: number
}

type Share = { readonly min: number; readonly max: number }

function sharesOf(jitter: Exclude<JitterPromise, 'decorrelated'>): Share {
  if (typeof jitter === 'object') return jitter
  return { none: { min: 1, max: 1 }, full: { min: 0, max: 1 }, equal: { min: 0.5, max: 1 } }[jitter]
}

/**
 * The band of the wait before re-send `count`. The cap comes after jitter, so no wait is above it; a client that caps before jitter may
 * lie as far below it as its jitter goes.
 *
 * @param count 1 for the first re-send.
 * @param previousMs The wait before this one, for decorrelated jitter (base .. 3 x previous).
 */
export function bandOf(
  { baseMs, factor = 2, capMs, jitter = 'none' }: BackoffPromise,
  count: number,
  previousMs: number | null,
): Band {
  const cap = capMs ?? Number.POSITIVE_INFINITY
  if (jitter === 'decorrelated')
    return { lowMs: Math.min(baseMs, cap), highMs: Math.min(3 * Math.max(previousMs ?? baseMs, baseMs), cap) }
  const { min, max } = sharesOf(jitter)
  const nominalMs = baseMs * factor ** (count - 1)
  return { lowMs: Math.min(min * Math.min(nominalMs, cap), cap), highMs: Math.min(max * nominalMs, cap) }
}

/** How first waits are distributed under the declared kind of jitter. */
export function firstWait(promise: BackoffPromise): Distribution {
  const { lowMs, highMs } = bandOf(promise, 1, null)
  return uniform(lowMs, highMs)
}
