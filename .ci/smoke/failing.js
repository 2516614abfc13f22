// Fails on purpose: pictures.mjs runs it and looks at what the report carries.
import { runTrial } from 'retrial'
import { describeRetryContract } from 'retrial/contract'
import { faultSchedule, fc } from 'retrial/property'
import { test as bound } from 'retrial/test'
import { describe, expect, test } from 'vitest'

/** Never reads Retry-After. */
async function deaf(url, init) {
  for (let attempt = 1; attempt <= 4; attempt++) {
    const response = await fetch(url, init)
    if (response.ok || response.status < 429 || attempt === 4) return response
    await response.arrayBuffer()
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

const early = (seconds) => runTrial(deaf, [{ status: 429, retryAfter: seconds }, 200])
const judged = [await early(41), await early(42)]

test('of a trial', async () => expect(await early(30)).toHonorRetryAfter())
test('negated', async () => expect(await early(1)).not.toHonorRetryAfter())
test('softly', async () => expect.soft(await early(31)).toHonorRetryAfter())
test('of a client', async () => expect(deaf).toHonorRetryAfter())
test('asymmetric', async () => expect([await early(32)]).toEqual([expect.toHonorRetryAfter()]))
test('in a property', async () => {
  const property = fc.asyncProperty(faultSchedule({ maxSteps: 4 }), async (schedule) => {
    await expect(await runTrial(deaf, schedule)).toUphold({ maxAttempts: 2 })
  })
  await fc.assert(property, { seed: 3, numRuns: 40 })
})
describe.concurrent('at once', () => {
  for (const index of [0, 1]) test(`judge ${index}`, async () => expect(judged[index]).toHonorRetryAfter())
})
test('without a matcher', async () => expect((await early(33)).statuses).toEqual([200]))
bound('of a fixture', async ({ trial, expect }) => expect(await trial(deaf, [{ status: 429, retryAfter: 34 }, 200])).toHonorRetryAfter())
test('caught', async () => expect(async () => expect(await early(35)).toHonorRetryAfter()).rejects.toThrow('asked for 35 s'))
test('retried', { retry: 1 }, async ({ task }) => expect(await early(task.result.retryCount === 0 ? 36 : 1)).toHonorRetryAfter())
test.fails('to fail', async () => expect(await early(37)).toHonorRetryAfter())
describeRetryContract('contract', deaf, { maxAttempts: 4 }, { call: { method: 'GET' }, summary: false })
