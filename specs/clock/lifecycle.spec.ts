import v8 from 'node:v8'
import vm from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import { ClockBusyError, ClockOptionsError, isRunning, startClock, warmUp } from '../../src/clock/index.js'
import { valueInVirtualTime } from './support.js'

const slot = Symbol.for('retrial.clock')
const shared = globalThis as unknown as Record<symbol, unknown>

/** A second copy of the module, as vitest loads it without isolation, or an application with the package twice. */
const loadAgain = async () => {
  vi.resetModules()
  return import('../../src/clock/index.js')
}

describe('runs that overlap', () => {
  test('a virtual one beside a virtual one is refused with the reason and what to do', () => {
    const run = startClock('virtual')
    try {
      expect(() => startClock('virtual')).toThrow(ClockBusyError)
      expect(() => startClock('virtual')).toThrow(
        'Failed to start a virtual clock: a trial under virtual time is still running. Virtual time is global to the process, it cannot be shared: ' +
          'do not run trials in test.concurrent tests and do not start a trial inside another one',
      )
    } finally {
      run.stop()
    }
  })

  test('a real one inside a virtual one, and the reverse, are refused', () => {
    const virtual = startClock('virtual')
    expect(() => startClock('real')).toThrow('a trial under virtual time is still running')
    virtual.stop()
    const real = startClock('real')
    expect(() => startClock('virtual')).toThrow('a trial on the real clock is still running')
    real.stop()
    startClock('virtual').stop()
  })

  test('real ones may overlap', () => {
    const runs = [startClock('real'), startClock('real')]
    expect(isRunning()).toBe(true)
    for (const run of runs) run.stop()
    expect(isRunning()).toBe(false)
  })

  test('are refused from a second copy of the package, too, which shares the hooks', async () => {
    const { setTimeout: hooked } = globalThis
    const copy = await loadAgain()
    expect(copy.startClock).not.toBe(startClock)
    expect(globalThis.setTimeout).toBe(hooked)
    const run = startClock('virtual')
    expect(copy.isRunning()).toBe(true)
    expect(() => copy.startClock('virtual')).toThrow('a trial under virtual time is still running')
    run.stop()
    const second = copy.startClock('virtual')
    const result = await second.drive(() => new Promise((resolve) => setTimeout(resolve, 5000)))
    second.stop()
    expect(result).toEqual({ kind: 'settled', atMs: 5000 })
  })

  test('another release of the package is refused by name', async () => {
    const kernel = shared[slot]
    shared[slot] = { layout: 999 }
    try {
      const copy = await loadAgain()
      expect(() => copy.startClock('virtual')).toThrow(
        /another release of retrial .* \(its layout is 999, this one's 1\): load one release only/,
      )
    } finally {
      shared[slot] = kernel
      // Without isolation the next spec file would get the copy that refuses.
      vi.resetModules()
    }
  })
})

describe('lingering', () => {
  test('fires what the calls left behind, as far as it is told', async () => {
    const run = startClock('virtual')
    try {
      const fired: number[] = []
      const leave = async () => {
        for (const delayMs of [100, 900, 2000]) setTimeout(() => fired.push(run.clock.nowMs()), delayMs)
      }
      expect(await run.drive(leave)).toEqual({ kind: 'settled', atMs: 0 })
      await run.linger(1000)
      expect([fired, run.clock.nowMs()]).toEqual([[100, 900], 900])
      expect(run.pendingTimers().map(({ dueAtMs }) => dueAtMs)).toEqual([2000])
      await run.linger(5000)
      expect(fired).toEqual([100, 900, 2000])
      expect(run.pendingTimers()).toEqual([])
    } finally {
      run.stop()
    }
  })

  test('ends after so many timers', async () => {
    const run = startClock('virtual')
    let ticks = 0
    let interval: NodeJS.Timeout | undefined
    await run.drive(async () => {
      interval = setInterval(() => ticks++, 1)
    })
    await run.linger(1_000_000, 50)
    clearInterval(interval)
    run.stop()
    expect(ticks).toBe(50)
  })

  test('ends at its limit where the client waits, so that abandon() finds it', async () => {
    const run = startClock('virtual', { maxEvents: 3 })
    let turns = 0
    const knock = async () => {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        turns++
        // Between two waits it is somewhere else for a few turns of the loop.
        for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
      }
    }
    await run.drive(knock)
    const armed = () => run.pendingTimers().filter(({ byUserCode }) => byUserCode).length
    expect([turns, armed()]).toEqual([3, 1])
    run.abandon()
    expect(armed()).toBe(0)
    run.stop()
  })
})

describe('stop()', () => {
  test('gives back time: timers still armed go on in real time for what is left of them', async () => {
    const run = startClock('virtual')
    let timer: NodeJS.Timeout | undefined
    let fire: (() => void) | undefined
    const fired = new Promise<void>((resolve) => {
      fire = resolve
    })
    await run.drive(async () => {
      timer = setTimeout(() => fire?.(), 100_000)
      await new Promise((resolve) => setTimeout(resolve, 99_900))
    })
    run.stop()
    const releasedMs = performance.now()
    expect(timer?.hasRef()).toBe(true)
    await fired
    // 100 ms were left. Node counts them from the beginning of the turn of the loop, which may be a while ago on a busy machine.
    expect(performance.now() - releasedMs).toBeGreaterThanOrEqual(50)
  })

  test('drops what the server wanted to do later', async () => {
    const run = startClock('virtual')
    const late = vi.fn()
    await run.drive(async () => {
      run.clock.after(5, late)
      run.clock.atQuiescence(late)
    })
    run.stop()
    run.clock.after(0, late)
    run.clock.atQuiescence(late)
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(late).not.toHaveBeenCalled()
  })

  test('may be called twice, and does not end a later run', () => {
    const first = startClock('virtual')
    first.stop()
    const second = startClock('virtual')
    first.stop()
    expect(isRunning()).toBe(true)
    second.stop()
    second.stop()
    expect(isRunning()).toBe(false)
  })
})

test('timers made before a run stay real, intervals too', async () => {
  let earlierTicks = 0
  const interval = setInterval(() => earlierTicks++, 5)
  let fired = false
  const timeout = setTimeout(() => {
    fired = true
  }, 1000)
  await new Promise((resolve) => setTimeout(resolve, 12))
  const endMs = await valueInVirtualTime(async (clock) => {
    await new Promise((resolve) => setTimeout(resolve, 3_600_000))
    return clock.nowMs()
  })
  const ticks = earlierTicks
  clearInterval(interval)
  clearTimeout(timeout)
  expect(endMs).toBe(3_600_000)
  expect(fired).toBe(false)
  // Virtual, it would have ticked 720 000 times.
  expect(ticks).toBeLessThan(1000)
})

test('what the garbage collector sets off waits for the end of the run', async () => {
  v8.setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = vm.runInNewContext('gc')
  const cleaned: string[] = []
  const registry = new FinalizationRegistry((name: string) => cleaned.push(name))
  const run = startClock('virtual')
  try {
    await run.drive(async () => {
      registry.register({}, 'garbage')
      // The object lives on the stack of this turn.
      await new Promise((resolve) => setImmediate(resolve))
      collectGarbage()
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    })
    expect(cleaned).toEqual([])
  } finally {
    run.stop()
  }
  expect(cleaned).toEqual(['garbage'])
})

describe('the clock interface', () => {
  test('after() runs once, in order with the timers, and can be cancelled', async () => {
    const log = await valueInVirtualTime(async (clock, run) => {
      const seen: string[] = []
      const note = (name: string) => () => seen.push(`${name} ${clock.nowMs()}`)
      setTimeout(note('timer'), 10)
      clock.after(10, note('alarm'))
      clock.after(0, note('at once'))
      clock.after(5, note('cancelled'))()
      clock.after(7.9, note('whole milliseconds'))
      seen.push(`${run.pendingTimers().length} timer pending`)
      await new Promise((resolve) => setTimeout(resolve, 20))
      return seen
    })
    expect(log).toEqual(['1 timer pending', 'at once 0', 'whole milliseconds 7', 'timer 10', 'alarm 10'])
  })

  test('after() refuses a delay that is none', () => {
    for (const kind of ['virtual', 'real'] as const) {
      const run = startClock(kind)
      expect(() => run.clock.after(Number.NaN, () => {})).toThrow(
        'clock.after: delayMs must be a number of milliseconds from 0 on, got NaN',
      )
      expect(() => run.clock.after(-1, () => {})).toThrow(RangeError)
      run.stop()
    }
  })

  test('atQuiescence() takes the lowest order first, then who came first, and asks for the order only then', async () => {
    const log = await valueInVirtualTime(async (clock) => {
      const seen: string[] = []
      let late = 9
      clock.atQuiescence(() => seen.push('no order'))
      clock.atQuiescence(
        () => seen.push('late'),
        () => late,
      )
      clock.atQuiescence(
        () => seen.push('five'),
        () => 5,
      )
      clock.atQuiescence(
        () => seen.push('five again'),
        () => 5,
      )
      late = 1
      await new Promise((resolve) => setTimeout(resolve, 1))
      return seen
    })
    expect(log).toEqual(['no order', 'late', 'five', 'five again'])
  })

  test('adoptServer() refuses a server that does not listen', async () => {
    const { createServer } = await import('node:net')
    const run = startClock('virtual')
    expect(() => run.clock.adoptServer(createServer())).toThrow(
      'expected a server that listens on a TCP port, its address is null',
    )
    run.stop()
  })

  test.each([
    [{ maxEvents: Number.NaN }, 'clock option maxEvents: expected a number from 0 on, got NaN'],
    [{ deadlockGraceMs: -1 }, 'clock option deadlockGraceMs: expected a number from 0 on, got -1'],
    [{ seed: 1.5 }, 'clock option seed: expected an integer or null, got 1.5'],
    [
      { wallClockOffsetMs: [{ atMs: 0, offsetMs: Number.POSITIVE_INFINITY }] },
      'clock option wallClockOffsetMs: expected finite milliseconds, got Infinity',
    ],
  ])('%o is refused', (options, message) => {
    expect(() => startClock('virtual', options)).toThrow(new ClockOptionsError(message))
  })
})

test('warming up is done once and leaves nothing behind that would come up in a trial', async () => {
  const first = warmUp()
  expect(warmUp()).toBe(first)
  await first
  const run = startClock('virtual')
  await run.linger(10_000)
  const endMs = run.clock.nowMs()
  run.stop()
  expect(endMs).toBe(0)
})
