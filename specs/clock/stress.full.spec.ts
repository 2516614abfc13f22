import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { CLIENTS, CROWD_SIZE, runAlone, runCrowd, schedules, sweep } from './stress.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const TRIALS = 15_000
/** What is left of a trial that is over: a kilobyte each would already be ten megabytes. */
const GROWTH_BYTES = 6e6

/** Twice, with a turn in between for what is freed by a finalizer. */
const heapBytes = async (): Promise<number> => {
  for (let round = 0; round < 2; round++) {
    collectGarbage()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return process.memoryUsage().heapUsed
}

describe('under much stress', () => {
  test.each(CLIENTS)('2,000 schedules against $name do not hang and are the same twice', async (client) => {
    const trials = () => sweep(schedules(2000).map((schedule, index) => () => runAlone(client, schedule, index + 1)))
    const first = await trials()
    expect(first.attempts).toBeGreaterThan(2000)
    expect(await trials()).toEqual(first)
  })

  test('20 mixed clients at once, 100 times, do not hang and are the same twice', async () => {
    const trials = () => sweep(schedules(100, 40).map((schedule, index) => () => runCrowd(schedule, index + 1)))
    const first = await trials()
    expect(first.attempts).toBeGreaterThan(100 * CROWD_SIZE)
    expect(await trials()).toEqual(first)
  })

  test('memory stays flat over 15,000 schedules', async () => {
    const some = schedules(500, 3)
    const heaps: number[] = []
    for (let third = 0; third < 3; third++) {
      for (let index = 0; index < TRIALS / 3; index++) {
        const trial = await runAlone(CLIENTS[index % CLIENTS.length]!, some[index % some.length]!, index + 1)
        expect(trial.relapses).toBe(0)
      }
      heaps.push(await heapBytes())
    }
    // The first third is for caches and compiled code.
    expect(heaps[2]! - heaps[0]!, `heap after each third: ${heaps.join(', ')} bytes`).toBeLessThan(GROWTH_BYTES)
  })
})
