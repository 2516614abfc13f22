import { describe, expect, test } from 'vitest'
import { contract, sound, soundVariants, wrong } from '../../fixtures/clients/index.js'
import { runBattery, runCase } from '../../src/cases/battery.js'
import { caseById } from '../../src/cases/index.js'
import { resolveContract } from '../../src/guarantees/resolve.js'
import type { Trial } from '../../src/trace/model.js'
import { toClient } from '../../src/trial/client.js'

const soundClient = sound['fetch-loop']!
const promised = resolveContract(contract)
const client = (name: string) => wrong[name]!.client
const row = (id: string) => caseById(id)!

describe('a battery', () => {
  test('passes for a client that keeps the guarantee, and lists every case', async () => {
    const { verdict, results, client: name } = await runBattery('permanence', soundClient, promised)
    expect(verdict.kind).toBe('pass')
    expect(name).toBe(soundClient.name)
    expect([...new Set(results.map(({ case: one }) => one.id))]).toEqual([
      'CLS-01',
      'CLS-02',
      'CLS-03',
      'CLS-04',
      'CLS-05',
      'CLS-10',
      'CLS-12',
      'CLS-15',
      'CLS-16',
      'IDM-08',
      'IDM-13',
    ])
  })

  test('fails as soon as one case fails', async () => {
    const { verdict, results } = await runBattery('permanence', client('retries-404'), promised)
    expect(verdict.kind).toBe('fail')
    expect(results.filter((one) => one.verdict.kind === 'fail').map((one) => `${one.case.id} ${one.call}`)).toEqual([
      'CLS-03 GET',
      'CLS-03 POST',
    ])
  })

  test('is limited to the method that the user named', async () => {
    const { results } = await runBattery('permanence', soundClient, promised, { call: { method: 'PUT' } })
    expect([...new Set(results.map(({ call }) => call))]).toEqual(['PUT'])
  })

  test('is inconclusive when its situation never occurred', async () => {
    const { verdict } = await runBattery('hint', client('never-retries'), promised)
    expect(verdict.kind).toBe('inconclusive')
  })

  test('is not applicable when the contract promises nothing of the kind', async () => {
    const { verdict } = await runBattery('deadline', soundClient, resolveContract({}))
    expect(verdict.kind).toBe('not-applicable')
    expect(verdict.reasons[0]?.text).toBe('the contract does not promise a deadline')
  })

  test('leaves out a known failure, and fails when it has gone stale', async () => {
    const known = { 'CLS-03': 'T-1' }
    const forgiven = await runBattery('permanence', client('retries-404'), promised, { known })
    expect(forgiven.verdict.kind).toBe('pass')
    const stale = await runBattery('permanence', soundClient, promised, { known })
    expect(stale.verdict.kind).toBe('fail')
    expect(stale.verdict.reasons[0]?.text).toBe('CLS-03 is listed as a known failure (T-1) but passes: remove it from the list')
  })

  test('does not score what is informational', async () => {
    const { verdict, results } = await runBattery('transience', soundClient, promised)
    expect(verdict.kind).toBe('pass')
    const left = results.find((one) => one.case.id === 'CLS-07')!
    expect(left.verdict.kind).toBe('inconclusive')
    expect(left.verdict.reasons[0]).toMatchObject({ kind: 'fail', level: 'may' })
  })
})

describe('the weight of a case', () => {
  test('that is only a should fails under strict alone', async () => {
    const { client: asked, contract: own } = wrong['only-imf-date']!
    const loose = resolveContract({ ...own, strict: false })
    expect((await runCase(row('RAF-04'), 'GET', asked, loose)).verdict.kind).toBe('inconclusive')
    expect((await runCase(row('RAF-04'), 'GET', asked, { ...loose, strict: true })).verdict.kind).toBe('fail')
  })

  test('is the lighter one of case and rule', async () => {
    const { verdict } = await runCase(row('CLS-11'), 'GET', client('never-retries'), resolveContract({}))
    expect(verdict.kind).toBe('inconclusive')
    expect(verdict.reasons[0]).toMatchObject({ kind: 'fail', level: 'should' })
  })

  test('is that of the rule when the contract promises the very thing', async () => {
    const { verdict } = await runCase(row('CLS-11'), 'GET', client('never-retries'), resolveContract({ transient: [429] }))
    expect(verdict).toMatchObject({ kind: 'fail', level: 'must' })
  })

  test('is none when it is not supported yet', async () => {
    const { verdict, trials } = await runCase(row('H2T-02'), 'GET', soundClient, promised)
    expect(verdict.kind).toBe('not-applicable')
    expect(verdict.reasons[0]?.text).toBe('not supported yet: the server speaks HTTP/1.1 only')
    expect(trials).toEqual([])
  })
})

test('a case that the transport cannot play is not applicable, with the reason', async () => {
  const { verdict, trials } = await runCase(row('NET-04'), 'GET', soundClient, promised, { transport: 'fetch' })
  expect(verdict.kind).toBe('not-applicable')
  expect(verdict.reasons[0]?.text).toMatch(/'garbage' is not offered by the fetch transport/)
  expect(trials).toEqual([])
  expect((await runCase(row('RAF-01'), 'GET', soundClient, promised, { transport: 'fetch' })).verdict.kind).toBe('pass')
})

describe('the deadline', () => {
  test('is kept by the harness when the contract says that the caller keeps it', async () => {
    const bySignal = resolveContract({ deadlineMs: 1_000, deadlineBy: 'signal' })
    const { verdict, trials } = await runCase(row('DDL-01'), 'GET', soundClient, bySignal)
    expect(verdict.kind).toBe('pass')
    expect(trials.map((trial) => trial.abortAtMs)).toEqual([1_000, 1_000, 1_000])
  })

  test('is judged with a last answer that leaves no room for a wait', async () => {
    const { trials } = await runCase(row('DDL-03'), 'GET', soundClient, promised)
    // The sound client gives up at once: 20 ms before its 8 s.
    expect(trials.map((trial) => trial.settledAtMs)).toEqual([7_980])
  })
})

describe('the dedup battery', () => {
  const play = async (asked: Parameters<typeof toClient>[0], own = promised): Promise<readonly Trial[]> =>
    (await runCase(row('IDM-07'), 'POST', toClient(asked), own)).trials

  test('measures how long the client waits, and has the result ready just before its next attempt', async () => {
    const [measured, ready, slow, conflict] = await play(soundClient)
    // The sound client waits 2 s for an answer and then 250 to 312 ms.
    expect(measured?.statuses).toEqual(['hang', 200])
    expect(measured?.attempts[0]?.hungUpAtMs).toBe(2_000)
    const gapMs = measured!.gapsMs[0]!
    expect(gapMs).toBeGreaterThanOrEqual(250)
    expect(JSON.parse(ready!.schedule!)).toEqual([{ status: 200, delayMs: 2_000 + Math.floor(gapMs / 3) }])
    expect(ready?.statuses).toEqual(['hang-up', 200])
    expect(ready?.attempts[1]?.ledger).toBe('replay')
    // Still being worked on when attempt 2 comes, which waits for it.
    expect(slow?.attempts[1]).toMatchObject({ arrivedAtMs: 2_000 + gapMs, ledger: 'replay' })
    expect(slow?.statuses[0]).toBe('hang-up')
    expect(conflict?.attempts[1]?.ledger).toBe('in-progress')
    expect(measured?.ledger.applied).toBe(1)
  })

  test('is one trial for a client that does not come back after its time-out', async () => {
    const trials = await play(client('never-retries'))
    expect(trials.map((trial) => trial.statuses)).toEqual([['hang']])
  })
})

test('the server knows keys by the header that the contract names', async () => {
  const own = resolveContract({ ...contract, idempotency: { header: 'X-Request-Key' } })
  const { verdict, trials } = await runCase(row('IDM-05'), 'POST', soundClient, own)
  expect(verdict.kind).toBe('pass')
  expect(trials[0]?.attempts.map(({ headers }) => headers['x-request-key'])).toEqual(['k-1', 'k-1'])
  expect(trials[0]?.ledger.applied).toBe(1)
})

test('malformed hints are judged against the twin without the header, played before and after them', async () => {
  const { verdict, trials } = await runCase(row('RAF-08'), 'GET', client('junk-as-year'), promised)
  expect(trials.map((trial) => trial.schedule)).toEqual(['[503]', '[{"status":503,"retryAfter":"-5"}]', '[503]'])
  expect(verdict.kind).toBe('fail')
  expect(verdict.reasons[0]?.rule).toBe('RAF-08')
})

test('statistics take a seed of their own for each client, from the seed of the battery on', async () => {
  const { trials } = await runCase(row('BKO-06'), 'GET', soundClient, promised, { seeds: [7] })
  expect(trials.map(({ seed }) => seed)).toEqual(Array.from({ length: 50 }, (_, index) => 7 + index))
})

test('a declared band of jitter has to be used: clients that all wait the same do not spread', async () => {
  const { verdict } = await runCase(row('BKO-06'), 'GET', client('fixed-delay'), promised)
  expect(verdict).toMatchObject({ kind: 'fail', level: 'must' })
  expect(verdict.reasons.some(({ kind, rule }) => kind === 'fail' && rule === 'BKO-06')).toBe(true)
})

describe('an outage that clients have in common', () => {
  test('is only asked of waits that lie far enough apart', async () => {
    // 250, 500 and 1 000 ms, each with up to a quarter more: 437 ms in all.
    const narrow = await runCase(row('BUD-04'), 'GET', soundClient, promised)
    expect(narrow.verdict.reasons[0]?.text).toBe('the contract declares waits that lie too close to each other')
    const wide = resolveContract({ ...wrong['no-jitter']!.contract, strict: true })
    const { verdict, trials } = await runCase(row('BUD-04'), 'GET', client('no-jitter'), wide)
    expect(trials).toHaveLength(300)
    expect(verdict.reasons.find(({ rule }) => rule === 'BUD-04')).toMatchObject({
      kind: 'fail',
      text: '100 % of 300 clients came back within the 100 ms from 1 700 ms on',
    })
  })

  test('uses up a retry budget, which successes refill', async () => {
    const { client: budgeted, contract: own } = soundVariants['keeps-retry-budget']!
    const { verdict, trials } = await runCase(row('BUD-02'), 'GET', budgeted, resolveContract(own))
    expect(verdict.kind).toBe('pass')
    // Eleven calls in the outage, 11 that earn one token and more, and the one that needs them.
    expect(trials[0]?.calls).toHaveLength(23)
    expect(verdict.reasons[0]?.text).toBe('call 23 was tried again: 11 calls in between had refilled the budget')
    const endless = resolveContract({ ...own, budget: { tokens: 500, ratio: 0.1 } })
    const refused = await runCase(row('BUD-02'), 'GET', budgeted, endless)
    expect(refused.verdict.reasons[0]?.text).toBe('the promised budget takes more than 2000 calls to use up and to refill')
    const without = await runCase(row('BUD-02'), 'GET', soundClient, promised)
    expect(without.verdict.reasons[0]?.text).toBe('the contract promises no retry budget')
  })
})

test('a download whose entity changed is resumed only by who says which version it wants', async () => {
  const spliced = await runCase(row('BDY-06'), 'GET', client('splices-versions'), promised)
  expect(spliced.verdict.reasons[0]).toMatchObject({ kind: 'fail', rule: 'BDY-06', attempt: 2 })
  expect(spliced.trials[0]?.statuses).toEqual([200, 206])
  const whole = await runCase(row('BDY-06'), 'GET', soundClient, promised)
  expect(whole.verdict.kind).toBe('pass')
  expect(whole.trials[0]?.statuses).toEqual([200, 200])
})

test('eight calls meet one failure each, in sequence and in parallel', async () => {
  const { verdict, trials } = await runCase(row('ISO-01'), 'POST', soundClient, promised)
  expect(verdict.kind).toBe('pass')
  for (const trial of trials) {
    expect(trial.attempts).toHaveLength(16)
    expect(trial.statuses.filter((status) => status === 503)).toHaveLength(8)
  }
})

describe('many calls on one client', () => {
  const strict = { ...promised, strict: true }
  const textOf = (verdict: { readonly reasons: readonly { readonly rule: string; readonly text: string }[] }, rule: string) =>
    verdict.reasons.find((reason) => reason.rule === rule)?.text

  test('do not keep a server down that they would be served by', async () => {
    const { verdict, trials } = await runCase(row('BUD-05'), 'GET', soundClient, strict)
    expect(verdict.kind).toBe('pass')
    expect(textOf(verdict, 'BUD-05')).toBe('fetch-loop: the server answered as before 0 ms after the outage')
    expect(trials[0]?.calls).toHaveLength(200)
    const { client: hedging } = wrong['hedges-under-failure']!
    const storm = await runCase(row('BUD-05'), 'GET', hedging, strict)
    expect(storm.verdict).toMatchObject({ kind: 'fail', level: 'should' })
    expect(textOf(storm.verdict, 'BUD-05')).toMatch(/^hedges-under-failure: the server never answered as before again/)
  })

  test('do not wait for those that can never succeed', async () => {
    const { verdict, trials } = await runCase(row('BUD-06'), 'GET', soundClient, strict)
    expect(verdict.kind).toBe('pass')
    expect(trials.map(({ calls }) => calls.length)).toEqual([96, 84])
    expect(textOf(verdict, 'BUD-06')).toBe(
      'fetch-loop: 95 % of the jobs waited up to 440 ms for their turn, 1.22 times the 360 ms of the same jobs without the doomed ones',
    )
    for (const name of ['dwells-on-404', 'retries-404']) {
      const held = await runCase(row('BUD-06'), 'GET', client(name), strict)
      expect(held.verdict, name).toMatchObject({ kind: 'fail', level: 'should' })
      expect(textOf(held.verdict, 'BUD-06')).toMatch(/^.+: 95 % of the jobs waited up to .+ times the 360 ms of the same jobs/)
    }
  })

  test('are asked for whatever the contract promises', async () => {
    for (const id of ['BUD-05', 'BUD-06'])
      expect((await runCase(row(id), 'GET', soundClient, resolveContract({}))).verdict.kind, id).toBe('pass')
  })
})
