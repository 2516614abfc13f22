import { expect, test } from 'vitest'
import { judge } from '../../src/guarantees/judge.js'
import { mostTelling, probe, scheduleFile, scheduleFrom } from '../../src/probe/index.js'
import { parseSchedule } from '../../src/schedule/parse.js'
import { printSchedule } from '../../src/schedule/print.js'
import { runTrial } from '../../src/trial/run-trial.js'
import { serve } from '../../src/trial/serve.js'
import { trialOf } from '../support/make-trial.js'
import { retrying } from './support.js'

test('statuses, hints, bodies and delays become steps', () => {
  const { attempts } = trialOf({
    attempts: [
      {
        status: 429,
        headersAt: 20,
        endedAt: 20,
        headers: { 'Retry-After': '2', Date: 'x', Server: 'y', 'X-RateLimit-Remaining': '0' },
        answer: { error: { code: 'slow' } },
      },
      { at: 2100, status: 503, headersAt: 2100, endedAt: 2130, headers: { 'Retry-After': 'soon' }, answer: 'busy' },
      { at: 3000, fault: 'reset', endedAt: 3040 },
      { at: 4000, hungUpAt: 6000 },
      { at: 7000, status: 200, hungUpAt: 7500, ledger: 'none' },
      { at: 8000, status: 200, answer: 'done', ledger: 'none' },
    ],
  })
  expect(scheduleFrom(attempts)).toEqual([
    { status: 429, headers: { 'x-ratelimit-remaining': '0' }, retryAfter: 2, body: { error: { code: 'slow' } }, delayMs: 20 },
    { status: 503, retryAfter: 'soon', body: 'busy', bodyDelayMs: 30 },
    { fault: 'reset', delayMs: 40 },
    { fault: 'hang' },
    { status: 200, stall: 'body' },
    { status: 200, body: 'done' },
  ])
})

test('an attempt whose work an endpoint remembered is applied, and the ledger answers the re-send', () => {
  const { attempts } = trialOf({
    attempts: [
      { fault: 'reset', ledger: 'none' },
      { at: 500, status: 200, ledger: 'replay', answer: { dedup: true } },
    ],
  })
  expect(scheduleFrom(attempts)).toEqual([{ fault: 'reset', apply: true }])
})

test('dates are as far away in the replay as they were', () => {
  const retryAt = new Date(Date.UTC(2026, 0, 1, 0, 0, 30)).toUTCString()
  const { attempts } = trialOf({ attempts: [{ status: 503, headers: { 'Retry-After': retryAt } }] })
  expect(scheduleFrom(attempts)).toEqual([{ status: 503, retryAfter: { date: 30 }, body: '' }])
})

test('the run with the most failures is the one to replay', () => {
  const calm = trialOf({ attempts: [{ status: 200 }] })
  const rough = trialOf({ attempts: [{ status: 503 }, { at: 500, status: 500 }, { at: 900, status: 200 }] })
  const rougher = trialOf({ attempts: [{ status: 404 }, { at: 500, status: 404 }] })
  expect(mostTelling([calm, rough, rougher])).toBe(rough)
  expect(mostTelling([])).toBeUndefined()
})

// A scripted server stands in for the endpoint, so that what was done to the client is known.
test.each([
  ['a limit, an error, then fine', [{ status: 429, retryAfter: 1 }, 500, 200]],
  ['a permanent error', [404, 404, 404]],
  ['a lost answer', [{ fault: 'reset', apply: true } as const, 200]],
  ['a cut body', [{ status: 200, truncate: 'length', body: 'x'.repeat(100) } as const, 200]],
  ['closed and garbage', ['close', 'garbage', { status: 503, retryAfter: 'soon' }, 200] as const],
])('%s: the saved schedule replays with the same verdicts', async (_name, schedule) => {
  const endpoint = await serve(schedule)
  const client = retrying(6, { retries: (status) => status >= 400 })
  const report = await probe(client, { baseURL: endpoint.url, runs: 1, call: { path: '/v1' } })
  await endpoint.close()
  const [probed] = report.trials
  const file = scheduleFile(probed!, report.target)
  const again = await runTrial(client, parseSchedule(JSON.stringify(file)).steps!, { call: { path: '/v1' } })
  expect(again.statuses).toEqual(probed!.statuses)
  const verdicts = (trial: typeof again) =>
    judge(trial, {}, ['permanence', 'transience', 'hint', 'key', 'body', 'unsafe-replay', 'intact']).map(
      ({ guarantee, kind }) => `${guarantee} ${kind}`,
    )
  expect(verdicts(again)).toEqual(verdicts(probed!))
})

test('a saved schedule is a schedule file in the shortest notation', () => {
  const trial = trialOf({
    attempts: [
      { status: 503, answer: 'busy' },
      { at: 1000, fault: 'reset' },
      { at: 2000, status: 200, answer: { ok: true } },
    ],
  })
  const file = scheduleFile(trial, 'http://127.0.0.1:8787')
  expect(file).toEqual({
    title: 'What http://127.0.0.1:8787 did to one call',
    description: 'Recorded by a probe with client: 503, reset, 200. Secrets were taken out.',
    steps: [{ status: 503, body: 'busy' }, 'reset', { status: 200, body: { ok: true } }],
  })
  expect(printSchedule(parseSchedule(file))).toBe('[{"status":503,"body":"busy"},"reset",{"status":200,"body":{"ok":true}}]')
})
