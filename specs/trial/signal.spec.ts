import { getMaxListeners } from 'node:events'
import { fetch as undiciFetch } from 'undici'
import { expect, test } from 'vitest'
import { runTrial } from '../../src/trial/run-trial.js'
import { watchSignal } from '../../src/trial/signal.js'

test('the signal of a call can be asked how many listeners it takes', () => {
  expect(getMaxListeners(watchSignal().signal)).toBe(Number.POSITIVE_INFINITY)
})

test("the fetch of npm undici takes the trial's signal", async () => {
  const client = async (url: string, { method, signal }: RequestInit) =>
    (await undiciFetch(url, { method, signal })) as unknown as Response
  const trial = await runTrial(client, [200], { call: { method: 'GET' } })
  expect(trial.outcome).toMatchObject({ kind: 'resolved', status: 200 })
})
