// Compiled against the packed package and the vitest that is installed beside it.
import 'retrial/setup'
import { defineClient, runTrial, type Trial } from 'retrial'
import { describeRetryContract } from 'retrial/contract'
import { expect } from 'vitest'

const client = defineClient('typed', ({ url, signal }) => fetch(url, { signal }))
const stateful = defineClient('stateful', {
  create: ({ baseURL }) => ({ baseURL, calls: 0 }),
  call: (state, { method, signal }) => fetch(`${state.baseURL}/orders`, { method, signal }),
})

export async function uses(trial: Trial): Promise<void> {
  const done: Trial = await runTrial(stateful, [{ status: 429, retryAfter: { date: 3, form: 'asctime' } }, 'reset', 200])
  await expect(client).toHonorRetryAfter()
  await expect(client).not.toRetryTransient({ strict: true, seeds: 3 })
  await expect(trial).toStayWithinDeadline(8_000)
  await expect(done).toFollowSchedule([429, 'reset', 200])
  await expect(Promise.resolve(trial)).resolves.toUphold({ maxAttempts: 4 })
  await expect.soft(trial).toDedupOnTimeout()
  // @ts-expect-error a deadline is a number of milliseconds
  await expect(trial).toStayWithinDeadline('8 s')
  // @ts-expect-error no such option
  await expect(trial).toHonorRetryAfter({ strct: true })
  // @ts-expect-error no such matcher
  await expect(trial).toHonourRetryAfter()
  // @ts-expect-error an unknown fault
  await runTrial(client, ['explode'])
}

describeRetryContract('typed', client, { backoff: { baseMs: 250, jitter: { min: 1, max: 1.25 } } })
