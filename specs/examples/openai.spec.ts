import OpenAI from 'openai'
import { defineClient, presets, runTrial } from 'retrial'
import { expect, test } from 'vitest'

const chat = defineClient('openai', ({ baseURL, signal }) =>
  new OpenAI({ baseURL, apiKey: 'test' }).chat.completions.create({ model: 'm', messages: [] }, { signal }),
)

test('rate limited for twenty seconds: waits them out', async () => {
  const trial = await runTrial(chat, [{ status: 429, retryAfter: 20 }, 200])
  expect(trial.gapsMs).toEqual([20_000])
  await expect(trial).toHonorRetryAfter()
})

test('an outage: three attempts, then the error', async () => {
  const trial = await runTrial(chat, [503])
  expect(trial.attempts).toHaveLength(3)
  expect(trial.outcome).toMatchObject({ kind: 'rejected', error: { status: 503 } })
})

test('out of money is repeated all the same: a known weakness, held in place until it is mended', async () => {
  const trial = await runTrial(chat, [presets.openai.outOfMoney('credit_balance_exhausted')])
  await expect(trial).not.toNotRetryPermanent({ contract: { preset: 'openai' } })
})
