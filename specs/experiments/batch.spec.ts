import { beforeAll, describe, expect, test } from 'vitest'
import { batch, compareBatch } from '../../src/experiments/batch/batch.js'
import type { BatchReport } from '../../src/experiments/batch/model.js'
import { ExperimentOptionsError } from '../../src/experiments/options.js'
import { sharedPause } from './clients/shared-pause.js'

type Band = readonly [low: number, high: number]

/** Bands of three runs with a thread pool over loopback, in real time; widened by 15 %, since virtual time has no scheduling cost. */
const WIDENING = 0.15
const REFERENCE = [
  {
    case: { jobs: 200, workers: 16 },
    retired: 31,
    bands: {
      naive: { wallMs: [8_400, 9_300], upstream: [302, 310], queueWaitP95Ms: [4_400, 5_200] },
      classified: { wallMs: [1_200, 2_100], upstream: [210, 215], queueWaitP95Ms: [590, 760] },
      preflight: { wallMs: [1_100, 1_900], upstream: [177, 188], queueWaitP95Ms: [520, 760] },
    },
  },
  {
    case: { jobs: 120, workers: 4 },
    retired: 19,
    bands: {
      naive: { wallMs: [18_300, 19_900], upstream: [181, 189], queueWaitP95Ms: [14_700, 15_900] },
      classified: { wallMs: [1_200, 2_700], upstream: [121, 132], queueWaitP95Ms: [1_100, 2_400] },
      preflight: { wallMs: [1_700, 2_700], upstream: [106, 111], queueWaitP95Ms: [1_300, 2_100] },
    },
  },
] as const satisfies readonly { bands: Record<string, Record<string, Band>>; [field: string]: unknown }[]

const within = (value: number, [low, high]: Band) => value >= low * (1 - WIDENING) && value <= high * (1 + WIDENING)

describe.each(REFERENCE)(
  'the reference case of $case.jobs jobs and $case.workers workers',
  ({ case: setting, retired, bands }) => {
    let reports: readonly BatchReport[]
    beforeAll(async () => {
      ;({ reports } = await compareBatch({ ...setting, runs: 20 }))
    })

    test('medians over 20 seeds lie in the measured bands', () => {
      const outside = reports.flatMap((report) =>
        Object.entries(bands[report.client as keyof typeof bands]).flatMap(([metric, band]) => {
          const { median } = report[metric as 'wallMs']
          return within(median, band) ? [] : [`${report.client}.${metric}: ${median} is not in ${band.join(' to ')}`]
        }),
      )
      expect(outside).toEqual([])
    })

    test('a retired job makes exactly 4, 1 or 0 answers 404, in every run', () => {
      const spreads = reports.map(({ client, notFound }) => [client, notFound.min, notFound.max])
      expect(spreads).toEqual([
        ['naive', 4 * retired, 4 * retired],
        ['classified', retired, retired],
        ['preflight', 0, 0],
      ])
    })

    test('success p95 is one wait or none for all three clients: the metric that stays still', () => {
      // A success takes 40 ms, or 500 ms more after one transient failure, or 1 500 ms more after two.
      const seen = reports.map(({ figures }) => [...new Set(figures.map(({ successP95Ms }) => successP95Ms))].sort())
      expect(seen).toEqual([
        [40, 540],
        [40, 540],
        [40, 540],
      ])
    })
  },
)

test('the report says that queue wait and wall moved, and that latency and the share of successes did not', async () => {
  const { movements } = await batch({ strategy: 'naive', runs: 9 })
  const moved = (metric: string) => movements.find((movement) => movement.metric === metric)!.moved
  expect(['queueWaitP95Ms', 'wallMs'].map(moved)).toEqual([true, true])
  expect(['successP50Ms', 'successP95Ms', 'successRate'].map(moved)).toEqual([false, false, false])
})

test('the twin of a batch has the same jobs but the doomed ones', async () => {
  const { twin, submitted, succeeded } = await batch({ strategy: 'naive', runs: 3 })
  expect(submitted).toEqual({ median: 200, min: 200, max: 200 })
  expect(twin.submitted).toEqual({ median: 169, min: 169, max: 169 })
  expect(twin.notFound.max).toBe(0)
  expect(succeeded).toEqual(twin.succeeded)
})

test('preflight names the ids that it refused, and makes the denominator honest', async () => {
  const { dropped, submitted, succeeded } = await batch({ strategy: 'preflight', runs: 2 })
  expect(dropped).toEqual(['atlas-1', 'borealis-0', 'cirrus-2'])
  expect([succeeded.median, submitted.median]).toEqual([169, 169])
})

test('the same options give the same figures, another seed gives others', async () => {
  const run = (seed: number) => batch({ strategy: 'naive', runs: 2, seed })
  const first = await run(7)
  expect(await run(7)).toEqual(first)
  expect((await run(8)).figures).not.toEqual(first.figures)
})

test('all strategies meet the same faults: without retired models, retrying everything and classifying are the same', async () => {
  const { reports } = await compareBatch({ strategies: ['naive', 'classified'], retiredShare: 0, runs: 3 })
  const [naive, classified] = reports as [BatchReport, BatchReport]
  expect(naive.figures).toEqual(classified.figures)
})

test.each(['fetch', 'socket'] as const)(
  'a client of your own takes the place of a strategy in one line (%s)',
  async (transport) => {
    const report = await batch({ jobs: 40, workers: 4, client: (url, init) => fetch(url, init), transport, runs: 2 })
    expect(report.client).toBe('client')
    // It never retries: as many requests as jobs, one 404 for each of the 6 retired ones (40 * 0.155 = 6.2).
    expect(report.upstream).toEqual({ median: 40, min: 40, max: 40 })
    expect(report.notFound.median).toBe(6)
    expect(report.amplification.median).toBe(1)
  },
)

test('both transports give the same figures', async () => {
  const options = { jobs: 60, workers: 6, strategy: 'naive', runs: 2 } as const
  const [memory, wire] = [await batch({ ...options, transport: 'fetch' }), await batch({ ...options, transport: 'socket' })]
  expect(wire.figures).toEqual(memory.figures)
})

test('a preflight that got no list drops nothing and says why', async () => {
  const attempt = batch({ jobs: 4, workers: 2, strategy: 'preflight', limit: { fromMs: 0, forMs: 1_000 }, runs: 1 })
  await expect(attempt).rejects.toThrow('GET /models was answered 429: the preflight needs a server without a limit at 0 ms')
})

test('strategies that are none are refused by name', async () => {
  await expect(compareBatch({ strategies: [] })).rejects.toThrow(
    "compareBatch(options).strategies: expected a list of one or more of 'naive', 'classified', 'preflight', received []",
  )
  await expect(compareBatch({ strategies: ['hope' as 'naive'] })).rejects.toThrow('received ["hope"]')
})

test('a client of your own can be given the preflight as well', async () => {
  const report = await batch({ jobs: 40, workers: 4, client: fetch, preflight: true, runs: 1 })
  expect(report.notFound.median).toBe(0)
  expect(report.dropped.length).toBeGreaterThan(0)
})

test('a limit answers everybody 429 with the seconds that are left', async () => {
  const waits: number[] = []
  const client = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init)
    if (response.status === 429) waits.push(Number(response.headers.get('retry-after')))
    return response
  }
  await batch({ jobs: 2, workers: 1, retiredShare: 0, transientRate: 0, client, limit: { fromMs: 40, forMs: 2_500 }, runs: 1 })
  // The second job starts at 40 ms, when the limit has 2.5 s to go; the twin run asks again.
  expect(waits).toEqual([3, 3])
})

test('figures over the runs come with progress', async () => {
  const seen: string[] = []
  await batch({
    jobs: 5,
    workers: 2,
    strategy: 'classified',
    runs: 2,
    onProgress: (done, total, label) => seen.push(`${label} ${done}/${total}`),
  })
  expect(seen).toEqual(['classified 1/2', 'classified 2/2'])
})

test.each([
  [{ workers: 0 }, 'batch(options).workers: expected an integer >= 1, received 0'],
  [{ retiredShare: 1.5 }, 'batch(options).retiredShare: expected a share from 0 to 1, received 1.5'],
  [{ latencyMs: -1 }, 'batch(options).latencyMs: expected milliseconds >= 0, received -1'],
  [{ strategy: 'nave' }, "batch(options).strategy: expected 'naive', 'classified', 'preflight', received 'nave'"],
  [{ strategy: undefined }, "batch(options): give either strategy ('naive', 'classified', 'preflight') or client"],
  [{ client: fetch }, "batch(options): give either strategy ('naive', 'classified', 'preflight') or client"],
  [{ limit: { fromMs: 1 } }, 'batch(options).limit.forMs: expected milliseconds > 0, received undefined'],
  [{ wokers: 4 }, /^batch\(options\)\.wokers: unknown option, allowed are jobs, workers,/],
])('wrong options are refused by name: %j', async (wrong, message) => {
  const attempt = batch({ strategy: 'naive', ...wrong } as Parameters<typeof batch>[0])
  await expect(attempt).rejects.toThrow(ExperimentOptionsError)
  await expect(attempt).rejects.toThrow(message)
})

test('a limit that one request met holds back the whole batch, if the client shares it', async () => {
  const limit = { fromMs: 200, forMs: 3_000 }
  const shared = await batch({ jobs: 60, workers: 6, transientRate: 0, retiredShare: 0, client: sharedPause(), limit, runs: 1 })
  expect(shared.succeeded.median).toBe(60)
  expect(shared.fleet.runs[0]!.limit.intruders).toBe(0)
  const each = await batch({ jobs: 60, workers: 6, transientRate: 0, retiredShare: 0, strategy: 'classified', limit, runs: 1 })
  expect(each.fleet.runs[0]!.limit.intruders).toBeGreaterThan(0)
})
