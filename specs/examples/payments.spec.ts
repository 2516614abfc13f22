import { defineClient, runTrial } from 'retrial'
import { expect, test } from 'vitest'

// A payment client: one key for all attempts of a charge, a time-out for each attempt.
const charge = defineClient('payments', async ({ url, method, headers, body, signal, idempotencyKey }) => {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(url, {
        method,
        headers, // with the caller's Idempotency-Key
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(1_000)]),
      })
      if (response.status < 500 && response.status !== 409) return response
      await response.arrayBuffer()
      if (attempt === 5) throw new Error(`HTTP ${response.status}`)
    } catch (error) {
      if (signal.aborted || attempt === 5 || idempotencyKey === undefined) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 500 * attempt))
  }
})

test('the answer is lost after the card was charged: charged once, and the caller gets the first result', async () => {
  const trial = await runTrial(charge, [{ status: 200, delayMs: 1_300 }])
  expect(trial.statuses).toEqual(['hang-up', 200])
  expect(trial.ledger.appliedUnder('k-1')).toBe(1)
  await expect(trial).toDedupOnTimeout()
})

test('the same, in every way an answer can get lost', async () => {
  await expect(charge).toDedupOnTimeout()
  await expect(charge).toKeepIdempotencyKey()
  await expect(charge).toResendSameBody()
})
