import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { batch } from '../../src/experiments/batch/batch.js'
import { herd } from '../../src/experiments/herd/herd.js'
import type { HerdServer } from '../../src/experiments/herd/model.js'
import { METASTABLE_CASE } from '../../src/experiments/herd/situations.js'
import { InconclusiveError, MatcherUsageError } from '../../src/matchers/errors.js'
import { runTrial } from '../../src/trial/run-trial.js'
import { sharedPause } from './clients/shared-pause.js'

/** One failure for all, answered at once, and then a server that is well. */
const OUTAGE: HerdServer = { capacity: 1_000, serviceMs: 10, outage: { fromMs: 0, forMs: 1_000 } }

/** A load that ends with the outage: nobody sees the server recover. */
const OVER_BEFORE = { clients: 6, requestsEach: 2, server: OUTAGE } as const

/** A fetch-style client that tries again after `waitMs`, as often as it takes. */
const retrying = (waitMs: () => number) => async (url: string, init: RequestInit) => {
  for (;;) {
    const response = await fetch(url, init)
    if (response.ok) return response
    await response.arrayBuffer()
    await sleep(waitMs())
  }
}

describe('toBoundQueueWait', () => {
  test('tells the client that retries everything from the one that classifies', async () => {
    await expect(await batch({ strategy: 'classified', runs: 3 })).toBoundQueueWait()
    await expect(await batch({ strategy: 'preflight', runs: 3 })).toBoundQueueWait({ p95Ms: 900, ratio: 1.3 })
    const naive = await batch({ strategy: 'naive', runs: 3 })
    await expect(naive).not.toBoundQueueWait()
    expect(() => expect(naive).toBoundQueueWait()).toThrow(
      /^toBoundQueueWait: naive: 95 % of the jobs waited up to \d \d{3} ms for their turn/,
    )
  })

  test('judges a client of your own', async () => {
    const jobs = { jobs: 60, workers: 4, runs: 1 } as const
    await expect(await batch({ ...jobs, client: fetch })).toBoundQueueWait()
    const stubborn = async (url: string, init: RequestInit) => {
      for (let attempt = 1; ; attempt++) {
        const response = await fetch(url, init)
        if (response.ok || attempt === 4) return response
        await response.arrayBuffer()
        await sleep(1_000)
      }
    }
    await expect(await batch({ ...jobs, client: stubborn })).not.toBoundQueueWait()
  })
})

describe('toSpreadRetries', () => {
  const options = { clients: 50, requestsEach: 1, server: OUTAGE, runs: 3 } as const

  test('tells jitter from fixed and from plain exponential delays', async () => {
    await expect(await herd({ ...options, strategy: 'full-jitter' })).toSpreadRetries()
    await expect(await herd({ ...options, strategy: 'decorrelated-jitter' })).toSpreadRetries()
    await expect(await herd({ ...options, strategy: 'fixed' })).not.toSpreadRetries()
    await expect(await herd({ ...options, strategy: 'exponential' })).not.toSpreadRetries()
  })

  test('tells max(hint, jitter), which has no jitter, from a hint with a spread on top', async () => {
    const server: HerdServer = { ...OUTAGE, outage: { fromMs: 0, forMs: 1_000, answer: 429 }, retryAfterS: 2 }
    await expect(await herd({ ...options, server, strategy: 'retry-after' })).toSpreadRetries()
    const noJitter = retrying(() => Math.max(2_000, Math.random() * 1_000))
    await expect(await herd({ ...options, server, client: noJitter, transport: 'fetch' })).not.toSpreadRetries()
    const onTop = retrying(() => 2_000 + Math.random() * 1_000)
    await expect(await herd({ ...options, server, client: onTop, transport: 'fetch' })).toSpreadRetries()
  })

  test('judges a trial with several calls', async () => {
    const schedule = ({ attempt }: { attempt: number }) => (attempt <= 8 ? 503 : 200)
    const parallel = { calls: 8, concurrency: 8 }
    await expect(
      await runTrial(
        retrying(() => 1_000),
        schedule,
        parallel,
      ),
    ).not.toSpreadRetries()
    await expect(
      await runTrial(
        retrying(() => Math.random() * 1_000),
        schedule,
        parallel,
      ),
    ).toSpreadRetries({ maxShare: 0.5 })
  })
})

describe('toBoundAmplification', () => {
  test('tells a budget from retries without one', async () => {
    await expect(await herd({ ...METASTABLE_CASE, strategy: 'retry-budget', runs: 1 })).toBoundAmplification(1.1)
    const fixed = await herd({ ...METASTABLE_CASE, strategy: 'fixed', runs: 1 })
    await expect(fixed).not.toBoundAmplification(1.1)
    expect(() => expect(fixed).toBoundAmplification(1.1)).toThrow(
      'toBoundAmplification: fixed: 3 200 calls became 14 400 requests, 4.5 for each',
    )
  })

  test('says nothing where nothing failed', async () => {
    const calm = await herd({ clients: 2, requestsEach: 2, server: { capacity: 9, serviceMs: 1 }, strategy: 'fixed', runs: 1 })
    expect(() => expect(calm).toBoundAmplification(2)).toThrow(InconclusiveError)
    expect(() => expect(calm).not.toBoundAmplification(2)).toThrow(InconclusiveError)
  })
})

describe('toRecoverWithin', () => {
  test('tells the metastable herd from the one with a budget', async () => {
    await expect(await herd({ ...METASTABLE_CASE, strategy: 'retry-budget', runs: 1 })).toRecoverWithin(20_000)
    const fixed = await herd({ ...METASTABLE_CASE, strategy: 'fixed', runs: 1 })
    await expect(fixed).not.toRecoverWithin(60_000)
    expect(() => expect(fixed).toRecoverWithin(60_000)).toThrow(/the server never answered as before again/)
  })
})

describe('toPauseAllOnLimit', () => {
  const options = {
    jobs: 60,
    workers: 6,
    retiredShare: 0,
    transientRate: 0,
    runs: 1,
    limit: { fromMs: 200, forMs: 3_000 },
  } as const

  test('tells a limit that the whole client knows of from one that each request meets for itself', async () => {
    await expect(await batch({ ...options, client: sharedPause() })).toPauseAllOnLimit()
    const each = await batch({ ...options, strategy: 'classified' })
    await expect(each).not.toPauseAllOnLimit()
    // Of six workers that were refused at 200 ms the first comes back half a second later.
    expect(() => expect(each).toPauseAllOnLimit()).toThrow(
      /requests?\s+arrived\s+while\s+a\s+429\s+asked\s+everybody\s+to\s+stay\s+away,\s+the\s+first\s+at\s+700\s+ms/,
    )
  })
})

describe('toKeepRetryBudget', () => {
  test('tells a token bucket from none, and from a breaker that holds back first tries', async () => {
    await expect(await herd({ ...METASTABLE_CASE, strategy: 'retry-budget', runs: 1 })).toKeepRetryBudget()
    await expect(await herd({ ...METASTABLE_CASE, strategy: 'full-jitter', runs: 1 })).not.toKeepRetryBudget()
    const breaker = await herd({ ...METASTABLE_CASE, strategy: 'circuit-breaker', runs: 1 })
    expect(() => expect(breaker).toKeepRetryBudget()).toThrow(
      /never\s+reached\s+the\s+server:\s+a\s+budget\s+holds\s+back\s+re-sends,\s+not\s+first\s+tries/,
    )
  })
})

describe('what did not happen is inconclusive, negated or not', () => {
  const calm = () =>
    herd({ clients: 6, requestsEach: 2, server: { capacity: 9, serviceMs: 1 }, strategy: 'full-jitter', runs: 1 })
  const sound = () => batch({ jobs: 12, workers: 3, retiredShare: 0, strategy: 'naive', runs: 1 })

  test.each([
    ['toBoundQueueWait', sound, undefined, /there is no run without doomed jobs to compare the queue wait with/],
    ['toSpreadRetries', calm, undefined, /0 clients re-sent anything/],
    ['toBoundAmplification', calm, 2, /nothing failed in 12 calls/],
    ['toRecoverWithin', calm, 1_000, /there was no outage to recover from/],
    ['toRecoverWithin', () => herd({ ...OVER_BEFORE, strategy: 'none', runs: 1 }), 1_000, /or no load for a second after it/],
    ['toPauseAllOnLimit', sound, undefined, /no 429 said when to come back/],
    ['toKeepRetryBudget', calm, undefined, /0 calls failed at first, too few to use up a budget/],
  ] as const)('%s', async (matcher, run, argument, message) => {
    const report = await run()
    for (const assertion of [expect(report), expect(report).not]) {
      const ask = () => (assertion as unknown as Record<string, (argument: unknown) => void>)[matcher]!(argument)
      expect(ask).toThrow(InconclusiveError)
      expect(() => ask()).toThrow(new RegExp(message.source.replaceAll(' ', '\\s+')))
    }
  })
})

test.each([
  [
    () => expect(1).toSpreadRetries(),
    'toSpreadRetries: expected a report of batch() or herd(), or a trial with several calls, received 1',
  ],
  [() => expect(batch).toBoundQueueWait(), /received function batch$/],
  [() => expect(Promise.resolve()).toPauseAllOnLimit(), /\(await it first\)$/],
  [() => expect(1).toRecoverWithin(-1), 'toRecoverWithin(ms): expected milliseconds >= 0, received -1'],
  [
    () => expect(1).toSpreadRetries({ maxShare: 0 }),
    'toSpreadRetries(bound).maxShare: expected a share above 0, up to 1, received 0',
  ],
  [() => expect(1).toBoundQueueWait({ ratio: Number.NaN }), 'toBoundQueueWait(bound).ratio: expected a ratio >= 1, received NaN'],
  [
    () => expect(1).toKeepRetryBudget(7 as unknown as object),
    'toKeepRetryBudget(bound): expected an object with tokens, ratio, received 7',
  ],
  [() => expect(1).toBoundAmplification(0.5), 'toBoundAmplification(ratio): expected requests per call, >= 1, received 0.5'],
  [() => expect(1).toBoundQueueWait({ p95Ms: -1 }), 'toBoundQueueWait(bound).p95Ms: expected milliseconds >= 0, received -1'],
  [
    () => expect(1).toKeepRetryBudget({ token: 1 } as object),
    'toKeepRetryBudget(bound).token: unknown, allowed are tokens, ratio',
  ],
])('wrong use is refused by name (%#)', (use, message) => {
  expect(use).toThrow(MatcherUsageError)
  expect(use).toThrow(message)
})
