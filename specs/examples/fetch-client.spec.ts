import { runTrial } from 'retrial'
import { expect, test } from 'vitest'

// A fetch-style client: called as (url, init), returns the Response.
async function getOrders(url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, init)
    if ((response.status !== 429 && response.status < 500) || attempt === 4) return response
    const hint = response.headers.get('retry-after')
    await response.arrayBuffer() // frees the connection
    await new Promise((resolve) => setTimeout(resolve, hint === null ? 250 * 2 ** attempt : Number(hint) * 1000))
  }
}

test('waits as long as it is told to, then succeeds', async () => {
  const trial = await runTrial(getOrders, [{ status: 429, retryAfter: 30 }, 503, 200], { call: { method: 'GET' } })
  expect(trial.statuses).toEqual([429, 503, 200])
  expect(trial.gapsMs).toEqual([30_000, 1_000])
  await expect(trial).toHonorRetryAfter()
  await expect(trial).toRetryTransient()
})

test('does not repeat what will not change', async () => {
  await expect(getOrders).toNotRetryPermanent()
})
