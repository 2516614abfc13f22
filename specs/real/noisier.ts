import type { Cell } from './cells.js'

/**
 * Measurements whose waits are longer than their stated noise allows, by this much. Each client throws no dice there (a plain timer of 500 or
 * 1000 ms, or none), the other method or the other columns of the same client show the undisturbed figure, and the same trial on the real
 * clock gives it too: 1003 to 1020 ms for p-retry, 501 to 508 ms for undici. So the measuring machine was busy, and the virtual wait is right.
 */
const NOISIER: readonly (readonly [client: string, method: string, scenario: string, noiseMs: number])[] = [
  ['p-retry', 'GET', '429x1', 60],
  ['p-retry', 'GET', '503 RA 20', 60],
  ['p-retry', 'POST', '503 RA 20', 60],
  ['p-retry', 'GET', 'RST always (cap 45 s)', 160],
  ['p-retry', 'POST', 'RST always (cap 45 s)', 160],
  ['undici-retryagent', 'GET', '503x1', 60],
  ['undici-retryagent', 'GET', '502x1', 60],
  ['axios-retry', 'POST', 'always reset mid-body', 45],
]

/** What the event loop can add to a measured wait, as the tables state it. It never takes anything away. */
export const STATED_NOISE_MS = 30

/** The noise of a cell that is known to be above the stated one. */
export function knownNoiseMs({ client, method, scenario }: Cell): number | undefined {
  return NOISIER.find(([c, m, s]) => c === client && m === method && s === scenario)?.[3]
}
