import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { REAL_CLIENTS, SPECIMENS } from '../../fixtures/clients/real/index.js'
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

  test.each(['ky', 'ky-2'])('the same, %s waits as long as a timer can: 353 ms of 24.8 days are missing', async (id) => {
    expect((await trialOf(id, overflow)).gapsMs).toEqual([2 ** 31 - 1])
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

  test('a body that can be read once: axios-retry sends it empty the second time and resolves', async () => {
    const trial = await trialOf('axios-retry-stream', {
      schedule: [503, 200],
      options: { call: { method: 'PUT', body: 'hello' } },
    })
    expect(verdictOf(trial, 'body')).toBe('fail')
    expect(trial.attempts.map(({ body }) => Buffer.from(body).toString())).toEqual(['hello', ''])
    expect(trial.outcome.kind).toBe('resolved')
  })

  test('a maximum left undefined: retry comes back after 1 ms instead of 800', async () => {
    const trial = await trialOf('retry', { schedule: [503, 200] })
    expect(trial.gapsMs).toEqual([1])
    expect(trial.timerOverflows).toMatchObject([{ requestedMs: Number.NaN }])
    expect(verdictOf(trial, 'backoff', { backoff: { baseMs: 800, factor: 2 } })).toBe('fail')
  })

  test.each<[string, number, 'fail' | 'pass']>([
    // "including retries", says the documentation, but every attempt has a second of its own.
    ['ky', 1000, 'fail'],
    ['openai', 1000, 'fail'],
    ['openai-7', 1000, 'pass'],
    ['got', 1000, 'pass'],
  ])('a timer cleared when the headers arrive: %s, stalled body', async (id, timeoutMs, expected) => {
    const trial = await trialOf(id, { schedule: [{ status: 200, stall: 'body' }], timeoutMs, options: { maxVirtualMs: 60_000 } })
    expect(verdictOf(trial, 'deadline', { deadlineMs: 59_000 }) === 'fail').toBe(expected === 'fail')
  })

  test.each<[string, 'fail' | 'pass']>([
    ['openai', 'fail'],
    ['undici-retryagent', 'fail'],
    ['wretch', 'fail'],
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
