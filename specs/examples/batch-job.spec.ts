import { defineClient, runTrial } from 'retrial'
import { expect, test } from 'vitest'

// One job of a batch: a retired model answers 404 for ever, which no wait will change.
const job = defineClient('job', async ({ url, method, headers, body, signal }) => {
  for (const waitMs of [500, 1_000, 2_000, null]) {
    const response = await fetch(url, { method, headers, body, signal })
    if (response.ok) return response
    await response.arrayBuffer()
    if (waitMs === null || ![429, 500, 502, 503, 504].includes(response.status)) throw new Error(`HTTP ${response.status}`)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
})

const models = (request: { path: string }, history: readonly unknown[]) => {
  if (request.path.startsWith('/models/retired')) return 404
  return history.length === 0 ? 503 : 200
}

test('a job for a retired model is settled by its first answer', async () => {
  const trial = await runTrial(job, models, { call: { path: '/models/retired-1:generate' } })
  expect(trial.statuses).toEqual([404])
  expect(trial.settledAtMs).toBe(0)
  await expect(trial).toNotRetryPermanent()
})

test('a job for a living one rides out a hiccup', async () => {
  const trial = await runTrial(job, models, { call: { path: '/models/living-1:generate' } })
  expect(trial.statuses).toEqual([503, 200])
  expect(trial.settledAtMs).toBe(500)
})

test('eight jobs side by side do not disturb one another', async () => {
  await expect(job).toIsolateCalls()
})
