import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { fiveStage, fiveStageClient } from '../../fixtures/clients/sound/five-stage.js'
import type { ScheduleInput } from '../../src/schedule/model.js'
import { ClientSetupError, defineClient } from '../../src/trial/client.js'
import type { ClientInput, TrialOptions } from '../../src/trial/model.js'
import { runTrial } from '../../src/trial/run-trial.js'

const SCHEDULE: ScheduleInput = [{ status: 429, retryAfter: 1 }, 500, 200]
const once = (url: string, init: RequestInit) => fetch(url, init)

/** Repeats until the answer is no 429 or 5xx, waiting for the hint or 100 ms. */
async function patient(url: string, init: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init).catch((error: unknown) => error as Error)
    if (response instanceof Response) {
      if (response.status < 429) return response
      await response.arrayBuffer()
    }
    const seconds = response instanceof Response ? response.headers.get('retry-after') : null
    await new Promise((resolve) => setTimeout(resolve, seconds === null ? 100 : Number(seconds) * 1000))
  }
}

const listeners = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
const listenersBefore = listeners()
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve)) // a closed handle is listed until the loop comes round
  expect(listeners(), 'servers left listening').toBe(listenersBefore)
})

describe('the five-stage client', () => {
  test('plays 429, 500, 200 with a first gap of at least the hint, the same numbers in 20 runs', async () => {
    const first = await runTrial(fiveStage, SCHEDULE)
    expect(first.statuses).toEqual([429, 500, 200])
    expect(first.gapsMs[0]).toBeGreaterThanOrEqual(1000)
    expect(first.relapses).toBe(0)
    for (let run = 0; run < 20; run++) {
      const again = await runTrial(fiveStage, SCHEDULE)
      expect([again.statuses, again.gapsMs, again.settledAtMs]).toEqual([first.statuses, first.gapsMs, first.settledAtMs])
    }
  })

  test('another seed gives other waits', async () => {
    const gaps = new Set<unknown>()
    for (let seed = 1; seed <= 5; seed++) gaps.add((await runTrial(fiveStage, SCHEDULE, { seed })).gapsMs[1])
    expect(gaps.size).toBeGreaterThan(1)
  })

  test('the older JSON spelling plays the same', async () => {
    const older = readFileSync(new URL('../../fixtures/schedules/five-stage-older-spelling.json', import.meta.url), 'utf8')
    const { steps } = JSON.parse(older) as { steps: ScheduleInput }
    const [a, b] = [await runTrial(fiveStage, steps), await runTrial(fiveStage, SCHEDULE)]
    expect([a.statuses, a.gapsMs]).toEqual([b.statuses, b.gapsMs])
  })

  test('a slow success is lost, re-sent under the same key, applied once, and the caller gets the first result', async () => {
    const trial = await runTrial(fiveStageClient({ attemptTimeoutMs: 500 }), [{ status: 200, delayMs: 1500 }])
    const [first, ...later] = trial.attempts
    expect(first).toMatchObject({ result: 'hang-up', hungUpAtMs: 500, ledger: 'new', idempotencyKey: 'k-1' })
    expect(later.length).toBeGreaterThan(0)
    expect(later.every((attempt) => attempt.idempotencyKey === 'k-1')).toBe(true)
    expect(trial.ledger.applied).toBe(1)
    expect(trial.ledger.appliedUnder('k-1')).toBe(1)
    expect(trial.outcome).toMatchObject({ kind: 'resolved', status: 200 })
    expect((trial.outcome as unknown as { value: { data: unknown } }).value.data).toMatchObject({ attempt: 1, dedup: true })
  })
})

test('an hour of Retry-After passes exactly', async () => {
  const trial = await runTrial(patient, [{ status: 429, retryAfter: 3600 }, 200])
  expect(trial.gapsMs).toEqual([3_600_000])
  expect(trial.settledAtMs).toBe(3_600_000)
})

test('a month of it passes too, if the client sleeps in pieces', async () => {
  const pieces = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init)
    if (response.status !== 429) return response
    await response.arrayBuffer()
    for (let left = Number(response.headers.get('retry-after')); left > 0; left -= 86_400) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, 86_400) * 1000))
    }
    return fetch(url, init)
  }
  const trial = await runTrial(pieces, [{ status: 429, retryAfter: 2_500_000 }, 200], { maxVirtualMs: 3e9 })
  expect(trial.gapsMs).toEqual([2_500_000_000])
})

test('a gzip body is read at the instant it was sent, whatever the thread pool does', async () => {
  const body = gzipSync(Buffer.from(JSON.stringify({ text: 'x'.repeat(300_000) })))
  const trial = await runTrial(
    (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(50) }),
    [{ status: 200, headers: { 'content-encoding': 'gzip' }, body: new Uint8Array(body) }],
  )
  expect(trial.outcome).toMatchObject({ kind: 'resolved', status: 200 })
  expect((trial.outcome as { body: string }).body).toHaveLength(300_011)
  expect(trial.settledAtMs).toBe(0)
})

test('localhost resolves without time passing', async () => {
  const byName = (url: string, init: RequestInit) =>
    fetch(url.replace('127.0.0.1', 'localhost'), { ...init, signal: AbortSignal.timeout(5) })
  const trial = await runTrial(byName, [200])
  expect(trial.statuses).toEqual([200])
  expect(trial.settledAtMs).toBe(0)
})

describe('a client that never settles is reported with what is pending', () => {
  test('an answer that never comes, to a client without a time-out', async () => {
    const endless = defineClient('endless', ({ url, method, body }) => {
      return new Promise((resolve, reject) => request(url, { method }, resolve).on('error', reject).end(body))
    })
    const { outcome, statuses } = await runTrial(endless, ['hang'])
    expect(outcome).toMatchObject({ kind: 'unsettled', reason: 'deadlock' })
    expect(statuses).toEqual(['hang'])
    expect((outcome as unknown as { pending: string[] }).pending.join('\n')).toContain(
      'the server holds attempt 1 (POST /), unanswered since 0 ms',
    )
  })

  test('a promise that nobody resolves', async () => {
    const { outcome } = await runTrial(
      async (url, init) => {
        await fetch(url, init)
        await new Promise(() => undefined)
      },
      [200],
    )
    expect(outcome).toMatchObject({ kind: 'unsettled', reason: 'deadlock' })
  })

  test('a client that sends for ever is stopped by its requests, without an option', async () => {
    const { outcome, attempts } = await runTrial(patient, [503])
    expect(outcome).toMatchObject({ kind: 'unsettled', reason: 'runaway' })
    expect((outcome as unknown as { pending: string[] }).pending.join('\n')).toContain('more than 300 requests have come')
    expect(attempts.length).toBe(301)
  })

  test('a loop that never ends', async () => {
    const { outcome, attempts } = await runTrial(patient, [503], { maxEvents: 500 })
    expect(outcome).toMatchObject({ kind: 'unsettled', reason: 'runaway' })
    expect(attempts.length).toBeGreaterThan(100)
  })
})

describe('aborts', () => {
  const sleepy = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init)
    if (response.ok) return response
    await response.arrayBuffer()
    await new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, 10_000)
      init.signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(init.signal?.reason)
      })
    })
    return fetch(url, init)
  }
  test.each<[TrialOptions, ScheduleInput, number, number]>([
    [{ abortAtMs: 300 }, ['hang'], 1, 300],
    [{ abortAtMs: 300 }, [503, 200], 1, 300],
    [{ abort: 'before-call' }, [200], 0, 0],
    [{ abort: 'during-attempt' }, ['hang'], 1, 0],
    [{ abort: 'during-wait' }, [503, 200], 1, 0],
    [{ abort: 'during-body' }, [{ status: 200, bodyDelayMs: 5_000 }], 1, 0],
    [{ abort: { onAttempt: 2 } }, [503, { status: 200, delayMs: 5_000 }], 2, 10_000],
  ])('%o on %j', async (options, schedule, attempts, atMs) => {
    const trial = await runTrial(sleepy, schedule, options)
    expect(trial.attempts).toHaveLength(attempts)
    expect(trial.calls[0]).toMatchObject({ abortedAtMs: atMs, settledAtMs: atMs })
    expect(trial.outcome).toMatchObject({ kind: 'rejected', error: { name: 'AbortError' } })
    expect(trial.client.takesSignal).toBe(true)
  })
})

describe('several calls on one client', () => {
  test('in sequence, each with its own key and prefix', async () => {
    const trial = await runTrial(patient, [503, 200], { calls: 3 })
    expect(trial.attempts.map(({ call, idempotencyKey, result }) => [call, idempotencyKey, result])).toEqual([
      [0, 'k-1', 503],
      [0, 'k-1', 200],
      [1, 'k-2', 200],
      [2, 'k-3', 200],
    ])
    expect(trial.operations).toHaveLength(3)
  })

  test('in parallel, in one order', async () => {
    const runs = await Promise.all([1].map(() => runTrial(patient, [503, 503, 200], { calls: 4, concurrency: 4 })))
    const again = await runTrial(patient, [503, 503, 200], { calls: 4, concurrency: 4 })
    expect(runs[0]!.attempts.map(({ call, result }) => [call, result])).toEqual(
      again.attempts.map(({ call, result }) => [call, result]),
    )
    expect(again.calls.every(({ outcome }) => outcome.kind === 'resolved')).toBe(true)
  })

  test('a client made once for all calls: attempts find their call by key, or by being the only one', async () => {
    let made = 0
    let disposed = 0
    const client = defineClient('stateful', {
      create: ({ baseURL }) => ({ baseURL, id: ++made }),
      call: ({ baseURL }: { baseURL: string; id: number }, { method, headers, body, signal }) =>
        patient(`${baseURL}/orders`, { method, headers, body, signal }),
      dispose: () => {
        disposed++
      },
    })
    const trial = await runTrial(client, [503, 200], { calls: 2, concurrency: 2, call: { path: '/orders' } })
    expect(trial.attempts.map(({ call }) => call).sort()).toEqual([0, 0, 1].sort())
    expect([made, disposed]).toEqual([1, 1])
  })
})

describe('what says nothing about the client is thrown, not judged', () => {
  test.each<[string, ClientInput, string]>([
    ['nothing is sent', async () => 1, 'no request reached the server'],
    ['it fails before it sends', async () => Promise.reject(new Error('no config')), 'It failed with: Error: no config'],
    [
      'it refuses by a state that it kept from an earlier trial',
      async () => Promise.reject(new Error('circuit open')),
      "If it keeps state from one trial to the next (a breaker, a quota), let each trial make its own: defineClient('",
    ],
    [
      'it sends elsewhere',
      () => fetch('http://127.0.0.1:59999'),
      'It tried to connect to 127.0.0.1:59999, which is refused during a trial',
    ],
    [
      'the method is dropped',
      (url) => fetch(url),
      'the trial asked for POST, the server saw GET /: a bare function is called like fetch',
    ],
    [
      'the body is dropped',
      (url, init) => fetch(url, { ...init, body: undefined }),
      'the trial asked for a body of 15 bytes, every POST arrived without one',
    ],
    [
      'an adapter drops the body it read',
      defineClient('adapter', ({ url, method, body }) => fetch(url, { method, headers: { x: String(body) } })),
      "pass call.body on in defineClient('adapter', ({ url, body }) => ...)",
    ],
  ])('%s', async (_, client, message) => {
    const attempt = runTrial(client, [200])
    await expect(attempt).rejects.toThrow(ClientSetupError)
    await expect(attempt).rejects.toThrow(message)
  })

  test('but a re-send without the body of its first try is a finding, whatever the first try met', async () => {
    const stream = async (url: string, init: RequestInit) => {
      for (let body = init.body; ; body = '') {
        const response = await fetch(url, { ...init, body }).catch(() => null)
        if (response?.ok) return response
        await response?.arrayBuffer()
      }
    }
    for (const step of ['refuse', 'reset-early', 503] as const) {
      const trial = await runTrial(stream, [step, 200])
      expect(trial.attempts[1]?.body).toHaveLength(0)
    }
  })

  test('an adapter that makes its own request is not asked for ours', async () => {
    const sdk = defineClient('sdk', ({ baseURL }) => fetch(`${baseURL}/models`))
    expect((await runTrial(sdk, [200])).attempts[0]).toMatchObject({ method: 'GET', path: '/models' })
  })

  test('bad schedules and options, before anything listens', async () => {
    await expect(runTrial(once, [])).rejects.toThrow('schedule: expected at least one step, received []')
    await expect(runTrial(once, [200, 'explode' as never])).rejects.toThrow('schedule[1]')
    await expect(runTrial(once, [99])).rejects.toThrow('schedule[0]: expected an integer from 200 to 599')
    await expect(runTrial(once, [{ status: 200, delayMs: -1 }])).rejects.toThrow('schedule[0].delayMs')
    await expect(runTrial(7 as never, [200])).rejects.toThrow('expected a client')
    await expect(runTrial(once, [200], { calls: -1 })).rejects.toThrow('options.calls')
  })

  test('a trial inside a trial', async () => {
    const nested = async (url: string, init: RequestInit) => {
      await runTrial(once, [200])
      return fetch(url, init)
    }
    await expect(runTrial(nested, [200])).rejects.toThrow(/test\.concurrent/)
  })

  test('a dispose that fails is thrown under the name of the client', async () => {
    const client = defineClient('leaky', {
      create: () => null,
      call: (_state, { url, method, headers, body }) => fetch(url, { method, headers, body }),
      dispose: () => {
        throw new Error('still busy')
      },
    })
    await expect(runTrial(client, [200])).rejects.toThrow('leaky: dispose failed: still busy')
  })

  test('a create that fails is thrown under the name of the client', async () => {
    const broken = defineClient('broken', {
      create: () => {
        throw new Error('no licence')
      },
      call: () => 1,
    })
    await expect(runTrial(broken, [200])).rejects.toThrow('broken: create failed: no licence')
  })
})

describe('what is left behind is in the record', () => {
  test('a timer, an abort listener, a zombie, an unhandled rejection', async () => {
    const careless = async (url: string, init: RequestInit) => {
      setTimeout(function reminder() {
        void fetch(url, init).then((response) => response.arrayBuffer())
      }, 5_000)
      init.signal?.addEventListener('abort', function forgotten() {})
      void Promise.reject(new Error('nobody looks'))
      return fetch(url, init)
    }
    const { leftovers, attempts } = await runTrial(careless, [200])
    expect(leftovers.timers.filter((timer) => timer.byUserCode)).toMatchObject([
      { delayMs: 5_000, origin: expect.stringContaining('careless (run-trial.spec.ts') },
    ])
    expect(leftovers.abortListeners).toHaveLength(1)
    expect(leftovers.abortListeners[0]).toContain('careless')
    expect(leftovers.attempts).toEqual([2])
    expect(attempts[1]).toMatchObject({ arrivedAtMs: 5_000, afterSettling: true })
    expect(leftovers.unhandledRejections).toMatchObject([{ message: 'nobody looks' }])
  })

  test('a timer beyond what is watched ends with the trial, and wakes nobody in the next one', async () => {
    let hasFired = false
    const patientZombie = async (url: string, init: RequestInit) => {
      // What is watched after settling is two times two minutes: 5 ms of real time would be left.
      setTimeout(() => {
        hasFired = true
      }, 240_005)
      return fetch(url, init)
    }
    const { leftovers } = await runTrial(patientZombie, [200])
    expect(leftovers.timers.some(({ delayMs, byUserCode }) => delayMs === 240_005 && byUserCode)).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(hasFired).toBe(false)
  })

  test('an answer that nobody reads, larger than what its stream takes', async () => {
    const body = 'x'.repeat(2 ** 20)
    const deaf = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init)
      if (!response.ok) throw new Error(`HTTP ${response.status}`)
      return response
    }
    expect((await runTrial(deaf, [{ status: 503, body }])).leftovers.unreadAnswers).toEqual([1])
    expect((await runTrial(once, [{ status: 503, body }])).leftovers.unreadAnswers).toEqual([])
  })

  test('a clean client leaves nothing', async () => {
    const { leftovers } = await runTrial(once, [200])
    expect(leftovers).toMatchObject({ attempts: [], abortListeners: [], unreadAnswers: [], unhandledRejections: [] })
    expect(leftovers.timers.filter((timer) => timer.byUserCode)).toEqual([])
  })
})

test('the caller settles when the body has been read, not when the headers came', async () => {
  const trial = await runTrial(once, [{ status: 200, bodyDelayMs: 700 }])
  expect(trial.settledAtMs).toBe(700)
  const broken = await runTrial(once, ['reset-body'])
  expect(broken.outcome).toMatchObject({ kind: 'rejected', phase: 'body' })
})

test('a call whose only attempt was refused has the method and path that it was asked for', async () => {
  const trial = await runTrial(once, ['refuse'], { call: { method: 'GET', path: '/v1/orders' } })
  expect(trial.attempts).toMatchObject([{ method: 'GET', path: '/v1/orders', result: 'refuse', call: 0 }])
  expect(trial.operations).toEqual([{ call: 0, method: 'GET', path: '/v1/orders', attempts: [1] }])
})

test('unplayed steps are named', async () => {
  const trial = await runTrial(once, [503, 'reset', 200])
  expect(trial.unplayed).toEqual([{ fault: 'reset' }, { status: 200 }])
})

test('on the real clock the same record comes out, with lower bounds only', async () => {
  const trial = await runTrial(patient, [{ status: 503 }, 200], { clock: 'real' })
  expect(trial.statuses).toEqual([503, 200])
  expect(trial.gapsMs[0]).toBeGreaterThanOrEqual(99)
})
