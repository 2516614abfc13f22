import axios from 'axios'
import axiosRetry from 'axios-retry'
import { defineClient, runTrial } from 'retrial'
import { expect, test } from 'vitest'

const orders = defineClient('orders', {
  create: () => {
    const client = axios.create()
    axiosRetry(client, { retries: 3, retryDelay: axiosRetry.exponentialDelay })
    return client
  },
  call: (client: ReturnType<typeof axios.create>, { url, method, headers, body, signal }) =>
    client.request({ url, method, headers, data: body, signal }),
})

test('backs off and recovers', async () => {
  const trial = await runTrial(orders, [503, 503, 200], { call: { method: 'GET' } })
  await expect(trial).toFollowSchedule([503, 503, 200])
})

test('gives up after four attempts', async () => {
  await expect(orders).toAttemptExactly(4, { call: { method: 'GET' } })
})

test('honours Retry-After, but for a hint longer than a timer holds', async () => {
  await expect(orders).toHonorRetryAfter({ call: { method: 'GET' }, known: { 'RAF-10': 'axios-retry: 2^31 ms fires at once' } })
})

test('a POST whose connection broke is sent again without a key: it may have been done already', async () => {
  const trial = await runTrial(orders, [{ fault: 'reset', apply: true }, 200], { call: { idempotencyKey: 'none' } })
  expect(trial.ledger.applied).toBe(2)
  await expect(trial).not.toNotReplayUnsafe()
})
