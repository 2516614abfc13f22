import { afterEach, describe, expect, test, vi } from 'vitest'
import { ClockUnsupportedError, startClock } from '../../src/clock/index.js'
import { KERNEL_LAYOUT } from '../../src/clock/kernel.js'
import { kernel } from '../../src/clock/process-kernel.js'
import { CANARIES, selfTest } from '../../src/clock/self-test.js'
import { sleep, valueInVirtualTime } from './support.js'

afterEach(() => vi.unstubAllGlobals())

describe('virtual time is refused', () => {
  test('under jsdom', () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/27.0.0' })
    expect(() => startClock('virtual')).toThrow('Failed to start a virtual clock: jsdom has been set up since retrial was loaded')
  })

  test('under happy-dom', () => {
    vi.stubGlobal('happyDOM', {})
    expect(() => startClock('virtual')).toThrow('happy-dom')
  })

  test('where there is a global window of whatever make', () => {
    vi.stubGlobal('window', globalThis)
    expect(() => startClock('virtual')).toThrow('a browser-like test environment')
  })

  test('but not the real clock', () => {
    vi.stubGlobal('window', globalThis)
    const run = startClock('real')
    expect(run.clock.kind).toBe('real')
    run.stop()
  })

  test('with fake timers on, whose message says what to do', () => {
    vi.useFakeTimers()
    try {
      expect(() => startClock('virtual')).toThrow(
        'Failed to start a virtual clock: vi.useFakeTimers() (or another fake-timers clock) has replaced setTimeout. Call vi.useRealTimers() before the trial',
      )
    } finally {
      vi.useRealTimers()
    }
    startClock('virtual').stop()
  })
})

describe('the self-test', () => {
  test('passes here, for every source', () => {
    expect(selfTest(kernel)).toBeNull()
    expect(kernel.layout).toBe(KERNEL_LAYOUT)
    expect(kernel.virtual).toBeNull()
  })

  test('names the version of Node and the sources that the clock does not see', () => {
    const blind = CANARIES.map((canary) =>
      ['AbortSignal.timeout', 'timeout.refresh'].includes(canary.source) ? { ...canary, isSeen: () => false } : canary,
    )
    expect(selfTest(kernel, blind)).toBe(
      `virtual time does not work on Node ${process.version}, where the clock does not see AbortSignal.timeout, timeout.refresh: ` +
        "use clock: 'real', or a Node version from 20 to 26 without other tools that patch these functions",
    )
    expect(kernel.virtual).toBeNull()
  })

  test('sees a timer class that no longer writes what the hooks look at', () => {
    const prototype = Object.getPrototypeOf(setTimeout(() => {}, 1))
    const hook = Object.getOwnPropertyDescriptor(prototype, '_idleStart')!
    Object.defineProperty(prototype, '_idleStart', { configurable: true, writable: true, value: null })
    try {
      expect(selfTest(kernel)).toContain(
        'does not see setTimeout, setInterval, timers/promises, AbortSignal.timeout, socket.setTimeout, clearTimeout, timeout.refresh:',
      )
    } finally {
      Object.defineProperty(prototype, '_idleStart', hook)
    }
  })

  test('makes every virtual run fail, with its reason', () => {
    kernel.refusal = 'virtual time does not work on Node v99'
    try {
      expect(() => startClock('virtual')).toThrow(
        new ClockUnsupportedError('Failed to start a virtual clock: virtual time does not work on Node v99'),
      )
    } finally {
      kernel.refusal = null
    }
  })

  test('is over before anybody mocks chance or spies on a timer', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const spy = vi.spyOn(globalThis, 'setTimeout')
    try {
      const seen = await valueInVirtualTime(async (clock) => {
        await sleep(1000)
        return [Math.random(), clock.nowMs()]
      })
      expect(seen).toEqual([0.5, 1000])
      expect(spy).toHaveBeenCalledOnce()
    } finally {
      vi.restoreAllMocks()
    }
  })
})
