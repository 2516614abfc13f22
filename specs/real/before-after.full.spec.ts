import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { REAL_CLIENTS } from '../../fixtures/clients/real/index.js'
import { SPECIMENS } from '../../fixtures/clients/real/specimens.js'
import type { Contract } from '../../src/guarantees/contract.js'
import { judge } from '../../src/guarantees/judge.js'
import type { GuaranteeId, VerdictKind } from '../../src/guarantees/model.js'
import type { ScheduleInput } from '../../src/schedule/model.js'
import type { Trial } from '../../src/trace/model.js'
import type { TrialOptions } from '../../src/trial/model.js'
import { runTrial } from '../../src/trial/run-trial.js'

const DAY_MS = 86_400_000

interface Play {
  readonly schedule: ScheduleInput
  readonly options?: TrialOptions
  readonly timeoutMs?: number
}

async function trialOf(id: string, { schedule, options, timeoutMs }: Play): Promise<Trial> {
  const client = [...REAL_CLIENTS, ...SPECIMENS].find((one) => one.id === id)!
  return runTrial((await client.load())({ timeoutMs }), schedule, {
    call: { method: 'GET' },
    maxVirtualMs: 100 * DAY_MS,
    ...options,
  })
}

const verdictOf = (trials: Trial | Trial[], guarantee: GuaranteeId, contract: Contract = {}): VerdictKind =>
  judge(trials, contract, [guarantee])[0]!.kind

/** 2^31 ms and a little, in seconds: a timer that is given it fires after 1 ms. */
const overflow: Play = { schedule: [{ status: 429, retryAfter: 2_147_484 }, 200] }
const unreadable: Play = { schedule: [{ status: 429, retryAfter: 'abc' }, 200] }
const withoutHint: Play = { schedule: [429, 200] }

// The same schedule, the client with the published bug and one without: red on the left, green on the right.
describe.skipIf(!existsSync(new URL('../../fixtures/clients/real/node_modules', import.meta.url)))('published bugs', () => {
  test.each<[string, VerdictKind]>([
    ['got', 'fail'],
    ['openai', 'fail'],
    ['axios-retry-exp', 'fail'],
    ['retry-axios-uncapped', 'fail'],
    ['undici-retryagent-uncapped', 'fail'],
    // It gives up on such a hint, which is no fail: nothing came early.
    ['got-16', 'inconclusive'],
  ])('a hint longer than a timer holds: %s %s', async (id, expected) => {
    expect(verdictOf(await trialOf(id, overflow), 'hint')).toBe(expected)
  })

  describe.each(['ky', 'ky-2'])('%s cuts every wait down to what a timer holds', (id) => {
    const asking = (retryAfter: number) => trialOf(id, { schedule: [{ status: 429, retryAfter }, 200] })

    test('so that of 2147484 s the 353 ms are missing that 2^31-1 ms are short of it', async () => {
      const trial = await asking(2_147_484)
      expect(trial.gapsMs).toEqual([2 ** 31 - 1])
      expect(2_147_484_000 - trial.gapsMs[0]!).toBe(353)
      expect(verdictOf(trial, 'hint')).toBe('fail')
    })

    test('of 3000000 s ten days', async () => {
      expect((await asking(3_000_000)).gapsMs).toEqual([2 ** 31 - 1])
    })

    test('and of 2147483 s, which a timer holds, nothing', async () => {
      const trial = await asking(2_147_483)
      expect(trial.gapsMs).toEqual([2_147_483_000])
      expect(trial.timerOverflows).toEqual([])
      expect(verdictOf(trial, 'hint')).toBe('pass')
    })
  })

  test.each<[string, VerdictKind]>([
    // It waits for ever: 24.8 days are what a timer holds.
    ['ky', 'fail'],
    ['openai', 'fail'],
    ['got', 'pass'],
    ['undici-retryagent', 'pass'],
    ['ky-2', 'pass'],
    ['openai-7', 'pass'],
  ])('a hint that cannot be read, against the same client without it: %s %s', async (id, expected) => {
    const twins = [await trialOf(id, unreadable), await trialOf(id, withoutHint)]
    expect(verdictOf(twins, 'hint')).toBe(expected)
  })

  test.each<[string, 'fail' | 'pass']>([
    ['shopify-graphql', 'fail'],
    ['ky-post', 'pass'],
    ['openai', 'pass'],
  ])('seconds slept as milliseconds: %s %s', async (id, expected) => {
    const trial = await trialOf(id, { schedule: [{ status: 429, retryAfter: 2 }, 200], options: { call: { method: 'POST' } } })
    expect(verdictOf(trial, 'hint')).toBe(expected)
  })

  test.each(['got', 'ky', 'undici-retryagent', 'axios-retry', 'retry-axios'])('the same, GET: %s waits', async (id) => {
    expect(verdictOf(await trialOf(id, { schedule: [{ status: 429, retryAfter: 2 }, 200] }), 'hint')).toBe('pass')
  })

  test.each(['got', 'ky', 'openai', 'axios-retry', 'retry-axios', 'undici-retryagent'])(
    'a date in each of its three spellings: %s waits',
    async (id) => {
      for (const form of ['imf', 'rfc850', 'asctime'] as const) {
        const trial = await trialOf(id, { schedule: [{ status: 429, retryAfter: { date: 2, form } }, 200] })
        expect(trial.gapsMs[0]).toBeGreaterThanOrEqual(1_000)
        expect(verdictOf([trial, await trialOf(id, { schedule: [{ status: 429, retryAfter: 2 }, 200] })], 'hint')).toBe('pass')
      }
    },
  )

  test.each<[string, number]>([
    // Zero was its word for "no hint": the own wait of a second, 62 ms of noise with this seed.
    ['got', 1_062],
    ['got-16', 1],
    ['ky', 1],
  ])('no seconds at all: %s comes back after %i ms', async (id, gapMs) => {
    const trial = await trialOf(id, { schedule: [{ status: 503, retryAfter: 0 }, 200] })
    expect(trial.gapsMs[0]).toBeLessThanOrEqual(gapMs)
    expect(trial.gapsMs[0]).toBeGreaterThanOrEqual(gapMs - 1)
  })

  test.each<[string, VerdictKind]>([
    ['got', 'fail'],
    ['ky', 'fail'],
    ['openai', 'fail'],
    ['got-16', 'pass'],
    ['ky-2', 'pass'],
    ['openai-7', 'pass'],
  ])('a negative number read as a year: %s %s', async (id, expected) => {
    const twins = [await trialOf(id, { schedule: [{ status: 429, retryAfter: '-3' }, 200] }), await trialOf(id, withoutHint)]
    expect(verdictOf(twins, 'hint')).toBe(expected)
  })

  test('above its cap, a hint is taken for none: stripe 0.5 s instead of 70, openai 7 the same instead of 600', async () => {
    const asked = { status: 429, retryAfter: 70, headers: { 'Stripe-Should-Retry': 'true' } }
    const stripe = await trialOf('stripe', { schedule: [asked, 200] })
    expect([stripe.gapsMs, verdictOf(stripe, 'hint')]).toEqual([[500], 'fail'])
    const openai = await trialOf('openai-7', { schedule: [{ status: 429, retryAfter: 600 }, 200] })
    expect(openai.gapsMs[0]).toBeLessThanOrEqual(500)
    expect(verdictOf(openai, 'hint')).toBe('fail')
  })

  test('a timeout that takes the retries with it: ofetch sends one request of four', async () => {
    const slow: Play = { schedule: [{ status: 200, delayMs: 300 }], timeoutMs: 100 }
    expect((await trialOf('ofetch-retry-3', slow)).attempts).toHaveLength(1)
    expect((await trialOf('ky-post', slow)).attempts).toHaveLength(3)
  })

  test.each<[string, 'fail' | 'pass', number]>([
    ['octokit-retries-set', 'fail', 4],
    ['octokit-retry', 'pass', 1],
  ])('a number of retries that switches off the classification: %s %s', async (id, expected, attempts) => {
    const trial = await trialOf(id, { schedule: [404] })
    expect([verdictOf(trial, 'permanence'), trial.attempts.length]).toEqual([expected, attempts])
  })

  describe('a body that can be read once, 503 > 200', () => {
    const put = (id: string) => trialOf(id, { schedule: [503, 200], options: { call: { method: 'PUT', body: 'hello' } } })
    const sent = ({ attempts }: Trial) => attempts.map(({ body }) => Buffer.from(body).toString())

    test('axios-retry sends it empty the second time and resolves', async () => {
      const trial = await put('axios-retry-stream')
      expect([verdictOf(trial, 'body'), sent(trial), trial.outcome.kind]).toEqual(['fail', ['hello', ''], 'resolved'])
    })

    test.each(['got-stream', 'undici-stream'])('%s refuses', async (id) => {
      const trial = await put(id)
      expect([verdictOf(trial, 'body'), sent(trial), trial.outcome.kind]).toEqual(['inconclusive', ['hello'], 'rejected'])
    })

    test('ky keeps it for the second time', async () => {
      const trial = await put('ky-stream')
      expect([verdictOf(trial, 'body'), sent(trial), trial.outcome.kind]).toEqual(['pass', ['hello', 'hello'], 'resolved'])
    })
  })

  test.each<[string, VerdictKind]>([
    ['56789EXTRA', 'fail'],
    ['56789', 'pass'],
  ])('undici resumes a download with %s for the bytes 5 to 9 of 10: %s', async (answer, expected) => {
    const etag = '"v1"'
    // In chunks: where the answer names its length, undici compares it.
    const headers = { etag, 'content-range': 'bytes 5-9/10', 'transfer-encoding': 'chunked' }
    const first = { status: 200, headers: { etag }, body: '0123456789', truncate: 'length' } as const
    const trial = await trialOf('undici-text', { schedule: [first, { status: 206, headers, body: answer }] })
    expect(trial.attempts[1]!.headers.range).toBe('bytes=5-9')
    expect(trial.outcome).toMatchObject({ kind: 'resolved', value: `01234${answer}` })
    expect(verdictOf(trial, 'intact')).toBe(expected)
  })

  test('a maximum left undefined: retry comes back after 1 ms instead of 800', async () => {
    const trial = await trialOf('retry', { schedule: [503, 200] })
    expect(trial.gapsMs).toEqual([1])
    expect(trial.timerOverflows).toMatchObject([{ requestedMs: Number.NaN }])
    expect(verdictOf(trial, 'backoff', { backoff: { baseMs: 800, factor: 2 } })).toBe('fail')
  })

  test('a first wait that a timer does not hold: p-retry comes back after 1 ms instead of 24.9 days', async () => {
    const trial = await trialOf('p-retry-long', { schedule: [503, 200] })
    expect(trial.gapsMs).toEqual([1])
    expect(verdictOf(trial, 'backoff', { backoff: { baseMs: 2 ** 31 } })).toBe('fail')
  })

  // The time-out is a second for each attempt: with the retries that got and openai make, 8 s are the time to have given up by.
  test.each<[string, number, 'fail' | 'pass']>([
    ['openai', 8000, 'fail'],
    ['ky', 1500, 'fail'],
    ['ofetch', 1500, 'fail'],
    ['openai-7', 8000, 'pass'],
    ['ky-2', 1500, 'pass'],
    ['got', 8000, 'pass'],
    ['axios', 1500, 'pass'],
  ])('a timer cleared when the headers arrive, and a body that stalls: %s, %i ms: %s', async (id, deadlineMs, expected) => {
    const stalled: Play = { schedule: [{ status: 200, stall: 'body' }], timeoutMs: 1000, options: { maxVirtualMs: 60_000 } }
    expect(verdictOf(await trialOf(id, stalled), 'deadline', { deadlineMs })).toBe(expected)
  })

  test.each<[string, 'fail' | 'pass']>([
    // "including any retries", says the documentation of its timeout, but every attempt has a second of its own.
    ['ky', 'fail'],
    ['ky-2-total', 'pass'],
  ])('a total that starts anew with every attempt: %s %s', async (id, expected) => {
    const failing: Play = { schedule: [{ status: 500, delayMs: 700 }], timeoutMs: 1000 }
    expect(verdictOf(await trialOf(id, failing), 'deadline', { deadlineMs: 1000 })).toBe(expected)
  })

  test('no retries that retry once: stripe sends a POST twice, under one key', async () => {
    const trial = await trialOf('stripe-0-retries', { schedule: ['reset', 200], options: { call: { method: 'POST' } } })
    expect(trial.statuses).toEqual(['reset', 200])
    expect(verdictOf(trial, 'attempts', { maxAttempts: 1 })).toBe('fail')
    expect(verdictOf(trial, 'key')).toBe('pass')
  })

  test.each<[string, 'fail' | 'pass']>([
    ['axios-retry', 'fail'],
    ['fetch-retry-on', 'fail'],
    ['openai', 'fail'],
    ['openai-7', 'fail'],
    ['octokit-retry', 'fail'],
    ['ky', 'pass'],
    ['got', 'pass'],
  ])('a POST without a key after its work was done and the answer lost: %s %s', async (id, expected) => {
    const call = { method: 'POST', idempotencyKey: 'none' } as const
    const trial = await trialOf(id, { schedule: [{ fault: 'reset', apply: true }, 200], options: { call } })
    expect(verdictOf(trial, 'unsafe-replay')).toBe(expected)
    expect(trial.attempts).toHaveLength(expected === 'fail' ? 2 : 1)
  })

  test.each<[string, number]>([
    ['got', 2],
    ['ky', 1],
    ['openai', 1],
    ['ofetch', 1],
  ])('a success that was cut short, GET: %s makes %i attempts', async (id, attempts) => {
    const trial = await trialOf(id, { schedule: [{ status: 200, truncate: 'length' }, 200] })
    expect(trial.attempts).toHaveLength(attempts)
    expect(verdictOf(trial, 'intact')).toBe('pass')
  })

  test.each<[string, 'fail' | 'pass']>([
    ['openai', 'fail'],
    ['undici-retryagent', 'fail'],
    ['wretch', 'fail'],
    ['ofetch-waits', 'fail'],
    ['got', 'pass'],
    ['ky', 'pass'],
    ['axios-retry', 'pass'],
    ['p-retry', 'pass'],
    ['openai-7', 'pass'],
  ])('an abort during the wait that waits it out: %s %s', async (id, expected) => {
    const trial = await trialOf(id, {
      schedule: [{ status: 429, retryAfter: 3 }, 200],
      options: { call: { method: 'GET' }, abortAtMs: 100 },
    })
    expect(verdictOf(trial, 'abort')).toBe(expected)
  })

  test.each<[string, number]>([
    ['wretch', 11],
    ['wretch-3', 1],
  ])('a middleware that repeats a POST after 400: %s', async (id, attempts) => {
    const trial = await trialOf(id, { schedule: [400], options: { call: { method: 'POST' } } })
    expect(trial.attempts).toHaveLength(attempts)
  })
})
