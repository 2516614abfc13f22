import { describe, expect, test } from 'vitest'
import type { SpecResult } from '../support/run-vitest.js'
import { runVitest } from '../support/run-vitest.js'

const HEAD = `
import { defineClient, runTrial } from 'retrial'
import { describe, expect, test, vi } from 'vitest'
const sleep = (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs))
const patient = defineClient('patient', async ({ url }) => {
  for (;;) {
    const response = await fetch(url)
    await response.text()
    if (response.ok) return
    await sleep(Number(response.headers.get('retry-after')) * 1000)
  }
})
const GET = { call: { method: 'GET' } }
const tenMinutes = async () => {
  const { settledAtMs, relapses } = await runTrial(patient, [{ status: 503, retryAfter: 600 }, 200], GET)
  expect([settledAtMs, relapses]).toEqual([600_000, 0])
}
`

const LONG_TRIALS = `${HEAD}
  test.each([1, 2, 3, 4, 5])('ten minutes, time %i', { timeout: 4000 }, tenMinutes)
`

const WAITS = `${HEAD}
  const waiting = (wait) => defineClient('waiting', async ({ url }) => {
    let isThere = false
    setTimeout(() => { isThere = true }, 90_000)
    await wait(() => isThere)
    await fetch(url)
  })
  const arrivals = async (wait) => (await runTrial(waiting(wait), [200], GET)).attempts.map(({ arrivedAtMs }) => arrivedAtMs)
  const options = { timeout: 120_000, interval: 1000 }
  test('waitFor', async () => {
    expect(await arrivals((isThere) => vi.waitFor(() => { if (!isThere()) throw new Error('not yet') }, options))).toEqual([90_000])
  })
  test('poll', async () => {
    const [arrivedAtMs] = await arrivals((isThere) => expect.poll(isThere, options).toBe(true))
    expect(arrivedAtMs).toBeGreaterThanOrEqual(90_000)
    expect(arrivedAtMs).toBeLessThan(92_000)
  })
`

const STUCK = `${HEAD}
  import { clock } from 'retrial'
  const stuck = defineClient('stuck', () => clock.track(new Promise(() => {})))
  test('stuck', { timeout: 300 }, () => runTrial(stuck, [200], GET))
`

const ORPHANS = `${HEAD}
  import { clock } from 'retrial'
  const limit = { timeout: 250 }
  const stuck = defineClient('stuck', () => clock.track(new Promise(() => {})))
  const polling = defineClient('polling', async ({ url }) => {
    await fetch(url)
    for (;;) await new Promise((resolve) => setImmediate(resolve))
  })
  test('stuck', limit, () => runTrial(stuck, [200], GET))
  test('after stuck', tenMinutes)
  test('polling', limit, () => runTrial(polling, [200], GET))
  test('after polling', tenMinutes)
  let refusal
  test('one trial after the other', limit, async () => {
    try { for (;;) await runTrial(patient, [{ status: 503, retryAfter: 600 }, 200], GET) } catch {}
    await runTrial(patient, [200], GET).catch((error) => { refusal = error })
  })
  test('after many', tenMinutes)
  test('what they were told', () => expect(() => { throw refusal }).toThrow('the test "one trial after the other" that begins this trial is over'))
  test('judging', limit, () => expect(stuck).toAttemptAtMost(3))
  test('after judging', tenMinutes)
  test('again', { timeout: 250, retry: 1 }, async ({ task }) => {
    if (task.result.retryCount === 0) await runTrial(stuck, [200], GET)
    else await tenMinutes()
  })
  test('not awaited', () => { void runTrial(patient, [{ status: 503, retryAfter: 600 }, 200], GET).catch(() => {}) })
  test('after not awaited', tenMinutes)
  test('real', limit, () => runTrial(defineClient('slow', ({ url }) => fetch(url)), ['hang'], { ...GET, clock: 'real' }))
  test('after real', tenMinutes)
`

const FAKES = `${HEAD}
  test('fakes before', async () => {
    vi.useFakeTimers()
    try { await tenMinutes() } finally { vi.useRealTimers() }
  })
  test('fakes within', async () => {
    const faking = defineClient('faking', async ({ url }) => { vi.useFakeTimers(); await fetch(url) })
    try { await runTrial(faking, [200], GET) } finally { vi.useRealTimers() }
  })
  test('after the fakes', tenMinutes)
`

const CONCURRENT = `${HEAD}
  describe.concurrent('at once', () => {
    test('one', tenMinutes)
    test('two', tenMinutes)
  })
  test('alone', tenMinutes)
`

describe('virtual time in vitest', () => {
  const files = { 'one.spec.ts': LONG_TRIALS, 'two.spec.ts': LONG_TRIALS }

  test.each([
    ['pool threads', ['--pool=threads']],
    ['pool forks', ['--pool=forks']],
    ['one process without isolation', ['--no-isolate', '--no-file-parallelism']],
  ])('%s: two files, ten minutes in a test of four seconds', async (_, args) => {
    const { tests, output } = await runVitest(files, args)
    expect(
      tests.map(({ status }) => status),
      output,
    ).toEqual(Array(10).fill('passed'))
  })

  test('vmThreads is refused by name', async () => {
    const { tests } = await runVitest({ 'vm.spec.ts': `${HEAD} test('vm', tenMinutes)` }, ['--pool=vmThreads'])
    expect(tests[0]?.failure).toContain('virtual time is not supported under vmThreads or vmForks')
  })

  test('a trial whose test is over ends with it, and takes no time from the tests after it', async () => {
    const { tests, output } = await runVitest({ 'orphans.spec.ts': ORPHANS })
    const named = (name: string): SpecResult => tests.find((one) => one.name === name)!
    for (const name of ['stuck', 'polling', 'one trial after the other', 'judging'])
      expect(named(name), output).toMatchObject({ status: 'failed' })
    expect(output).toContain('Test timed out in 250ms')
    for (const name of ['after stuck', 'after polling', 'after many', 'what they were told', 'after judging', 'again'])
      expect(named(name), output).toMatchObject({ status: 'passed' })
    expect(named('not awaited').failure).toContain('a trial of the test "not awaited" was still running when the test was over')
    expect(named('after not awaited'), output).toMatchObject({ status: 'passed' })
    // Real time cannot be taken away from anybody, but the message says whose trial it is.
    expect(named('after real').failure).toContain(
      'a trial on the real clock is still running (begun in the test "real", which is over: did it time out?)',
    )
  })

  test('what vitest itself does with time: waits are virtual, the limit of a test is real, fakes and concurrency are refused', async () => {
    const sources = { 'waits.spec.ts': WAITS, 'stuck.spec.ts': STUCK, 'fakes.spec.ts': FAKES, 'concurrent.spec.ts': CONCURRENT }
    const { tests, output } = await runVitest(sources)
    const named = (name: string): SpecResult => tests.find((one) => one.name === name)!
    for (const name of ['waitFor', 'poll', 'after the fakes', 'alone'])
      expect(named(name), output).toMatchObject({ status: 'passed' })
    expect(named('stuck').status).toBe('failed')
    expect(output).toContain('Test timed out in 300ms')
    for (const name of ['fakes before', 'fakes within']) expect(named(name).failure).toContain('vi.useFakeTimers()')
    const refused = ['at once one', 'at once two'].map(named).filter(({ status }) => status === 'failed')
    expect(refused.length).toBeGreaterThan(0)
    for (const { failure } of refused) expect(failure).toContain('test.concurrent')
  })
})
