import http from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { FakeTimersError, startClock } from '../../src/clock/index.js'
import type { DriveResult } from '../../src/clock/model.js'
import { inVirtualTime, listeningServer, sleep, valueInVirtualTime } from './support.js'

const server = await listeningServer()

const unsettled = (result: DriveResult) => {
  if (result.kind !== 'unsettled') throw new Error(`expected an unsettled drive, got ${JSON.stringify(result)}`)
  return result
}

const never = () => new Promise<never>(() => {})

/** The process is healthy: time, the timers and the network are what they were. */
const expectHealthy = async () => {
  const before = performance.now()
  await sleep(5)
  // Node's timers may come up to a millisecond early by this clock.
  expect(performance.now() - before).toBeGreaterThanOrEqual(4)
  expect(await valueInVirtualTime(async () => (await fetch(server.url)).status, { server })).toBe(200)
}

describe('a promise that cannot settle any more', () => {
  test('is a deadlock when nothing is on the wire and nothing is armed', async () => {
    const startedMs = performance.now()
    const { result } = await inVirtualTime(never)
    // The grace for invisible work, 200 ms of real time.
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(200)
    expect(unsettled(result)).toEqual({
      kind: 'unsettled',
      reason: 'deadlock',
      atMs: 0,
      pending: [
        'the promise has not settled, nothing is on the wire and no timer is armed: nothing can happen any more',
        'work in workers or native add-ons is invisible to the clock: declare it with clock.track(promise)',
      ],
    })
    await expectHealthy()
  })

  test('is a deadlock when the server holds the answer and the client has no timeout', async () => {
    // The global agent would time out its sockets after 5 s.
    const agent = new http.Agent()
    const ask = () =>
      new Promise<http.IncomingMessage>((resolve) => {
        http.get(server.url, { agent }, resolve).on('error', () => {})
      })
    const setup = { server, script: () => ({ fault: 'hang' as const }), deadlockGraceMs: 1 }
    const { result } = await inVirtualTime(() => Promise.all([ask(), ask(), sleep(100)]), setup)
    const { reason, atMs, pending } = unsettled(result)
    expect([reason, atMs]).toEqual(['deadlock', 100])
    expect(pending[1]).toBe('2 client connections waiting for an answer')
    await expectHealthy()
  })

  test('is a runaway when timers go on for ever, which are named', async () => {
    let interval: NodeJS.Timeout | undefined
    const { result } = await inVirtualTime(
      () => {
        interval = setInterval(function keepPolling() {}, 60_000)
        return never()
      },
      { maxVirtualMs: 3_600_000 },
    )
    clearInterval(interval)
    const { reason, atMs, pending } = unsettled(result)
    expect([reason, atMs]).toEqual(['runaway', 3_600_000])
    expect(pending[0]).toBe(
      'runaway at 3600000 ms: the next timer is due after 3600000 ms of virtual time and the promise has not settled',
    )
    expect(pending[1]).toMatch(/^an interval of 60000 ms is due at 3660000 ms: .+ \(unsettled\.spec\.ts:\d+:\d+\)$/)
    await expectHealthy()
  })

  test('is a runaway after too many timers, too', async () => {
    let isOver = false
    const spin = async () => {
      while (!isOver) await sleep(1)
    }
    const { result } = await inVirtualTime(spin, { maxEvents: 500 })
    isOver = true
    const { reason, atMs, pending } = unsettled(result)
    expect([reason, atMs]).toEqual(['runaway', 500])
    expect(pending[0]).toContain('500 timers and requests have been handled')
    await expectHealthy()
  })

  test('is a stall when something real does not end, which is named', async () => {
    let end: (() => void) | undefined
    const startedMs = performance.now()
    const { result } = await inVirtualTime(
      async (clock) => {
        await clock.track(
          new Promise<void>((resolve) => {
            end = resolve
          }),
        )
      },
      { realStallMs: 50 },
    )
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(50)
    end?.()
    const { reason, pending } = unsettled(result)
    expect(reason).toBe('stall')
    expect(pending).toEqual([
      'the clock cannot move because this does not end: a promise given to clock.track() is pending',
      '1 promise given to clock.track() pending',
    ])
    await expectHealthy()
  })

  test('a settled promise is settled even if something else stalls', async () => {
    const { result } = await inVirtualTime(async (clock) => void clock.track(never()), { realStallMs: 50 })
    expect(result).toEqual({ kind: 'settled', atMs: 0 })
  })
})

describe('errors that are not the client’s', () => {
  test('an error of the server’s code at a quiescent point reaches who drives', async () => {
    const run = startClock('virtual')
    try {
      const driven = run.drive(async () => {
        run.clock.atQuiescence(() => {
          throw new Error('a bug of the server')
        })
        await never()
      })
      await expect(driven).rejects.toThrow('a bug of the server')
    } finally {
      run.stop()
    }
    await expectHealthy()
  })

  test('fake timers that are switched on during a run are refused', async () => {
    const run = startClock('virtual')
    try {
      const driven = run.drive(async () => {
        vi.useFakeTimers()
        await sleep(10)
      })
      await expect(driven).rejects.toThrow(FakeTimersError)
    } finally {
      vi.useRealTimers()
      run.stop()
    }
    await expectHealthy()
  })

  test('a mocked Date is refused, before a run and during it', async () => {
    const run = startClock('virtual')
    try {
      await expect(run.drive(async () => vi.setSystemTime(0))).rejects.toThrow('Date has been replaced')
      run.stop()
      expect(() => startClock('virtual')).toThrow('Date has been replaced')
    } finally {
      vi.useRealTimers()
      run.stop()
    }
  })
})

test('a body that throws at once settles the drive', async () => {
  const run = startClock('virtual')
  try {
    const body = () => {
      throw new Error('at once')
    }
    expect(await run.drive(body)).toEqual({ kind: 'settled', atMs: 0 })
  } finally {
    run.stop()
  }
})

test('a rejected body settles the drive at the time of the rejection', async () => {
  const run = startClock('virtual')
  try {
    const result = await run.drive(() => sleep(250).then(() => Promise.reject(new Error('late'))))
    expect(result).toEqual({ kind: 'settled', atMs: 250 })
  } finally {
    run.stop()
  }
})
