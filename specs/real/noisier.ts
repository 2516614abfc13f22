import type { Cell } from './cells.js'

interface Excuse {
  readonly client: string
  readonly method: string
  readonly scenario: string
  readonly noiseMs: number
  /** The scenario of the same client, with the same waits, that was measured without disturbance; with its method, where it is the other one. */
  readonly proof: readonly [scenario: string, method?: string]
}

/**
 * Measurements whose waits are longer than their stated noise allows, by this much. Each client throws no dice there (a plain timer of 500 or
 * 1000 ms, or none), another cell of the same client shows the undisturbed figure (a spec compares them), and the same trial on the real clock
 * gives it too: 1003 to 1020 ms for p-retry, 501 to 508 ms for undici. So the measuring machine was busy, and the virtual wait is right.
 */
export const NOISIER: readonly Excuse[] = [
  { client: 'p-retry', method: 'GET', scenario: '429x1', noiseMs: 60, proof: ['429x1', 'POST'] },
  { client: 'p-retry', method: 'GET', scenario: '503 RA 20', noiseMs: 60, proof: ['503 RA 2'] },
  { client: 'p-retry', method: 'POST', scenario: '503 RA 20', noiseMs: 60, proof: ['503 RA 2'] },
  { client: 'p-retry', method: 'GET', scenario: 'RST always (cap 45 s)', noiseMs: 160, proof: ['always 503'] },
  { client: 'p-retry', method: 'POST', scenario: 'RST always (cap 45 s)', noiseMs: 160, proof: ['always 503'] },
  { client: 'undici-retryagent', method: 'GET', scenario: '503x1', noiseMs: 60, proof: ['500x1'] },
  { client: 'undici-retryagent', method: 'GET', scenario: '502x1', noiseMs: 60, proof: ['504x1'] },
  { client: 'axios-retry', method: 'POST', scenario: 'always reset mid-body', noiseMs: 45, proof: ['RST always (cap 45 s)'] },
]

/** What the event loop can add to a measured wait, as the tables state it. It never takes anything away. */
export const STATED_NOISE_MS = 30

/** The noise of a cell that is known to be above the stated one. */
export function knownNoiseMs({ client, method, scenario }: Cell): number | undefined {
  return NOISIER.find((one) => one.client === client && one.method === method && one.scenario === scenario)?.noiseMs
}
