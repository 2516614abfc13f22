import { expect, test } from 'vitest'
import { compareBatch } from '../../src/experiments/batch/batch.js'
import { compareHerd, herd } from '../../src/experiments/herd/herd.js'
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

test.each([1, 2, 3, 4])('over 100 seeds: in a herd fixed delays lose to full jitter, with room for %i', async (capacity) => {
  const server = { ...HERD_SERVER, capacity }
  const { separations } = await compareHerd({ ...HERD_CASE, server, strategies: ['fixed', 'full-jitter'], runs: 100 })
  expect(separations.find(({ metric }) => metric === 'successRate')!.below).toBeGreaterThanOrEqual(95)
})

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

test('10 000 clients of 20 requests each run to their end', async () => {
  const server = { ...HERD_SERVER, capacity: 2_000, queueLimit: 2_000 }
  const { upstream, successRate } = await herd({ clients: 10_000, requestsEach: 20, server, strategy: 'full-jitter', runs: 1 })
  expect(upstream.median).toBeGreaterThan(200_000)
  expect(successRate.median).toBeGreaterThan(0.9)
})

test('200 clients of 20 requests each over real sockets run to their end', async () => {
  const server = { ...HERD_SERVER, capacity: 40, queueLimit: 40 }
  const { upstream, successRate } = await herd({
    clients: 200,
    requestsEach: 20,
    server,
    strategy: 'full-jitter',
    transport: 'socket',
    runs: 1,
  })
  expect(upstream.median).toBeGreaterThan(4_000)
  expect(successRate.median).toBeGreaterThan(0.8)
})
