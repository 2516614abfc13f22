import nodeCrypto from 'node:crypto'
import { promisify } from 'node:util'
import vm from 'node:vm'
import { describe, expect, test } from 'vitest'
import { sleep, valueInVirtualTime } from './support.js'

/** As code takes it that does not trust the object itself. */
const inheritedNow = (): number => Object.getPrototypeOf(performance).now.call(performance)

describe('time sources', () => {
  test('agree on how much time has passed', async () => {
    const elapsed = await valueInVirtualTime(async () => {
      const before = {
        date: Date.now(),
        performance: performance.now(),
        hrtime: process.hrtime(),
        bigint: process.hrtime.bigint(),
        uptime: process.uptime(),
        inherited: inheritedNow(),
      }
      await sleep(3_600_000)
      const [seconds, nanoseconds] = process.hrtime(before.hrtime)
      return {
        date: Date.now() - before.date,
        performance: performance.now() - before.performance,
        hrtime: [seconds, nanoseconds],
        bigint: process.hrtime.bigint() - before.bigint,
        uptime: process.uptime() - before.uptime,
        inherited: inheritedNow() - before.inherited,
      }
    })
    expect(elapsed).toEqual({
      date: 3_600_000,
      performance: 3_600_000,
      hrtime: [3600, 0],
      bigint: 3_600_000_000_000n,
      uptime: 3600,
      inherited: 3_600_000,
    })
  })

  test('Temporal.Now goes with Date, where there is one', async () => {
    const now = Reflect.get(globalThis, 'Temporal')?.Now
    const shown = await valueInVirtualTime(async () => {
      await sleep(90_061_000)
      const utc = now && [
        now.instant(),
        now.zonedDateTimeISO('UTC'),
        now.plainDateTimeISO('UTC'),
        now.plainDateISO('UTC'),
        now.plainTimeISO('UTC'),
      ]
      return [new Date().toISOString(), ...(utc ?? []).map(String)]
    })
    const ofTemporal = ['2030-01-02T01:01:01Z', '2030-01-02T01:01:01+00:00[UTC]', '2030-01-02T01:01:01', '2030-01-02', '01:01:01']
    expect(shown).toEqual(['2030-01-02T01:01:01.000Z', ...(now === undefined ? [] : ofTemporal)])
  })

  test('hrtime borrows a second where the nanoseconds are fewer', async () => {
    const difference = await valueInVirtualTime(async () => {
      await sleep(999)
      const before = process.hrtime()
      await sleep(1500)
      return [before, process.hrtime(before)]
    })
    // The monotonic clocks start at 1 ms.
    expect(difference).toEqual([
      [1, 0],
      [1, 500_000_000],
    ])
  })

  test('Date begins in 2030 and stays the class it was', async () => {
    const seen = await valueInVirtualTime(async (clock) => {
      class Day extends Date {}
      const date = new Date()
      return {
        iso: date.toISOString(),
        wallMs: clock.wallMs(),
        instances: [date instanceof Date, new Day() instanceof Date, new Day() instanceof Day, date.constructor === Date],
        withArguments: new Date(5).getTime(),
        day: new Day().toISOString(),
        called: Date() === new Date().toString(),
      }
    })
    expect(seen).toEqual({
      iso: '2030-01-01T00:00:00.000Z',
      wallMs: Date.UTC(2030, 0, 1),
      instances: [true, true, true, true],
      withArguments: 5,
      day: '2030-01-01T00:00:00.000Z',
      called: true,
    })
  })

  test('are real again after the run', async () => {
    const before = Date.now()
    await valueInVirtualTime(() => sleep(86_400_000))
    expect(Date.now()).toBeGreaterThanOrEqual(before)
    expect(Date.now()).toBeLessThan(before + 86_400_000)
  })
})

describe('a shifted wall clock', () => {
  const read = async () => {
    const readings: number[] = []
    for (const delayMs of [0, 999, 1, 1000]) {
      await sleep(delayMs)
      readings.push(Date.now() - Date.UTC(2030, 0, 1), performance.now())
    }
    return readings
  }

  test('is off by a constant, and only Date is', async () => {
    // setTimeout(0) is 1 ms: readings at 1, 1000, 1001 and 2001 ms; performance.now starts at 1.
    const readings = await valueInVirtualTime(read, { wallClockOffsetMs: -60_000 })
    expect(readings).toEqual([-59_999, 2, -59_000, 1001, -58_999, 1002, -57_999, 2002])
  })

  test('steps in the middle of a run', async () => {
    const steps = [
      { atMs: 1001, offsetMs: -5000 },
      { atMs: 500, offsetMs: 100 },
    ]
    const readings = await valueInVirtualTime(read, { wallClockOffsetMs: steps })
    expect(readings.filter((_, index) => index % 2 === 0)).toEqual([1, 1100, -3999, -2999])
  })
})

describe('sources of chance', () => {
  const draw = async () => ({
    math: [Math.random(), Math.random()],
    uuids: [crypto.randomUUID(), nodeCrypto.randomUUID()],
    values: [...crypto.getRandomValues(new Uint8Array(4)), ...nodeCrypto.getRandomValues(new Uint16Array(2))],
    bytes: nodeCrypto.randomBytes(4).toString('hex'),
    bytesLater: (await promisify(nodeCrypto.randomBytes)(4)).toString('hex'),
    integer: nodeCrypto.randomInt(10, 20),
    integerLater: await promisify<number, number>(nodeCrypto.randomInt)(1000),
    filled: [...nodeCrypto.randomFillSync(new Uint16Array(3), 1, 1)],
    filledLater: [...(await promisify<Uint8Array, Uint8Array>(nodeCrypto.randomFill)(new Uint8Array(3)))],
  })

  test('give the same for the same seed and something else for another', async () => {
    const first = await valueInVirtualTime(draw, { seed: 7 })
    const again = await valueInVirtualTime(draw, { seed: 7 })
    const other = await valueInVirtualTime(draw, { seed: 8 })
    expect(again).toEqual(first)
    for (const source of ['math', 'uuids', 'values', 'bytes', 'bytesLater', 'filledLater'] as const) {
      expect(other[source]).not.toEqual(first[source])
    }
  })

  test('keep to their ranges and shapes', async () => {
    const drawn = await valueInVirtualTime(draw, { seed: 7 })
    expect(drawn.math.every((value) => value >= 0 && value < 1)).toBe(true)
    expect(drawn.uuids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(drawn.integer).toBeGreaterThanOrEqual(10)
    expect(drawn.integer).toBeLessThan(20)
    expect(drawn.integerLater).toBeLessThan(1000)
    expect([drawn.filled[0], drawn.filled[2]]).toEqual([0, 0])
    expect(drawn.filled[1]).not.toBe(0)
  })

  test('a UUID more does not change the jitter', async () => {
    const plain = await valueInVirtualTime(async () => Math.random())
    const withUuid = await valueInVirtualTime(async () => [crypto.randomUUID(), Math.random()])
    expect(withUuid[1]).toBe(plain)
  })

  test('are left alone with seed null', async () => {
    const first = await valueInVirtualTime(draw, { seed: null })
    const second = await valueInVirtualTime(draw, { seed: null })
    expect(second.math).not.toEqual(first.math)
    expect(second.uuids).not.toEqual(first.uuids)
  })

  test('refuse bad arguments as ever', async () => {
    const error = await valueInVirtualTime(async () => {
      try {
        return nodeCrypto.randomInt(5, 5)
      } catch (reason) {
        return (reason as NodeJS.ErrnoException).code
      }
    })
    expect(error).toBe('ERR_OUT_OF_RANGE')
  })
})

describe('documented limits: real time is shown by', () => {
  const isReal = (shown: number) => shown < Date.UTC(2030, 0, 1)

  test('the Date of another realm', async () => {
    const shown = await valueInVirtualTime(async () => vm.runInNewContext('Date.now()'))
    expect(isReal(shown)).toBe(true)
  })

  test('Intl, if it is not given a date', async () => {
    const format = new Intl.DateTimeFormat('en', { year: 'numeric' })
    const [shown, virtual] = await valueInVirtualTime(async () => [format.format(), format.format(new Date())])
    expect(isReal(Date.UTC(Number(shown), 0, 1))).toBe(true)
    expect(virtual).toBe('2030')
  })

  test('performance.mark and performance.timeOrigin', async () => {
    const [markedMs, origin] = await valueInVirtualTime(async () => {
      await sleep(86_400_000)
      return [performance.mark('here').startTime, performance.timeOrigin]
    })
    // This process is not a day old.
    expect(markedMs).toBeLessThan(86_400_000)
    expect(isReal(origin!)).toBe(true)
  })
})
