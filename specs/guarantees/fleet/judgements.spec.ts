import { describe, expect, test } from 'vitest'
import { judgeAmplification } from '../../../src/guarantees/fleet/amplification.js'
import type { FleetReport, FleetRun } from '../../../src/guarantees/fleet/model.js'
import { judgePauseOnLimit } from '../../../src/guarantees/fleet/pause-on-limit.js'
import { judgeQueueWait } from '../../../src/guarantees/fleet/queue-wait.js'
import { judgeRecovery } from '../../../src/guarantees/fleet/recovery.js'
import { judgeRetryBudget } from '../../../src/guarantees/fleet/retry-budget.js'
import { judgeSpread } from '../../../src/guarantees/fleet/spread.js'
import type { Verdict } from '../../../src/guarantees/model.js'

const RUN: FleetRun = {
  seed: 1,
  clients: 10,
  calls: 100,
  attempts: 100,
  failures: 0,
  queueWaitP95Ms: 0,
  twinQueueWaitP95Ms: null,
  secondWave: { clients: 0, peak: 0, peakAtMs: 0 },
  recoveryMs: null,
  limit: { limits: 0, intruders: 0, firstIntruderAtMs: null },
  budget: { firstTries: 100, resends: 0, failures: 0, failedFirstTries: 0, failuresAfterRecovery: 0, resendsAfterRecovery: 0 },
}
const report = (...runs: readonly Partial<FleetRun>[]): FleetReport => ({
  kind: 'herd',
  client: 'mine',
  runs: runs.map((run, i) => ({ ...RUN, seed: i + 1, ...run })),
})
const told = ({ kind, reasons }: Verdict) => [kind, reasons[0]!.rule, reasons[0]!.text]
const figures = ({ reasons }: Verdict) => [reasons[0]!.expected, reasons[0]!.received]

describe('queue wait', () => {
  test('against the run without the doomed jobs', () => {
    const verdict = judgeQueueWait(report({ queueWaitP95Ms: 5_420, twinQueueWaitP95Ms: 560 }))
    expect(told(verdict)).toEqual([
      'fail',
      'BUD-06',
      'mine: 95 % of the jobs waited up to 5 420 ms for their turn, 9.68 times the 560 ms of the same jobs without the doomed ones',
    ])
    expect(figures(verdict)).toEqual(['at most 1.3 times 560 ms', 'queue wait p95 = 5 420 ms'])
    expect(judgeQueueWait(report({ queueWaitP95Ms: 728, twinQueueWaitP95Ms: 560 })).kind).toBe('pass')
    expect(judgeQueueWait(report({ queueWaitP95Ms: 729, twinQueueWaitP95Ms: 560 })).kind).toBe('fail')
  })

  test('in milliseconds, with or without a twin', () => {
    expect(judgeQueueWait(report({ queueWaitP95Ms: 500 }), { p95Ms: 500 }).kind).toBe('pass')
    const verdict = judgeQueueWait(report({ queueWaitP95Ms: 501 }), { p95Ms: 500 })
    expect(told(verdict)).toEqual(['fail', 'BUD-06', 'mine: 95 % of the jobs waited up to 501 ms for their turn'])
    expect(judgeQueueWait(report({ queueWaitP95Ms: 400, twinQueueWaitP95Ms: 100 }), { p95Ms: 500, ratio: 2 }).kind).toBe('fail')
  })

  test('the median of the runs decides', () => {
    const runs = [100, 100, 9_000].map((queueWaitP95Ms) => ({ queueWaitP95Ms }))
    expect(judgeQueueWait(report(...runs), { p95Ms: 500 }).kind).toBe('pass')
  })

  test('nothing to compare with, nothing submitted: inconclusive', () => {
    expect(judgeQueueWait(report({ queueWaitP95Ms: 5 })).kind).toBe('inconclusive')
    expect(judgeQueueWait(report({ queueWaitP95Ms: Number.NaN }), { p95Ms: 5 }).kind).toBe('inconclusive')
  })
})

describe('spread', () => {
  const wave = (clients: number, peak: number) => ({ secondWave: { clients, peak, peakAtMs: 2_000 } })

  test('more than a quarter of the clients within 100 ms is a herd', () => {
    const verdict = judgeSpread(report(wave(50, 20)))
    expect(told(verdict)).toEqual([
      'fail',
      'BUD-04',
      'mine: 20 of the 50 clients that failed came back within the same 100 ms, from 2 000 ms on',
    ])
    expect(figures(verdict)).toEqual(['at most 25 % of the clients within 100 ms', '40 %'])
    expect(judgeSpread(report(wave(48, 12))).kind).toBe('pass')
    expect(judgeSpread(report(wave(50, 20)), { maxShare: 0.4 }).kind).toBe('pass')
  })

  test('what clients that are spread over a second may do by chance is no verdict, until it happens again and again', () => {
    // 10 P(Bin(50, 1/10) >= 13) is about 1 %, 10 P(Bin(8, 1/10) >= 6) about 2 in 10 000.
    expect(told(judgeSpread(report(wave(50, 13))))).toEqual([
      'inconclusive',
      'BUD-04',
      'mine: 13 of the 50 clients that failed came back within the same 100 ms, from 2 000 ms on; so few may do so by chance: give more clients, or more runs',
    ])
    expect(judgeSpread(report(wave(8, 6))).kind).toBe('inconclusive')
    expect(judgeSpread(report(wave(8, 7))).kind).toBe('fail')
    expect(judgeSpread(report(wave(8, 6), wave(8, 6))).kind).toBe('fail')
    expect(judgeSpread(report(wave(8, 6), wave(8, 1), wave(8, 1))).kind).toBe('pass')
  })

  test('fewer than five clients that re-sent anything cannot be spread', () => {
    expect(judgeSpread(report(wave(4, 4))).kind).toBe('inconclusive')
  })
})

describe('amplification', () => {
  test('is requests per call', () => {
    const verdict = judgeAmplification(report({ attempts: 425, failures: 300 }), 4)
    expect(told(verdict)).toEqual(['fail', 'BUD-01', 'mine: 100 calls became 425 requests, 4.25 for each'])
    expect(figures(verdict)).toEqual(['at most 4 requests per call', '4.25'])
    expect(judgeAmplification(report({ attempts: 400, failures: 300 }), 4).kind).toBe('pass')
  })

  test('says nothing where nothing failed', () => {
    expect(told(judgeAmplification(report({}), 4))[0]).toBe('inconclusive')
  })
})

describe('recovery', () => {
  test('within the time, later, or never', () => {
    expect(judgeRecovery(report({ recoveryMs: 6_000 }), 6_000).kind).toBe('pass')
    expect(told(judgeRecovery(report({ recoveryMs: 7_000 }), 6_000))).toEqual([
      'fail',
      'BUD-05',
      'mine: the server answered as before 7 s after the outage',
    ])
    const never = judgeRecovery(report({ recoveryMs: Infinity }, { recoveryMs: Infinity }, { recoveryMs: 1_000 }), 6_000)
    expect(told(never)).toEqual([
      'fail',
      'BUD-05',
      'mine: the server never answered as before again while the load lasted, although the outage was over',
    ])
    expect(figures(never)[1]).toBe('not recovered in 2 of 3 runs')
  })

  test('says nothing where there was no outage', () => {
    expect(judgeRecovery(report({}), 6_000).kind).toBe('inconclusive')
  })
})

describe('pause on a limit', () => {
  test('one intruder in one run breaks it', () => {
    const kept = { limit: { limits: 3, intruders: 0, firstIntruderAtMs: null } }
    const verdict = judgePauseOnLimit(report(kept, { limit: { limits: 1, intruders: 1, firstIntruderAtMs: 640 } }))
    expect(told(verdict)).toEqual([
      'fail',
      'FLT-01',
      'mine: 1 request arrived while a 429 asked everybody to stay away, the first at 640 ms',
    ])
    expect(judgePauseOnLimit(report(kept)).kind).toBe('pass')
  })

  test('says nothing where no 429 said when to come back', () => {
    expect(judgePauseOnLimit(report({})).kind).toBe('inconclusive')
  })
})

describe('retry budget', () => {
  // 10 clients and 1 000 calls: 10 * 10 + 0.1 * 1 000 = 200 re-sends.
  const budget = (facts: Partial<FleetRun['budget']>) => ({
    calls: 1_000,
    budget: { ...RUN.budget, firstTries: 1_000, failures: 500, failedFirstTries: 300, ...facts },
  })

  test('re-sends beyond tokens and ratio break it', () => {
    const verdict = judgeRetryBudget(report(budget({ resends: 201 })))
    expect(told(verdict)).toEqual(['fail', 'BUD-01', 'mine: 201 re-sends for 1 000 calls of 10 clients'])
    expect(figures(verdict)).toEqual(['at most 200 re-sends: 10 for each client and 0.1 for each call', '201 (seed 1)'])
    expect(judgeRetryBudget(report(budget({ resends: 200 }))).kind).toBe('pass')
    expect(judgeRetryBudget(report(budget({ resends: 200 })), { tokens: 5 }).kind).toBe('fail')
  })

  test('first tries go out whatever is left', () => {
    expect(told(judgeRetryBudget(report(budget({ firstTries: 999 }))))).toEqual([
      'fail',
      'BUD-02',
      'mine: 1 call of 1000 never reached the server: a budget holds back re-sends, not first tries',
    ])
  })

  test('retries come back after the recovery', () => {
    expect(told(judgeRetryBudget(report(budget({ failuresAfterRecovery: 20 }))))).toEqual([
      'fail',
      'BUD-02',
      'mine: none of 20 failures after the recovery was tried again: the budget never refilled',
    ])
    expect(judgeRetryBudget(report(budget({ failuresAfterRecovery: 20, resendsAfterRecovery: 1 }))).kind).toBe('pass')
  })

  test('says nothing where a client that tries every call once more would keep within it', () => {
    expect(told(judgeRetryBudget(report(budget({ failures: 400, failedFirstTries: 200, resends: 200 }))))).toEqual([
      'inconclusive',
      'BUD-01',
      'mine: 200 calls failed at first, too few to use up a budget of 200 re-sends; give a server that fails longer',
    ])
  })
})

test('a report without runs decides nothing', () => {
  const empty = report()
  const verdicts = [
    judgeQueueWait(empty),
    judgeSpread(empty),
    judgeAmplification(empty, 2),
    judgeRecovery(empty, 1),
    judgePauseOnLimit(empty),
    judgeRetryBudget(empty),
  ]
  expect(verdicts.map(({ kind }) => kind)).toEqual(Array.from({ length: 6 }, () => 'inconclusive'))
})
