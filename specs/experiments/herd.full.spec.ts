import { expect, test } from 'vitest'
import { compareBatch } from '../../src/experiments/batch/batch.js'
import { compareHerd, herd } from '../../src/experiments/herd/herd.js'
import type { HerdReport } from '../../src/experiments/herd/model.js'
import { FLAKY_CASE, HERD_CASE, HERD_SERVER, METASTABLE_CASE } from '../../src/experiments/herd/situations.js'

test('over 100 seeds: one client, any retry beats none on success, and fixed delays cost p95', async () => {
  const { separations } = await compareHerd({
    ...FLAKY_CASE,
    strategies: ['none', 'fixed', 'exponential', 'full-jitter'],
    runs: 100,
  })
  const counted = (metric: string, b: string) =>
    separations.find((pair) => pair.metric === metric && pair.a === 'none' && pair.b === b)!.below
  expect(counted('successRate', 'fixed')).toBeGreaterThanOrEqual(95)
  expect(counted('successRate', 'exponential')).toBeGreaterThanOrEqual(95)
  expect(counted('successRate', 'full-jitter')).toBeGreaterThanOrEqual(95)
  expect(counted('p95Ms', 'fixed')).toBeGreaterThanOrEqual(95)
})

test.each([4_000, 15_000].flatMap((attemptTimeoutMs) => [1, 2, 3, 4].map((capacity) => ({ capacity, attemptTimeoutMs }))))(
  'over 100 seeds: in a herd fixed delays lose to full jitter on success, and last attempts take alike: %j',
  async (assumed) => {
    const { capacity, attemptTimeoutMs } = assumed
    const server = { ...HERD_SERVER, capacity }
    const setting = { ...HERD_CASE, server, attemptTimeoutMs }
    const { separations } = await compareHerd({ ...setting, strategies: ['fixed', 'full-jitter'], runs: 100 })
    const pair = (metric: string) => separations.find((separation) => separation.metric === metric)!
    expect(pair('successRate').below).toBeGreaterThanOrEqual(95)
    expect(pair('asPublished.lastAttemptP95Ms').order).toBeNull()
  },
)

test('over 20 seeds: the metastable herd never recovers with fixed delays, and always with a retry budget', async () => {
  expect((await herd({ ...METASTABLE_CASE, strategy: 'fixed', runs: 20 })).recovered).toBe(0)
  expect((await herd({ ...METASTABLE_CASE, strategy: 'retry-budget', runs: 20 })).recovered).toBe(20)
})

test('over 100 seeds: queue wait tells naive from classified in every run, success p95 in none', async () => {
  const { separations } = await compareBatch({ strategies: ['naive', 'classified'], runs: 100 })
  const pair = (metric: string) => separations.find((separation) => separation.metric === metric)!
  expect(pair('queueWaitP95Ms').above).toBe(100)
  expect(pair('successP95Ms').equal).toBe(100)
})

/** Processor time of one herd, printed for whoever reads the log: nothing is asserted on it. */
async function measured(clients: number, run: () => Promise<HerdReport>): Promise<HerdReport> {
  const before = process.cpuUsage()
  const report = await run()
  const { user, system } = process.cpuUsage(before)
  const us = (user + system) / report.upstream.median
  console.log(
    `${clients} clients: ${report.upstream.median} requests, ${((user + system) / 1e6).toFixed(1)} s, ${us.toFixed(0)} us each`,
  )
  return report
}

test.each([10, 100, 1_000, 10_000])('%i clients of 20 requests each run to their end', async (clients) => {
  const server = { ...HERD_SERVER, capacity: clients / 5, queueLimit: clients / 5 }
  const { upstream, successRate } = await measured(clients, () =>
    herd({ clients, requestsEach: 20, server, strategy: 'full-jitter', runs: 1 }),
  )
  expect(upstream.median).toBeGreaterThanOrEqual(20 * clients)
  expect(successRate.median).toBeGreaterThan(0.7)
})

test('200 clients of 20 requests each over real sockets run to their end', async () => {
  const server = { ...HERD_SERVER, capacity: 40, queueLimit: 40 }
  const { upstream, successRate } = await measured(200, () =>
    herd({ clients: 200, requestsEach: 20, server, strategy: 'full-jitter', transport: 'socket', runs: 1 }),
  )
  expect(upstream.median).toBeGreaterThan(4_000)
  expect(successRate.median).toBeGreaterThan(0.8)
})
