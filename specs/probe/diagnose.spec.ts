import { expect, test } from 'vitest'
import { diagnose, probe, readHar, readTraces, TracesError } from '../../src/probe/index.js'
import { renderDecisionTable } from '../../src/report/decision-table.js'
import type { Trial } from '../../src/trace/model.js'
import { trialOf } from '../support/make-trial.js'
import { endpoint, json, retrying } from './support.js'

const ids = (trials: readonly Trial[]) => diagnose(trials).rows.map(({ id }) => id)
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))
const fine = () => trialOf({ attempts: [{ status: 200 }] })

// The five kinds of endpoint of the story, in real time, with a probe.

test('an endpoint that is always well: the path is clean, and nothing was learned', async () => {
  await using well = await endpoint((_request, response) => json(response, 200, {}))
  const { trials } = await probe(fetch, { baseURL: well.url, runs: 3 })
  expect(diagnose(trials).rows).toMatchObject([{ id: 'untested-path', kind: 'info', count: 3, of: 3, fewRuns: true }])
})

test('an endpoint that limits the rate: lower the concurrency', async () => {
  await using limited = await endpoint((_request, response, nth) =>
    nth % 2 === 1 ? json(response, 429, {}, { 'retry-after': '0' }) : json(response, 200, {}),
  )
  const { trials } = await probe(retrying(2), { baseURL: limited.url, runs: 3 })
  expect(diagnose(trials).rows).toMatchObject([
    { id: 'above-rate', count: 3, of: 3, action: expect.stringContaining('do not shorten the backoff') },
  ])
})

test('an endpoint that is slower than the time-out of the client', async () => {
  await using slow = await endpoint((_request, response) => setTimeout(() => json(response, 200, {}), 5_000))
  const once = (url: string, init: RequestInit) => fetch(url, { ...init, signal: AbortSignal.timeout(60) })
  // A busy machine fires some of the timers late; of twelve, three within 50 ms of each other are enough.
  const { trials } = await probe(once, { baseURL: slow.url, runs: 12 })
  const [row] = diagnose(trials).rows
  expect(row).toMatchObject({ id: 'timeout-below-latency', of: 12, action: expect.stringContaining('raise the time-out') })
  expect(row!.count).toBeGreaterThanOrEqual(3)
})

test('an endpoint that recognises keys: the key is load-bearing', async () => {
  const known = new Set<unknown>()
  await using dedup = await endpoint((request, response) => {
    const key = request.headers['idempotency-key']
    if (known.has(key)) json(response, 200, { dedup: true })
    else {
      known.add(key)
      request.socket.resetAndDestroy()
    }
  })
  const { trials } = await probe(retrying(2), { baseURL: dedup.url, runs: 3 })
  expect(diagnose(trials).rows).toMatchObject([{ id: 'dedup-answers', count: 3, of: 3 }])
})

test('an endpoint that is down for longer than the deadline: the budget does not add up', async () => {
  await using down = await endpoint((_request, response) => json(response, 503, {}))
  const { trials } = await probe(retrying(4, { waitMs: 40 }), { baseURL: down.url, runs: 3, deadlineMs: 70 })
  expect(ids(trials)).toEqual(['deadline-met'])
})

// The other rows, from hand-made traces.

test('a hint that was ignored, and a permanent answer that was retried, are faults of the client', () => {
  const early = trialOf({
    attempts: [
      { status: 429, headers: { 'Retry-After': '30' } },
      { at: 500, status: 200 },
    ],
  })
  const stubborn = trialOf({ attempts: [{ status: 404 }, { at: 500, status: 404 }] })
  expect(diagnose([early, stubborn, fine()]).rows).toMatchObject([
    {
      id: 'hint-ignored',
      kind: 'broken',
      count: 1,
      of: 3,
      evidence: 'call 1: attempt 2 came 500 ms after a 429 that asked for 30 s',
    },
    {
      id: 'permanent-retried',
      kind: 'broken',
      count: 1,
      of: 3,
      evidence: 'call 2: attempt 2 repeated the POST 500 ms after a 404',
    },
  ])
})

test('more attempts than one layer makes point to a hidden layer', () => {
  const sixteen = trialOf({ attempts: times(16, (n) => ({ at: n * 1000, status: 503 })) })
  expect(diagnose([sixteen]).rows).toMatchObject([
    { id: 'hidden-layer', evidence: expect.stringContaining('one call became 16 requests') },
  ])
  expect(ids([trialOf({ attempts: times(5, (n) => ({ at: n * 1000, status: 503 })) })])).toEqual([])
  const counted = trialOf({
    attempts: times(4, (n) => ({ at: n * 1000, status: 503, requestHeaders: { 'x-stainless-retry-count': String(n % 2) } })),
  })
  expect(diagnose([counted]).rows).toMatchObject([{ id: 'hidden-layer', evidence: expect.stringContaining('count anew') }])
  expect(
    diagnose([trialOf({ attempts: times(4, (n) => ({ at: n * 1000, status: 503 })) })], { maxAttempts: 3 }).rows,
  ).toHaveLength(1)
})

test('a limit without a hint has a row of its own, and half of the calls are not most of them', () => {
  const limited = trialOf({ attempts: [{ status: 429 }, { at: 500, status: 200 }] })
  expect(ids([limited, limited, fine()])).toEqual(['limit-without-hint'])
  expect(ids([limited, fine()])).toEqual([])
})

test('time-outs at different durations are no pattern, nor are two of them', () => {
  const timeOut = (afterMs: number) => trialOf({ attempts: [{ hungUpAt: afterMs }] })
  expect(ids([1000, 1050, 990].map(timeOut))).toEqual(['timeout-below-latency'])
  expect(ids([1000, 1050].map(timeOut))).toEqual([])
  expect(ids([1000, 2000, 4000].map(timeOut))).toEqual([])
})

test('a queue that grows while the answers are as fast as ever', () => {
  const queue = (waits: readonly number[], latency: (n: number) => number) =>
    trialOf({
      attempts: waits.map((at, call) => ({ call, at, status: 200, endedAt: at + latency(call) })),
      calls: waits.map((at, n) => ({ startedAt: 0, settledAt: at + latency(n) })),
    })
  const growing = times(9, (n) => n * 100)
  expect(ids([queue(growing, () => 40)])).toContain('queue-growth')
  // Answers that slow down explain the wait themselves.
  expect(ids([queue(growing, (n) => 40 + n * 20)])).not.toContain('queue-growth')
  expect(
    ids([
      queue(
        times(9, () => 5),
        () => 40,
      ),
    ]),
  ).not.toContain('queue-growth')
  expect(ids([queue(growing.slice(0, 8), () => 40)])).not.toContain('queue-growth')
})

test('rows say when they rest on too few calls', () => {
  expect(diagnose(times(19, fine)).rows[0]!.fewRuns).toBe(true)
  expect(diagnose(times(20, fine)).rows[0]!.fewRuns).toBe(false)
})

test('attempts of a trace without callers are put together by key, then by request', () => {
  const seen = trialOf({
    attempts: [
      { status: 503, key: 'a' },
      { at: 100, status: 200, key: 'b' },
      { at: 200, status: 200, key: 'a' },
      { at: 300, status: 503, key: null },
      { at: 400, status: 200, key: null },
      { at: 500, status: 200, key: null },
    ],
    record: { calls: [] },
  })
  expect(diagnose([seen])).toMatchObject({ runs: 4, attempts: 6 })
})

test('what is no trial is named', () => {
  expect(() => diagnose(null as never)).toThrow('diagnose(trials): expected a list of trials, received null')
  expect(() => diagnose([{ a: 1 }] as never)).toThrow('diagnose(trials)[0]: expected a trial, as from runTrial, probe, serve or')
  expect(() => readTraces('{"log":{}}', 'a.har')).toThrow('a.har: har.log.entries: ')
  expect(() => readTraces('{"trials":[{}]}', 'a.json')).toThrow('a.json: trace.format: ')
  expect(() => readTraces('{"event":"listening"}\n{"event":"attempt"}', 'a.json')).toThrow('come with its last line')
})

test('the table is text or Markdown, or says that there is nothing to decide', () => {
  const table = diagnose([trialOf({ attempts: [{ status: 404 }, { at: 500, status: 404 }] })])
  expect(renderDecisionTable(table)).toBe(
    [
      '1 call, 2 attempts',
      '',
      '✗ 1 of 1 call: the client repeated a request whose answer will not change',
      '    means   permanent errors are retried: each costs several requests and keeps everything behind it waiting',
      '    do      classify by status and by the machine-readable code, and give up at the first permanent answer',
      '    seen    call 1: attempt 2 repeated the POST 500 ms after a 404',
      '    beware  rests on 1 call: 20 are needed before it is a pattern',
    ].join('\n'),
  )
  expect(renderDecisionTable(table, { format: 'markdown' }).split('\n')[2]).toMatch(
    /^\| the client repeated .* \| 1 of 1 call \(too few\) \|/,
  )
  expect(renderDecisionTable(table, { ascii: true })).toMatch(/^[ -~\n]+$/)
  expect(renderDecisionTable({ rows: [], runs: 1, attempts: 2 })).toBe('1 call, 2 attempts: nothing that asks for a decision')
})

const harEntry = (startedAt: string, status: number, more: object = {}, retryAfter?: string) => ({
  startedDateTime: `2026-01-01T00:00:${startedAt}Z`,
  time: 40,
  request: { method: 'GET', url: 'https://api.example.com/v1/list', headers: [] },
  response: { status, headers: retryAfter === undefined ? [] : [{ name: 'Retry-After', value: retryAfter }], ...more },
  timings: { send: 0, wait: 30, receive: 10 },
})

test('a HAR file is a trace like any other', () => {
  const log = {
    entries: [
      harEntry('00.000', 429, {}, '10'),
      harEntry('01.000', 0, { _error: 'net::ERR_CONNECTION_RESET' }),
      harEntry('02.500', 200),
    ],
  }
  const [trial] = readHar({ log })
  expect(trial!.statuses).toEqual([429, 'reset', 200])
  expect(trial!.attempts.map(({ arrivedAtMs, endedAtMs }) => [arrivedAtMs, endedAtMs])).toEqual([
    [0, 40],
    [1000, 1040],
    [2500, 2540],
  ])
  expect(diagnose([trial!]).rows.map(({ id }) => id)).toEqual(['hint-ignored', 'above-rate'])
  expect(() => readHar({ log: { entries: [{ startedDateTime: 'yesterday' }] } })).toThrow(
    'har.log.entries[0].startedDateTime: expected a date',
  )
})

test('traces are read in each form that is written', () => {
  const trial = fine()
  const forms = [
    JSON.stringify(trial),
    JSON.stringify([trial]),
    JSON.stringify({ format: 'retrial-probe', version: 1, trials: [trial] }),
    [{ event: 'listening' }, { event: 'end', trials: [trial] }].map((line) => JSON.stringify(line)).join('\n'),
    JSON.stringify({ log: { entries: [harEntry('00.000', 200)] } }),
  ]
  expect(forms.map((form) => readTraces(form).map(({ statuses }) => statuses))).toEqual(forms.map(() => [[200]]))
  expect(() => readTraces('nonsense', 'file.json')).toThrow(TracesError)
  expect(() => readTraces('{"a":1}', 'file.json')).toThrow(/^file\.json: expected a saved trial, a list of them/)
  expect(() => readTraces('{"trials":[]}', 'file.json')).toThrow('file.json: there is no trace in it')
})
