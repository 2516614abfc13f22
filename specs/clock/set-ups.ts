import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { SetUp } from '../../fixtures/clients/set-ups/model.js'
import type { Trial } from '../../src/trace/model.js'
import { courseOf, inRealTime, inVirtualTime, longInVirtualTime, shorterThanVirtual } from './real-and-virtual.js'

/** Each set-up once in real time and four times in virtual time: the same attempts, no wait of the real run shorter, virtual runs equal. */
export function describeSetUps(setUps: readonly SetUp[]): void {
  const real = new Map<string, Trial>()

  beforeAll(async () => {
    // Everything is loaded and compiled before the run that is bound to real time. The clock, too, has then looked whether it sees every
    // source of chance, and the dice may be loaded.
    for (const setUp of setUps) await inVirtualTime(setUp)
    // The same dice for both kinds of time, whatever order the real runs throw them in.
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    // Trials on the real clock may overlap: all of them take as long as the slowest.
    const trials = await Promise.all(setUps.map(inRealTime))
    for (const [index, { name }] of setUps.entries()) real.set(name, trials[index]!)
  })
  afterAll(() => {
    vi.restoreAllMocks()
  })

  describe.each(setUps)('$name', (setUp) => {
    test('does in virtual time what it does in real time', async () => {
      const virtual = await inVirtualTime(setUp)
      const seen = real.get(setUp.name)!
      expect(virtual.attempts.length).toBeGreaterThan(1)
      expect([virtual.statuses, virtual.outcome.kind], virtual.timeline()).toEqual([seen.statuses, seen.outcome.kind])
      expect(shorterThanVirtual(seen, virtual)).toEqual([])
      expect(courseOf(await inVirtualTime(setUp))).toEqual(courseOf(virtual))
      expect(virtual.relapses).toBe(0)
    })

    test('does the same twice over minutes of virtual time', async () => {
      const first = await longInVirtualTime(setUp)
      expect(first.outcome.kind, first.timeline()).not.toBe('unsettled')
      expect(courseOf(await longInVirtualTime(setUp))).toEqual(courseOf(first))
      expect(first.relapses).toBe(0)
    })
  })
}
