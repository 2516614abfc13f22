import { afterEach, describe, expect, test, vi } from 'vitest'
import { startClock } from '../../src/clock/index.js'
import { KERNEL_LAYOUT } from '../../src/clock/kernel.js'
import { kernel } from '../../src/clock/process-kernel.js'
import { assertSourcesSeen, CANARIES } from '../../src/clock/self-test.js'

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
    expect(() => assertSourcesSeen(kernel)).not.toThrow()
    expect(kernel.layout).toBe(KERNEL_LAYOUT)
    expect(kernel.virtual).toBeNull()
  })

  test('names the version of Node and the sources that the clock does not see', () => {
    const blind = CANARIES.map((canary) =>
      ['AbortSignal.timeout', 'timeout.refresh'].includes(canary.source) ? { ...canary, isSeen: () => false } : canary,
    )
    expect(() => assertSourcesSeen(kernel, blind)).toThrow(
      `Virtual time does not work on Node ${process.version}: the clock does not see AbortSignal.timeout, timeout.refresh. Use clock: 'real'`,
    )
    expect(kernel.virtual).toBeNull()
  })

  test('sees a timer class that no longer writes what the hooks look at', () => {
    const prototype = Object.getPrototypeOf(setTimeout(() => {}, 1))
    const hook = Object.getOwnPropertyDescriptor(prototype, '_idleStart')!
    Object.defineProperty(prototype, '_idleStart', { configurable: true, writable: true, value: null })
    try {
      expect(() => assertSourcesSeen(kernel)).toThrow(
        'the clock does not see setTimeout, setInterval, timers/promises, AbortSignal.timeout, socket.setTimeout, clearTimeout, timeout.refresh.',
      )
    } finally {
      Object.defineProperty(prototype, '_idleStart', hook)
    }
  })
})
