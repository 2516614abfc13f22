import { AsyncLocalStorage } from 'node:async_hooks'
import timers, { setTimeout as namedSetTimeout } from 'node:timers'
import timersPromises, { setTimeout as promisedSetTimeout, scheduler } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { sleep, valueInVirtualTime } from './support.js'

describe('virtual timers', () => {
  test('fire in the order of their delays, ties first come first served, 0 counting as 1 ms', async () => {
    const fired = await valueInVirtualTime(async (clock) => {
      const log: string[] = []
      const delays: [number, string][] = [
        [30, 'a'],
        [10, 'b'],
        [10, 'c'],
        [20, 'd'],
        [0, 'e'],
        [1, 'f'],
      ]
      await Promise.all(
        delays.map(async ([delayMs, name]) => {
          await sleep(delayMs)
          log.push(name + clock.nowMs())
        }),
      )
      return log
    })
    expect(fired).toEqual(['e1', 'f1', 'b10', 'c10', 'd20', 'a30'])
  })

  test('repeat, refresh, cancel by number and pass arguments as in real time', async () => {
    const fired = await valueInVirtualTime(async (clock) => {
      const log: string[] = []
      const interval = setInterval(() => {
        log.push(`interval ${clock.nowMs()}`)
        if (log.filter((line) => line.startsWith('interval')).length === 3) clearInterval(interval)
      }, 100)
      const refreshed = setTimeout(() => log.push(`refreshed ${clock.nowMs()}`), 150)
      setTimeout(() => refreshed.refresh(), 120)
      clearTimeout(Number(setTimeout(() => log.push('never'), 50)))
      setTimeout((first: string, second: string) => log.push(first + second), 5, 'x', 'y')
      await sleep(1000)
      refreshed.refresh()
      await sleep(200)
      return log
    })
    // 150 ms, pushed back at 120 -> 270; after having fired, again at 1000 + 150.
    expect(fired).toEqual(['xy', 'interval 100', 'interval 200', 'refreshed 270', 'interval 300', 'refreshed 1150'])
  })

  test('are the same for every function that makes them', async () => {
    const captured = globalThis.setTimeout
    const times = await valueInVirtualTime(async (clock) => {
      const waits: (() => Promise<unknown>)[] = [
        () => new Promise((resolve) => captured(resolve, 1000)),
        () => new Promise((resolve) => namedSetTimeout(resolve, 1000)),
        () => new Promise((resolve) => timers.setTimeout(resolve, 1000)),
        () => promisedSetTimeout(1000),
        () => timersPromises.setTimeout(1000),
        () => scheduler.wait(1000),
        () => promisify(setTimeout)(1000),
        () => new Promise((resolve) => AbortSignal.timeout(1000).addEventListener('abort', resolve)),
      ]
      const ends: number[] = []
      for (const wait of waits) {
        await wait()
        ends.push(clock.nowMs())
      }
      return ends
    })
    expect(times).toEqual([1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000])
  })

  test('of timers/promises iterate and abort', async () => {
    const seen = await valueInVirtualTime(async (clock) => {
      let ticks = 0
      for await (const _ of timersPromises.setInterval(1000)) if (++ticks === 5) break
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 77)
      const error = await promisedSetTimeout(5000, 0, { signal: controller.signal }).catch((reason: Error) => reason)
      return [clock.nowMs(), (error as Error).name]
    })
    expect(seen).toEqual([5077, 'AbortError'])
  })

  test('keep the AsyncLocalStorage of the code that armed them', async () => {
    const storage = new AsyncLocalStorage<string>()
    const seen = await valueInVirtualTime(() =>
      storage.run('context', async () => {
        const inCallback = await new Promise((resolve) => setTimeout(() => resolve(storage.getStore()), 1000))
        await promisedSetTimeout(10)
        return [inCallback, storage.getStore()]
      }),
    )
    expect(seen).toEqual(['context', 'context'])
  })

  test('leave an error of their callback uncaught, and time goes on', async () => {
    const listeners = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    const uncaught = vi.fn()
    process.once('uncaughtException', uncaught)
    try {
      const endMs = await valueInVirtualTime(async (clock) => {
        setTimeout(() => {
          throw new Error('boom')
        }, 10)
        await sleep(100)
        return clock.nowMs()
      })
      expect(endMs).toBe(100)
      expect(uncaught.mock.calls.map(([error]) => error.message)).toEqual(['boom'])
    } finally {
      for (const listener of listeners) process.on('uncaughtException', listener)
    }
  })

  test('are equal in name, length and promise form to what they replace', () => {
    expect([setTimeout.name, setInterval.name, AbortSignal.timeout.name]).toEqual(['setTimeout', 'setInterval', 'timeout'])
    // 5 on Node 20, 2 later; a wrapper of its own with rest parameters would show 0.
    expect(setTimeout.length).toBeGreaterThanOrEqual(2)
    expect(promisify(setTimeout)).toBe(timersPromises.setTimeout)
    expect(timers.setTimeout).toBe(globalThis.setTimeout)
    expect(namedSetTimeout).toBe(timers.setTimeout)
  })
})
