import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { EventEmitter, on, once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { captureRejections } from '../../../src/trial/rejections.js'
import { sleep } from '../support.js'
import type { ExactPattern, Patterns } from './model.js'

async function* backoffs(baseMs: number) {
  try {
    for (let waitMs = baseMs; ; waitMs *= 2) {
      await sleep(waitMs)
      yield waitMs
    }
  } finally {
    await sleep(10)
  }
}

/** What nobody handles, while `act` goes on. */
const uncaughtDuring = async (act: () => Promise<unknown>): Promise<readonly unknown[]> => {
  const rejections = captureRejections()
  try {
    await act()
    return rejections.seen.map((error) => (error as Error).message)
  } finally {
    rejections.release()
  }
}

export const flows: Patterns<ExactPattern> = {
  'the losers of a race': {
    act: ({ run }) => Promise.race([30, 10, 20].map((delayMs) => sleep(delayMs))).then(() => run.pendingTimers().length),
    atMs: 10,
    // The two losers and the hunt's own timer of a day.
    gives: 3,
  },
  'a losing race whose loser rejects later': {
    act: () =>
      uncaughtDuring(async () => {
        const late = sleep(50).then(() => Promise.reject(new Error('late')))
        await Promise.race([sleep(20), late])
        await sleep(100)
      }),
    atMs: 120,
    gives: [],
  },
  'a chain of AbortSignal.any': {
    act: async () => {
      let signal = AbortSignal.timeout(300)
      const kept = [signal]
      for (let i = 0; i < 5; i++) {
        signal = AbortSignal.any([signal, AbortSignal.timeout(500 + i)])
        kept.push(signal)
      }
      await once(signal as unknown as EventTarget, 'abort')
      return [kept.map(({ aborted }) => aborted), signal.reason.name]
    },
    atMs: 300,
    gives: [Array(6).fill(true), 'TimeoutError'],
  },
  'a sleep aborted by a time-out': {
    act: () => delay(5000, null, { signal: AbortSignal.timeout(200) }).catch((error: Error) => error.name),
    atMs: 200,
    gives: 'AbortError',
  },
  'events.once with a signal': {
    act: () => once(new EventEmitter(), 'never', { signal: AbortSignal.timeout(400) }).catch((error: Error) => error.name),
    atMs: 400,
    gives: 'AbortError',
  },
  'events.on that is left at its third event': {
    act: async () => {
      const emitter = new EventEmitter()
      const interval = setInterval(() => emitter.emit('tick'), 30)
      let count = 0
      for await (const _ of on(emitter, 'tick')) if (++count === 3) break
      clearInterval(interval)
    },
    atMs: 90,
  },
  'a retry loop over an async generator': {
    act: async () => {
      let total = 0
      for await (const waitedMs of backoffs(1000)) {
        total += waitedMs
        if (total >= 7000) break
      }
      return total
    },
    // 1 + 2 + 4 s, and what its finally block waits.
    atMs: 7010,
    gives: 7000,
  },
  'a retry loop over a plain generator of promises': {
    act: async () => {
      function* waits() {
        for (const waitMs of [100, 200, 400]) yield sleep(waitMs).then(() => waitMs)
      }
      const waited: number[] = []
      for await (const waitMs of waits()) waited.push(waitMs)
      return waited
    },
    atMs: 700,
    gives: [100, 200, 400],
  },
  'an error thrown in a timer': {
    act: () =>
      uncaughtDuring(async () => {
        setTimeout(() => {
          throw new Error('thrown')
        }, 10)
        await sleep(30)
      }),
    atMs: 30,
    gives: ['thrown'],
  },
  'an error thrown in an interval, which goes on': {
    act: () =>
      uncaughtDuring(async () => {
        const interval = setInterval(() => {
          throw new Error('again')
        }, 10)
        await sleep(35)
        clearInterval(interval)
      }),
    atMs: 35,
    gives: ['again', 'again', 'again'],
  },
  'a rejection that nobody handles': {
    act: () =>
      uncaughtDuring(async () => {
        setTimeout(() => void Promise.reject(new Error('unhandled')), 10)
        await sleep(30)
      }),
    atMs: 30,
    gives: ['unhandled'],
  },
  'a thenable that calls back from a timer': {
    act: async () =>
      await {
        // biome-ignore lint/suspicious/noThenProperty: the point of it
        then: (resolve: (value: string) => void) => setTimeout(resolve, 60, 'thenable'),
      },
    atMs: 60,
    gives: 'thenable',
  },
  'async_hooks enabled': {
    act: async () => {
      let made = 0
      const hook = createHook({ init: () => void made++ }).enable()
      await sleep(10)
      hook.disable()
      return made > 0
    },
    atMs: 10,
    gives: true,
  },
  'AsyncLocalStorage.snapshot': {
    act: async () => {
      const storage = new AsyncLocalStorage<string>()
      const inside = storage.run('kept', () => AsyncLocalStorage.snapshot())
      await sleep(10)
      return inside(() => sleep(10).then(() => storage.getStore()))
    },
    atMs: 20,
    gives: 'kept',
  },
}
