import { describe, expect, test } from 'vitest'
import type { ScheduledRequest, ScheduleFunction } from '../../src/schedule/model.js'
import { parseStep } from '../../src/schedule/parse.js'
import { byKey, byRoute, concurrencyCap, outage, tokenBucket } from '../../src/schedule/scripts/index.js'
import { runTrial } from '../../src/trial/run-trial.js'

type Sketch = Partial<ScheduledRequest>

/** Plays requests one after the other, as the server does. */
function play(choose: ScheduleFunction, sketches: readonly Sketch[]): unknown[] {
  const history: ScheduledRequest[] = []
  return sketches.map((sketch, index) => {
    const request: ScheduledRequest = {
      attempt: index + 1,
      call: 0,
      method: 'POST',
      path: '/',
      headers: {},
      body: '',
      idempotencyKey: null,
      arrivedAtMs: 0,
      ...sketch,
    }
    const step = parseStep(choose(request, history))
    history.push(request)
    return 'status' in step ? step.status : step.fault
  })
}

describe('byRoute', () => {
  const routes = byRoute({ 'GET /models': [500, 200], '/v1/*': ['reset', 201], '/exact': [503] })

  test('each route plays its own script', () => {
    const requests = [
      { method: 'GET', path: '/models' },
      { path: '/v1/chat' },
      { method: 'GET', path: '/models?page=2' },
      { path: '/v1/x' },
    ]
    expect(play(routes, requests)).toEqual([500, 'reset', 200, 201])
    expect(play(routes, [{ path: '/models' }, { path: '/exact/more' }, { path: '/exact' }])).toEqual([404, 404, 503])
  })

  test('a new trial begins all of them anew', () => {
    expect(play(routes, [{ path: '/v1/chat' }])).toEqual(['reset'])
    expect(play(routes, [{ path: '/v1/chat' }])).toEqual(['reset'])
  })

  test('a script that cannot be played is refused before anything starts', () => {
    expect(() => byRoute({ '/a': [99] })).toThrow('byRoute["/a"][0]: expected an integer from 200 to 599')
  })
})

test('byKey gives every key a run of its own', () => {
  const requests = [{ idempotencyKey: 'a' }, { idempotencyKey: 'b' }, { idempotencyKey: 'a' }, {}, {}]
  expect(play(byKey([503, 200]), requests)).toEqual([503, 503, 200, 503, 200])
})

describe('tokenBucket', () => {
  test('lets the burst through, then one for each token', () => {
    const bucket = tokenBucket({ capacity: 2, refillPerSecond: 1 })
    const at = (arrivedAtMs: number) => ({ arrivedAtMs })
    // At 500 ms half a token is there; at 1000 a whole one, which is taken; at 1999 not quite the next.
    expect(play(bucket, [at(0), at(0), at(0), at(500), at(1000), at(1999), at(2000)])).toEqual([
      200, 200, 429, 429, 200, 429, 200,
    ])
  })

  test('says how many whole seconds are left', () => {
    const bucket = tokenBucket({ capacity: 1, refillPerSecond: 0.25 })
    const request = { attempt: 1, call: 0, method: 'GET', path: '/', headers: {}, body: '', idempotencyKey: null, arrivedAtMs: 0 }
    bucket(request, [])
    expect(bucket(request, [request])).toEqual({ status: 429, retryAfter: 4 })
  })

  test.each([
    [{ capacity: 0, refillPerSecond: 1 }, 'tokenBucket.capacity: expected a number of at least 1, received 0'],
    [{ capacity: 1, refillPerSecond: Number.NaN }, 'tokenBucket.refillPerSecond: expected a number of at least'],
    [{ capacity: 1, refillPerSecond: 1, limited: 'no' as never }, 'tokenBucket.limited'],
  ])('%o is refused', (options, message) => {
    expect(() => tokenBucket(options)).toThrow(message)
  })
})

test('concurrencyCap turns away what comes while it is full', () => {
  const cap = concurrencyCap({ max: 2, serviceMs: 100, overload: { status: 429, retryAfter: 1 } })
  expect(
    play(
      cap,
      [0, 0, 50, 99, 100].map((arrivedAtMs) => ({ arrivedAtMs })),
    ),
  ).toEqual([200, 200, 429, 429, 200])
})

test('outage is met by everybody who comes in its window', () => {
  const times = [0, 999, 1000, 2999, 3000].map((arrivedAtMs) => ({ arrivedAtMs }))
  expect(play(outage({ fromMs: 1000, forMs: 2000, answer: 'reset', otherwise: [200, 204] }), times)).toEqual([
    200,
    204,
    'reset',
    'reset',
    204,
  ])
})

test('several callers share one limit, over the wire', async () => {
  const patient = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init)
    if (response.status !== 429) return response
    await response.arrayBuffer()
    await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('retry-after')) * 1000))
    return patient(url, init)
  }
  const trial = await runTrial(patient, tokenBucket({ capacity: 1, refillPerSecond: 1 }), { calls: 3, concurrency: 3 })
  expect(trial.calls.every(({ outcome }) => outcome.kind === 'resolved')).toBe(true)
  // One token at 0, 1 and 2 s; whoever lost the race at 1 s waits for another whole second.
  expect(trial.settledAtMs).toBe(2000)
})

test('a key is forgotten after its time, so that late re-sends are new work', async () => {
  const late = async (url: string, init: RequestInit) => {
    await fetch(url, init).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    return fetch(url, init)
  }
  const lost = [{ fault: 'reset', apply: true } as const, 200]
  const again = await runTrial(late, lost, { keyExpiryMs: 5_000 })
  expect(again.ledger.applied).toBe(2)
  expect(again.timeline()).toMatch(/#2 ← 200 +applied again: the key had expired\n/)
  expect((await runTrial(late, lost, { keyExpiryMs: 5_001 })).ledger.applied).toBe(1)
})
