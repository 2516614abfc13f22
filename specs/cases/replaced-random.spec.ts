import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract, sound, wrong } from '../../fixtures/clients/index.js'
import { runCase } from '../../src/cases/battery.js'
import { allCases, caseById } from '../../src/cases/index.js'
import { fleetOfTrial } from '../../src/guarantees/fleet/of-trial.js'
import { judgeSpread } from '../../src/guarantees/fleet/spread.js'
import { guarantees } from '../../src/guarantees/index.js'
import { resolveContract } from '../../src/guarantees/resolve.js'
import { loadTrial } from '../../src/report/load-trial.js'
import type { Trial } from '../../src/trace/model.js'
import { runTrial } from '../../src/trial/run-trial.js'

const client = sound['fetch-loop']!
const promised = resolveContract(contract)
const REPLACED = /Math\.random had been replaced/

describe('a Math.random that a test has replaced', () => {
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  test('makes cases inconclusive that draw many clients, for sound clients and for others', async () => {
    const statistical = allCases.filter((row) => row.statistical)
    expect(statistical.map(({ id }) => id)).toEqual(['BKO-04', 'BKO-06', 'BKO-08', 'BUD-04'])
    for (const { id } of statistical.filter((row) => row.appliesTo?.(promised, client) == null)) {
      for (const asked of [client, wrong[caseById(id)!.wrong]!.client]) {
        const { verdict } = await runCase(caseById(id)!, 'GET', asked, promised)
        expect(verdict.kind, id).toBe('inconclusive')
        expect(verdict.reasons[0]?.text).toMatch(REPLACED)
      }
    }
  })

  test('is no reason to blame the jitter of trials that are judged by themselves', async () => {
    const trials: Trial[] = []
    for (let seed = 1; seed <= 50; seed++) trials.push(await runTrial(client, [503, 200], { seed, call: { method: 'GET' } }))
    const backoff = { ...contract.backoff!, jitter: { min: 1, max: 1.25 } }
    const { kind, reasons } = guarantees.backoff.judge(trials, resolveContract({ backoff, strict: true }))
    expect(kind).not.toBe('fail')
    expect(reasons.find(({ rule }) => rule === 'BKO-06')).toMatchObject({
      kind: 'inconclusive',
      text: expect.stringMatching(REPLACED),
    })
    // A saved trace remembers.
    const saved = loadTrial(JSON.parse(JSON.stringify(trials[0])))
    expect(saved.randomReplaced).toBe(true)
  })

  test('is no reason to say that clients came back as a crowd', async () => {
    const trial = await runTrial(client, ({ call }, history) => (history.some((one) => one.call === call) ? 200 : 503), {
      calls: 10,
      concurrency: 10,
      call: { method: 'GET' },
    })
    expect(judgeSpread(fleetOfTrial(trial))).toMatchObject({
      kind: 'inconclusive',
      reasons: [{ text: expect.stringMatching(REPLACED) }],
    })
  })
})

test('a Math.random that is itself again is noted by nobody', async () => {
  const trial = await runTrial(client, [200])
  expect(trial.randomReplaced).toBeUndefined()
  expect(Object.keys(JSON.parse(JSON.stringify(trial)))).not.toContain('randomReplaced')
})
