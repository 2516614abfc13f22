import { describe, expect, test } from 'vitest'
import { measureFleet, queueWaitP95 } from '../../../src/guarantees/fleet/measure.js'
import type { FleetAttempt, FleetCall, FleetOutage } from '../../../src/guarantees/fleet/model.js'

const attempt = (sketch: Partial<FleetAttempt>): FleetAttempt => ({
  client: 0,
  call: 0,
  resend: false,
  arrivedAtMs: 0,
  endedAtMs: sketch.arrivedAtMs ?? 0,
  result: 200,
  hintUntilMs: null,
  ...sketch,
})

const measure = (attempts: readonly FleetAttempt[], outage: FleetOutage | null = null, calls: readonly FleetCall[] = []) =>
  measureFleet({ seed: 1, clients: 1, calls, attempts, outage, twinQueueWaitP95Ms: null })

describe('queue wait', () => {
  const waited = (ms: number | null): FleetCall => ({
    client: 0,
    call: 0,
    submittedAtMs: 10,
    startedAtMs: ms === null ? null : 10 + ms,
  })

  test('is submission to start, by nearest rank', () => {
    // Of 20 waits of 1 to 20 ms, 19 are at most 19 ms.
    expect(queueWaitP95(Array.from({ length: 20 }, (_, i) => waited(i + 1)))).toBe(19)
  })

  test('a job that never got its turn waited for ever', () => {
    expect(queueWaitP95([waited(5), waited(null)])).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('second wave', () => {
  test('counts the first re-send of each client, in the fullest 100 ms', () => {
    const resend = (client: number, arrivedAtMs: number) => attempt({ client, resend: true, arrivedAtMs })
    const attempts = [resend(1, 950), resend(2, 1_000), resend(3, 1_099), resend(2, 1_100), resend(3, 1_100), resend(4, 1_100)]
    expect(measure(attempts).secondWave).toEqual({ clients: 4, peak: 2, peakAtMs: 1_000 })
  })
})

describe('recovery', () => {
  const outage = { fromMs: 1_000, untilMs: 3_000, loadEndsAtMs: 9_000 }
  /** Two requests a second; `ill` lists the seconds in which both fail. */
  const load = (...ill: readonly number[]) =>
    Array.from({ length: 18 }, (_, i) => attempt({ arrivedAtMs: i * 500, result: ill.includes(Math.floor(i / 2)) ? 503 : 200 }))

  test('is at once when the first window after the outage is well', () => {
    expect(measure(load(1, 2), outage).recoveryMs).toBe(0)
  })

  test('is when the last ill stretch has ended', () => {
    expect(measure(load(1, 2, 3, 4), outage).recoveryMs).toBe(2_000)
  })

  test('a relapse of two windows counts, one ill window alone does not', () => {
    expect(measure(load(1, 2, 6, 7), outage).recoveryMs).toBe(5_000)
    expect(measure(load(1, 2, 6), outage).recoveryMs).toBe(0)
  })

  test('never comes when the load ends before it', () => {
    expect(measure(load(1, 2, 3, 4, 5, 6, 7, 8), outage).recoveryMs).toBe(Number.POSITIVE_INFINITY)
  })

  test('a window without requests proves nothing', () => {
    const silent = load(1, 2).filter(({ arrivedAtMs }) => arrivedAtMs < 3_000 || arrivedAtMs >= 5_000)
    expect(measure(silent, outage).recoveryMs).toBe(2_000)
  })

  test('as before means as good as before: a server that always failed half is well when it fails half', () => {
    const half = Array.from({ length: 18 }, (_, i) => attempt({ arrivedAtMs: i * 500, result: i % 2 === 0 ? 200 : 503 }))
    expect(measure(half, outage).recoveryMs).toBe(0)
  })

  test('without an outage there is none', () => {
    expect(measure(load()).recoveryMs).toBeNull()
  })
})

describe('limit', () => {
  const limited = attempt({ arrivedAtMs: 0, endedAtMs: 100, result: 429, hintUntilMs: 2_100 })

  test('requests that were sent before the answer came are no intruders, later ones are', () => {
    const attempts = [
      limited,
      attempt({ client: 1, arrivedAtMs: 100 }),
      attempt({ client: 2, arrivedAtMs: 101 }),
      attempt({ arrivedAtMs: 2_100 }),
    ]
    expect(measure(attempts).limit).toEqual({ limits: 1, intruders: 1, firstIntruderAtMs: 101 })
  })

  test('the longest of several limits holds', () => {
    const shorter = attempt({ arrivedAtMs: 50, endedAtMs: 200, result: 429, hintUntilMs: 1_200 })
    expect(measure([limited, shorter, attempt({ arrivedAtMs: 1_500 })]).limit).toMatchObject({ limits: 2, intruders: 1 })
  })

  test('another status closes the door for nobody', () => {
    expect(measure([attempt({ result: 503, hintUntilMs: 2_000 }), attempt({ arrivedAtMs: 10 })]).limit.limits).toBe(0)
  })
})
