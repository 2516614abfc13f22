import { runTrial } from 'retrial'
import { expect, test } from 'vitest'

/** Waits as long as it is told to. */
async function patient(url, init) {
  for (;;) {
    const response = await fetch(url, init)
    if (response.status !== 429) return response
    await response.arrayBuffer()
    await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('retry-after')) * 1000))
  }
}

test('an hour of Retry-After passes exactly', async () => {
  const trial = await runTrial(patient, [{ status: 429, retryAfter: 3600 }, 200])
  expect(trial.statuses).toEqual([429, 200])
  expect(trial.gapsMs).toEqual([3_600_000])
  await expect(trial).toHonorRetryAfter()
})
