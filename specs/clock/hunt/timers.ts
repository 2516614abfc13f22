import { setImmediate as nextImmediate, setInterval as ticks } from 'node:timers/promises'
import { promisify } from 'node:util'
import vm from 'node:vm'
import { sleep } from '../support.js'
import type { ExactPattern, Patterns } from './model.js'

const storm = async (depth: number): Promise<void> => {
  for (let i = 0; i < depth; i++) await null
}

const recursively = (schedule: (callback: () => void) => void, depth: number) =>
  new Promise<void>((resolve) => {
    const turn = (left: number): void => schedule(() => (left === 0 ? resolve() : turn(left - 1)))
    turn(depth)
  })

export const timers: Patterns<ExactPattern> = {
  'an interval that clears itself in its callback': {
    act: () =>
      new Promise<void>((resolve) => {
        let count = 0
        const interval = setInterval(() => {
          if (++count < 3) return
          clearInterval(interval)
          resolve()
        }, 100)
      }),
    atMs: 300,
  },
  'an interval made again in its own callback, with another period': {
    act: ({ clock }) =>
      new Promise((resolve) => {
        const restart = (periodMs: number) => {
          const interval = setInterval(() => {
            clearInterval(interval)
            if (periodMs === 4) resolve(clock.nowMs())
            else restart(periodMs / 2)
          }, periodMs)
        }
        restart(16)
      }),
    atMs: 28,
  },
  'a time-out that another timer keeps pushing back': {
    act: () =>
      new Promise<void>((resolve) => {
        const watchdog = setTimeout(resolve, 100)
        for (const atMs of [50, 100, 150]) setTimeout(() => watchdog.refresh(), atMs)
      }),
    // The one at 100 ms was made after the watchdog, but the refresh at 50 ms has put the watchdog off until 150: 50 -> 150 -> 200 -> 250.
    atMs: 250,
  },
  'a timer that refreshes itself': {
    act: () =>
      new Promise<void>((resolve) => {
        let count = 0
        const timer = setTimeout(() => (++count === 5 ? resolve() : timer.refresh()), 70)
      }),
    atMs: 350,
  },
  'delays that Node cannot hold': {
    act: async () => {
      for (const delayMs of [
        Number.NaN,
        -5,
        2 ** 31,
        Number.POSITIVE_INFINITY,
        '50' as unknown as number,
        null as unknown as number,
      ]) {
        await sleep(delayMs)
      }
    },
    // 1 ms each, but 50 for the string.
    atMs: 55,
  },
  'timers that count down fractions of a millisecond': {
    act: async () => {
      for (let i = 0; i < 10; i++) await sleep(1.9)
    },
    atMs: 10,
  },
  'timers between storms of microtasks': {
    act: async () => {
      for (let i = 0; i < 20; i++) {
        await storm(2000)
        await sleep(5)
      }
    },
    atMs: 100,
  },
  'queueMicrotask that recurses': { act: () => recursively(queueMicrotask, 50_000), atMs: 0 },
  'process.nextTick that recurses': { act: () => recursively(process.nextTick, 50_000), atMs: 0 },
  'setImmediate that recurses beside a timer of 1 ms': {
    act: async ({ clock }) => {
      const timer = sleep(1)
      await recursively(setImmediate, 2000)
      const beforeTimer = clock.nowMs()
      await timer
      return beforeTimer
    },
    atMs: 1,
    gives: 0,
  },
  'a flag that a timer sets, polled by setImmediate': {
    act: async ({ clock }) => {
      let isSet = false
      setTimeout(() => {
        isSet = true
      }, 250)
      while (!isSet) await nextImmediate()
      return clock.nowMs()
    },
    atMs: 250,
    gives: 250,
  },
  'immediates that clear one another': {
    act: async () => {
      const second: NodeJS.Immediate[] = []
      setImmediate(() => clearImmediate(second[0]))
      second.push(setImmediate(() => {}))
      await nextImmediate()
      await sleep(5)
    },
    atMs: 5,
  },
  'timers/promises.setInterval that is broken out of': {
    act: async () => {
      let count = 0
      for await (const _ of ticks(100)) if (++count === 3) break
    },
    atMs: 300,
  },
  'promisified setTimeout with a value': { act: () => promisify(setTimeout)(40, 'value'), atMs: 40, gives: 'value' },
  'nothing but unref’d timers': {
    act: () =>
      new Promise((resolve) => {
        setTimeout(resolve, 1000).unref()
      }),
    atMs: 1000,
  },
  'a heartbeat that nobody stops': {
    act: async ({ run }) => {
      const heartbeat = setInterval(() => {}, 250).unref()
      await sleep(1000)
      const { repeats, dueAtMs } = run.pendingTimers()[0]!
      clearInterval(heartbeat)
      return [repeats, dueAtMs]
    },
    atMs: 1000,
    // The sleep was armed before the tick of the same moment.
    gives: [true, 1000],
  },
  'setTimeout handed into another realm': {
    act: () => vm.runInNewContext('new Promise((resolve) => setTimeout(resolve, 80, "there"))', { setTimeout }),
    atMs: 80,
    gives: 'there',
  },
  '1,000 timers of the same millisecond, every other one cleared by the one before': {
    act: async () => {
      let fired = 0
      const all: NodeJS.Timeout[] = []
      for (let i = 0; i < 1000; i++) {
        all.push(
          setTimeout(() => {
            fired++
            clearTimeout(all[i + 1])
          }, 7),
        )
      }
      await sleep(8)
      return fired
    },
    atMs: 8,
    gives: 500,
  },
}
