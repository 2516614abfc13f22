import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { startClock, warmUp } from '../../src/clock/index.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('a time-out behind AbortSignal.any is not lost to the garbage collector', async () => {
  await warmUp()
  for (let run = 0; run < 20; run++) {
    const clock = startClock('virtual')
    try {
      const seen: number[] = []
      await clock.drive(async () => {
        const never = new AbortController()
        for (let i = 0; i < 20; i++) {
          const signal = AbortSignal.any([never.signal, AbortSignal.timeout(1_000)])
          signal.addEventListener('abort', () => seen.push(clock.clock.nowMs()))
        }
        collectGarbage()
        await new Promise((resolve) => setTimeout(resolve, 500))
        collectGarbage()
        await new Promise((resolve) => setTimeout(resolve, 1_000))
      })
      expect(seen).toEqual(Array.from({ length: 20 }, () => 1_000))
    } finally {
      clock.stop()
    }
  }
})
