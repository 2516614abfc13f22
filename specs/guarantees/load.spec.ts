import { describe, expect, test } from 'vitest'
import type { Trial } from '../../src/trace/model.js'
import { type AttemptSketch, type CallSketch, trialOf, unsettled } from '../support/make-trial.js'
import { judged } from './support.js'

const found = (trials: Trial | readonly Trial[], rule: string) =>
  judged('layers', trials, { strict: true }).reasons.flatMap((one) => (one.rule === rule ? [`${one.kind}: ${one.text}`] : []))

describe('an outage of two seconds under load', () => {
  /** A call each tenth of a second, answered at once; 503 from 1 s to 3 s. */
  function loaded(status: (atMs: number) => number, lastAtMs = 12_000, calls: readonly CallSketch[] = []): Trial {
    const attempts = Array.from({ length: lastAtMs / 100 + 1 }, (_, call): AttemptSketch => {
      const at = call * 100
      const isAway = at >= 1_000 && at < 3_000
      return { call, at, status: isAway ? 503 : at < 1_000 ? 200 : status(at) }
    })
    return trialOf({ method: 'GET', attempts, calls })
  }

  test('that is over when it is over passes', () => {
    expect(
      found(
        loaded(() => 200),
        'BUD-05',
      ),
    ).toEqual(['pass: client: the server answered as before 0 ms after the outage'])
  })

  test('that goes on for six seconds passes, for longer fails', () => {
    const until = (atMs: number) => loaded((at) => (at < atMs ? 503 : 200))
    expect(found(until(9_000), 'BUD-05')).toEqual(['pass: client: the server answered as before 6 s after the outage'])
    expect(found(until(9_500), 'BUD-05')).toEqual(['fail: client: the server answered as before 7 s after the outage'])
    expect(found(until(99_000), 'BUD-05')).toEqual([
      'fail: client: the server never answered as before again while the load lasted, although the outage was over',
    ])
  })

  test('is not judged where the load ended too soon, unless the client had to be stopped', () => {
    expect(
      found(
        loaded(() => 503, 9_900),
        'BUD-05',
      ),
    ).toEqual([])
    const runaway = { ...unsettled(), reason: 'runaway' } as CallSketch['outcome']
    expect(
      found(
        loaded(() => 503, 9_900, [{ outcome: runaway }]),
        'BUD-05',
      ),
    ).toHaveLength(1)
    expect(
      found(
        loaded(() => 503, 9_900, [{ outcome: unsettled() }]),
        'BUD-05',
      ),
    ).toEqual([])
  })

  test('is not seen in another schedule, nor in a few calls', () => {
    const odd = loaded(() => 200)
    expect(
      found(
        trialOf({
          method: 'GET',
          attempts: odd.attempts.map(({ call, arrivedAtMs }) => ({ call, at: arrivedAtMs, status: 503 })),
        }),
        'BUD-05',
      ),
    ).toEqual([])
    expect(found(trialOf({ method: 'GET', attempts: [{ status: 200 }, { at: 12_000, status: 200 }] }), 'BUD-05')).toEqual([])
  })
})

describe('a batch with doomed jobs', () => {
  const jobs = (count: number, waitMs: number, status: (call: number) => number): Trial =>
    trialOf({
      method: 'GET',
      attempts: Array.from({ length: count }, (_, call) => ({ call, at: call * waitMs, status: status(call) })),
      calls: Array.from({ length: count }, (_, call) => ({ startedAt: call * waitMs })),
    })
  const oneInFive = (call: number) => (call % 5 === 0 ? 404 : 200)
  const twin = jobs(48, 10, () => 200)

  test('that moves about as fast as without them passes', () => {
    expect(found([jobs(60, 10, oneInFive), twin], 'BUD-06')).toEqual([
      'pass: client: 95 % of the jobs waited up to 560 ms for their turn, 1.24 times the 450 ms of the same jobs without the doomed ones',
    ])
  })

  test('that they hold up fails', () => {
    expect(found([jobs(60, 12, oneInFive), twin], 'BUD-06')).toEqual([
      'fail: client: 95 % of the jobs waited up to 672 ms for their turn, 1.49 times the 450 ms of the same jobs without the doomed ones',
    ])
  })

  test.each<[string, readonly Trial[]]>([
    ['there is no run without them', [jobs(60, 12, oneInFive)]],
    ['that run has other jobs', [jobs(60, 12, oneInFive), jobs(50, 10, () => 200)]],
    ['something failed in that run', [jobs(60, 12, oneInFive), jobs(48, 10, (call) => (call === 7 ? 503 : 200))]],
    ['they are few', [jobs(40, 12, oneInFive), jobs(32, 10, () => 200)]],
    ['none was doomed', [jobs(60, 12, () => 200), twin]],
    ['all were', [jobs(60, 12, () => 404), twin]],
  ])('is not judged where %s', (_name, trials) => {
    expect(found(trials, 'BUD-06')).toEqual([])
  })
})
