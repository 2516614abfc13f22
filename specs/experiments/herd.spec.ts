import { Worker } from 'node:worker_threads'
import { beforeAll, describe, expect, test } from 'vitest'
import { ExperimentError } from '../../src/experiments/fleet/run-fleet.js'
import { compareHerd, herd } from '../../src/experiments/herd/herd.js'
import type { HerdComparison, HerdReport, HerdServer } from '../../src/experiments/herd/model.js'
import { FLAKY_CASE, HERD_CASE, HERD_SERVER, METASTABLE_CASE } from '../../src/experiments/herd/situations.js'
import { ExperimentOptionsError } from '../../src/experiments/options.js'

const orderOf = ({ separations }: HerdComparison, metric: string, a: string, b: string) =>
  separations.find((pair) => pair.metric === metric && pair.a === a && pair.b === b)!.order

describe('one client against a server that is away now and then', () => {
  let flaky: HerdComparison
  beforeAll(async () => {
    flaky = await compareHerd({ ...FLAKY_CASE, strategies: ['none', 'fixed', 'exponential', 'full-jitter'], runs: 20 })
  })

  test('any retry beats none on success', () => {
    const orders = ['fixed', 'exponential', 'full-jitter'].map((strategy) => orderOf(flaky, 'successRate', 'none', strategy))
    expect(orders).toEqual(['below', 'below', 'below'])
  })

  test('fixed delays cost p95', () => {
    expect(orderOf(flaky, 'p95Ms', 'none', 'fixed')).toBe('below')
  })

  test('without retries it is the published client: 78 % success and p95 4.1 s, by either definition of p95', () => {
    const [none] = flaky.reports as [HerdReport]
    // Three standard errors of a share of 0.78 over 20 runs in which some 25 bad periods of random length fall.
    expect(none.successRate.median).toBeGreaterThan(0.7)
    expect(none.successRate.median).toBeLessThan(0.84)
    // More than 5 % of the calls meet the attempt time-out of 4 s.
    expect(none.p95Ms.median).toBe(4_000)
    expect(none.asPublished.lastAttemptP95Ms.median).toBe(4_000)
  })

  test('where the model does not tell two strategies apart, it says so', () => {
    expect(orderOf(flaky, 'successRate', 'exponential', 'full-jitter')).toBeNull()
  })
})

describe('ten clients that start together', () => {
  let storm: HerdComparison
  beforeAll(async () => {
    storm = await compareHerd({ ...HERD_CASE, strategies: ['fixed', 'full-jitter'], runs: 20 })
  })

  test('fixed delays collapse where full jitter holds', () => {
    expect(orderOf(storm, 'successRate', 'fixed', 'full-jitter')).toBe('below')
  })

  test.each([
    [1, 4_000],
    [3, 4_000],
    [2, 15_000],
  ])('that does not hang on what was assumed: with room for %i, and an attempt time-out of %i ms', async (capacity, timeout) => {
    const setting = { ...HERD_CASE, server: { ...HERD_SERVER, capacity }, attemptTimeoutMs: timeout }
    const other = await compareHerd({ ...setting, strategies: ['fixed', 'full-jitter'], runs: 20 })
    expect(orderOf(other, 'successRate', 'fixed', 'full-jitter')).toBe('below')
  })

  test('p95 is no proof of it: the waits make it longer with full jitter, and the last attempts take alike', () => {
    expect(orderOf(storm, 'p95Ms', 'fixed', 'full-jitter')).toBe('below')
    expect(orderOf(storm, 'asPublished.lastAttemptP95Ms', 'fixed', 'full-jitter')).toBeNull()
    const told = storm.published.map(({ metric, published, here, reproduced }) => [metric, published, here, reproduced])
    expect(told).toEqual([
      ['successRate', 'below', 'below', true],
      ['p95Ms', 'above', 'below', false],
      ['asPublished.lastAttemptP95Ms', 'above', null, false],
    ])
  })

  test('fixed delays bring back everybody that was refused at once, jitter does not', async () => {
    const { reports } = await compareHerd({ ...HERD_CASE, strategies: ['fixed', 'full-jitter'], runs: 5 })
    // Two are served, two wait, six are refused in the first instant.
    expect(reports.map(({ secondWavePeak }) => secondWavePeak.median)).toEqual([6, 2])
  })

  test('the published definitions leave the waits out', async () => {
    const { p95Ms, asPublished } = await herd({ strategy: 'fixed', runs: 5 })
    // Four waits of 2 s are in one figure; the other is one attempt, which its time-out ends after 4 s.
    expect(p95Ms.median).toBeGreaterThan(8_000)
    expect(asPublished.lastAttemptP95Ms.median).toBeLessThanOrEqual(4_000)
  })
})

describe('load that stays after its trigger has gone', () => {
  test('retries without a budget keep the server down for as long as the load lasts', async () => {
    const { recoveryMs, recovered, wasted, successRate } = await herd({ ...METASTABLE_CASE, strategy: 'fixed', runs: 2 })
    expect(recoveryMs).toEqual({ median: Infinity, min: Infinity, max: Infinity })
    expect(recovered).toBe(0)
    // What it works on has been given up by those who asked for it.
    expect(wasted.min).toBeGreaterThan(0.9)
    expect(successRate.max).toBeLessThan(0.2)
  })

  test('with a retry budget the server recovers, although the load is the same', async () => {
    const { recoveryMs, recovered, successRate } = await herd({ ...METASTABLE_CASE, strategy: 'retry-budget', runs: 2 })
    expect(recovered).toBe(2)
    // The backlog of 2 s at 80 % of the capacity, and what comes in meanwhile, is worked off at 20 % of it: 2 * 0.8 / 0.2 = 8 s at least.
    expect(recoveryMs!.min).toBeGreaterThanOrEqual(8_000)
    expect(recoveryMs!.max).toBeLessThan(20_000)
    expect(successRate.min).toBeGreaterThan(0.8)
  })

  test('without the trigger the same retries do no harm', async () => {
    const { outage: _, ...server } = METASTABLE_CASE.server as HerdServer
    const { successRate, amplification, recoveryMs } = await herd({ ...METASTABLE_CASE, server, strategy: 'fixed', runs: 1 })
    expect([successRate.median, amplification.median, recoveryMs]).toEqual([1, 1, null])
  })
})

test('the same options give the same numbers, another seed gives others', async () => {
  const run = (seed: number) => herd({ strategy: 'full-jitter', runs: 2, seed })
  const first = await run(3)
  expect(await run(3)).toEqual(first)
  expect((await run(4)).figures).not.toEqual(first.figures)
})

test('over real sockets too the same seed gives the same numbers, on a machine that is idle or busy', async () => {
  const run = () => herd({ clients: 6, requestsEach: 4, strategy: 'full-jitter', transport: 'socket', runs: 1, seed: 5 })
  const idle = await run()
  const burner = new Worker('for (;;) {}', { eval: true })
  try {
    expect(await run()).toEqual(idle)
  } finally {
    await burner.terminate()
  }
})

test('strategies that do the same have the same numbers: no server sent a hint', async () => {
  const { reports } = await compareHerd({ strategies: ['full-jitter', 'retry-after'], runs: 3 })
  expect(reports[0]!.figures).toEqual(reports[1]!.figures)
})

test('a client that knows Retry-After comes back when it may, and not all at once', async () => {
  const server: HerdServer = { capacity: 100, serviceMs: 10, retryAfterS: 5, outage: { fromMs: 0, forMs: 1_000, answer: 429 } }
  const options = { clients: 50, requestsEach: 1, server, runs: 1 } as const
  const { figures, amplification, secondWavePeak } = await herd({ ...options, strategy: 'retry-after' })
  // Every client is refused once, at 0 ms, and comes back from 5 s on, spread over a second.
  expect(amplification.median).toBe(2)
  expect(figures[0]!.endedAtMs).toBeGreaterThanOrEqual(5_010)
  expect(figures[0]!.endedAtMs).toBeLessThanOrEqual(6_010)
  expect(secondWavePeak.median).toBeLessThan(50 / 4)
})

test('a breaker that is open sends nothing, and its calls fail as such', async () => {
  const server: HerdServer = { capacity: 10, serviceMs: 10, outage: { fromMs: 0, forMs: 600_000 } }
  const { upstream, errors } = await herd({
    clients: 1,
    requestsEach: 10,
    pauseMs: 500,
    server,
    strategy: 'circuit-breaker',
    runs: 1,
  })
  // Five failures in a row open it in the first call; later calls come within the 10 s of rest.
  expect(upstream.median).toBe(5)
  expect(errors).toEqual({ 'breaker open': 10 })
})

test('the error mix names what calls failed with', async () => {
  const errorsWith = async (answer: 503 | 429 | 'timeout' | 'reset') => {
    const server: HerdServer = { capacity: 1, serviceMs: 10, outage: { fromMs: 0, forMs: 600_000, answer } }
    return (await herd({ clients: 2, requestsEach: 2, server, strategy: 'none', runs: 1 })).errors
  }
  expect(await errorsWith(503)).toEqual({ 503: 4 })
  expect(await errorsWith(429)).toEqual({ 429: 4 })
  expect(await errorsWith('timeout')).toEqual({ timeout: 4 })
  expect(await errorsWith('reset')).toEqual({ reset: 4 })
})

test('the phases of an outage: the spike of failures, the pile-up of re-sends, the recovery', async () => {
  const server: HerdServer = { capacity: 10, serviceMs: 100, outage: { fromMs: 1_000, forMs: 3_000 } }
  const { phases, recoveryMs, timeline } = await herd({ clients: 5, requestsEach: 40, server, strategy: 'fixed', runs: 1 })
  // In step: a request every 200 ms, the one at 1 000 ms fails, re-sent at 3 000 (fails) and at 5 000 ms.
  expect(phases).toEqual([
    { name: 'spike', fromMs: 1_000, untilMs: 3_000, attempts: 5, resends: 0, answered: 0 },
    { name: 'pile-up', fromMs: 3_000, untilMs: 3_000, attempts: 0, resends: 0, answered: Number.NaN },
    { name: 'recovery', fromMs: 3_000, untilMs: 11_900, attempts: 180, resends: 10, answered: 175 / 180 },
  ])
  // The second that follows the outage at 4 s is empty, the next one is well.
  expect(recoveryMs).toEqual({ median: 1_000, min: 1_000, max: 1_000 })
  expect(timeline.slice(0, 6)).toEqual([
    { atMs: 0, firstTries: 25, resends: 0, answered: 25 },
    { atMs: 1_000, firstTries: 5, resends: 0, answered: 0 },
    { atMs: 2_000, firstTries: 0, resends: 0, answered: 0 },
    { atMs: 3_000, firstTries: 0, resends: 5, answered: 0 },
    { atMs: 4_000, firstTries: 0, resends: 0, answered: 0 },
    { atMs: 5_000, firstTries: 20, resends: 5, answered: 25 },
  ])
})

test('a server that comes back slowly takes longer to be well', async () => {
  const recovery = async (share: number | null) => {
    const outage = { fromMs: 2_000, forMs: 2_000, answer: 'stall' } as const
    const server: HerdServer = {
      capacity: 4,
      serviceMs: 100,
      outage,
      ...(share === null ? {} : { recovery: { forMs: 10_000, share } }),
    }
    const options = {
      clients: 10,
      requestsEach: 120,
      pauseMs: 500,
      loop: 'open',
      startOverMs: 500,
      attemptTimeoutMs: 1_000,
    } as const
    return (await herd({ ...options, server, strategy: 'retry-budget', runs: 1 })).recoveryMs!.median
  }
  expect(await recovery(0.3)).toBeGreaterThan(await recovery(null))
})

describe('a client of your own', () => {
  test.each(['fetch', 'socket'] as const)('takes the place of a strategy in one line (%s)', async (transport) => {
    const report = await herd({ client: (url, init) => fetch(url, init), transport, runs: 2 })
    // It never retries and has no time-out: what the strategy "none" sends, with another pause after what that gives up.
    expect(report.amplification.median).toBe(1)
    expect(report.upstream.median).toBe(200)
    expect(Object.keys(report.errors)).toEqual(['503'])
  })

  test('is created once for each member of the herd, and is told apart by it', async () => {
    let created = 0
    const client = {
      name: 'counting',
      form: 'stateful' as const,
      options: {},
      implementation: {
        create: ({ baseURL }: { readonly baseURL: string }) => ({ baseURL, number: ++created }),
        // Uses the base URL that it was created with: which call a request belongs to is found out by who has one under way.
        call: (instance: unknown) => fetch(`${(instance as { baseURL: string }).baseURL}/v1/generate`, { method: 'POST' }),
      },
    }
    const report = await herd({ clients: 4, requestsEach: 3, client, server: { capacity: 10, serviceMs: 10 }, runs: 1 })
    expect(created).toBe(4)
    expect([report.successRate.median, report.upstream.median, report.amplification.median]).toEqual([1, 12, 1])
  })

  test('that never settles is counted, not waited for', async () => {
    const client = async (url: string, init: RequestInit) => {
      await fetch(url, init)
      return new Promise<Response>(() => {})
    }
    const { errors, successRate } = await herd({
      clients: 3,
      requestsEach: 2,
      server: { capacity: 9, serviceMs: 10 },
      client,
      runs: 1,
    })
    expect(errors).toEqual({ unsettled: 3, 'not asked': 3 })
    expect(successRate.median).toBe(0)
  })

  test.each(['fetch', 'socket'] as const)(
    'without a time-out of its own has that of the platform: five minutes (%s)',
    async (transport) => {
      const server: HerdServer = { capacity: 10, serviceMs: 10, outage: { fromMs: 0, forMs: 1, answer: 'timeout' } }
      const { errors, figures } = await herd({ clients: 2, requestsEach: 1, server, client: fetch, transport, runs: 1 })
      expect(errors).toEqual({ timeout: 2 })
      // Node's fetch counts in steps of about a second.
      expect(figures[0]!.endedAtMs / 1_000).toBeCloseTo(300, -1)
    },
  )

  test('that does not call the url it is given is refused with the reason', async () => {
    const attempt = herd({ clients: 2, requestsEach: 1, client: async () => new Response('cached'), transport: 'fetch', runs: 1 })
    await expect(attempt).rejects.toThrow(ExperimentError)
    await expect(attempt).rejects.toThrow(/no request reached the experiment's server.*transport: 'socket'/)
  })
})

test('200 clients over real sockets do what they do without', async () => {
  const options = { clients: 200, requestsEach: 2, server: { ...HERD_SERVER, capacity: 60, queueLimit: 60 }, runs: 1 } as const
  const wire = await herd({ ...options, strategy: 'full-jitter', transport: 'socket' })
  expect(wire.upstream.median).toBeGreaterThanOrEqual(400)
  const memory = await herd({ ...options, strategy: 'full-jitter', transport: 'fetch' })
  expect(wire.successRate.median).toBeCloseTo(memory.successRate.median, 1)
})

test('ten times the clients on ten times the server make about ten times the requests', async () => {
  const requests = async (clients: number) => {
    const server = { ...HERD_SERVER, capacity: clients / 5, queueLimit: clients / 5 }
    return (await herd({ clients, requestsEach: 5, server, strategy: 'full-jitter', runs: 1 })).upstream.median
  }
  const ratio = (await requests(1_000)) / (await requests(100))
  // Each request is a fixed number of events, so cost grows as the requests do; a herd of 100 is noisier than one of 1 000.
  expect(ratio).toBeGreaterThan(8)
  expect(ratio).toBeLessThan(13)
})

test.each([
  [{ clients: 0 }, 'herd(options).clients: expected an integer >= 1, received 0'],
  [{ server: { capacity: 0, serviceMs: 1 } }, 'herd(options).server.capacity: expected an integer >= 1, received 0'],
  [
    { server: { capacity: 1 } },
    'herd(options).server.serviceMs: expected milliseconds >= 0 or { medianMs, p95Ms }, received undefined',
  ],
  [
    { server: { capacity: 1, serviceMs: { medianMs: 10, p95Ms: 5 } } },
    'herd(options).server.serviceMs.p95Ms: expected at least the median (10), received 5',
  ],
  [
    { server: { capacity: 1, serviceMs: 1, overload: 500 } },
    "herd(options).server.overload: expected 429, 503, 'timeout', 'reset', received 500",
  ],
  [
    { server: { capacity: 1, serviceMs: 1, outage: { fromMs: 0, forMs: 0 } } },
    'herd(options).server.outage.forMs: expected milliseconds > 0, received 0',
  ],
  [
    { server: { capacity: 1, serviceMs: 1, recovery: { forMs: 10, share: 0.5 } } },
    'herd(options).server.recovery: there is no outage to recover from; give outage as well',
  ],
  [{ loop: 'open', pauseMs: 0 }, 'herd(options).pauseMs: expected milliseconds > 0 for an open loop, received 0'],
  [{ client: fetch }, /^herd\(options\): give either strategy \('none', 'fixed',.*\) or client$/],
])('wrong options are refused by name: %j', async (wrong, message) => {
  const attempt = herd({ strategy: 'none', ...wrong } as Parameters<typeof herd>[0])
  await expect(attempt).rejects.toThrow(ExperimentOptionsError)
  await expect(attempt).rejects.toThrow(message)
})
