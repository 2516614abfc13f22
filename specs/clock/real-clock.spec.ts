import http from 'node:http'
import { describe, expect, test } from 'vitest'
import { startClock } from '../../src/clock/index.js'
import type { ClockOptions, ClockRun } from '../../src/clock/model.js'
import { listeningServer, sleep } from './support.js'

const server = await listeningServer()

const inRealTime = async <T>(body: (run: ClockRun) => Promise<T>, options: ClockOptions = {}) => {
  const run = startClock('real', options)
  try {
    server.join(run.clock, () => ({}))
    let value: T | undefined
    const result = await run.drive(async () => {
      value = await body(run)
    })
    await run.linger(1000)
    return { value, result, run }
  } finally {
    run.stop()
  }
}

describe('the real clock', () => {
  test('is the monotonic clock, from 0 on', async () => {
    const { value, result } = await inRealTime(async ({ clock }) => {
      const beginMs = clock.nowMs()
      await sleep(20)
      return [beginMs, clock.nowMs()]
    })
    expect(value![0]).toBeGreaterThanOrEqual(0)
    // Node's timers may come up to a millisecond early by this clock.
    expect(value![1]! - value![0]!).toBeGreaterThanOrEqual(19)
    expect(result.kind).toBe('settled')
  })

  test('never calls back early, and not after cancelling', async () => {
    const { value } = await inRealTime(async ({ clock }) => {
      const log: number[] = []
      clock.after(1, () => log.push(Number.NaN))()
      await new Promise<void>((resolve) => {
        clock.after(0, () => log.push(0))
        clock.after(15, () => {
          log.push(clock.nowMs())
          resolve()
        })
      })
      return log
    })
    expect(value).toHaveLength(2)
    expect(value![1]).toBeGreaterThanOrEqual(15)
  })

  test('drops what is still to be called back when it is stopped', async () => {
    let calls = 0
    const run = startClock('real')
    run.clock.after(2 ** 31 + 10, () => calls++)
    run.clock.after(5, () => calls++)
    run.stop()
    await sleep(10)
    expect(calls).toBe(0)
    expect([run.relapses(), run.pendingTimers()]).toEqual([0, []])
  })

  test('handles what arrives together in order', async () => {
    const { value } = await inRealTime(
      ({ clock }) =>
        new Promise<string[]>((resolve) => {
          const log: string[] = []
          const note = (name: string) => () => {
            log.push(name)
            if (log.length === 3) resolve(log)
          }
          clock.atQuiescence(note('second'), () => 2)
          clock.atQuiescence(note('first'), () => 1)
          clock.atQuiescence(note('second again'), () => 2)
        }),
    )
    expect(value).toEqual(['first', 'second', 'second again'])
  })

  test('shifts Date, and only Date, within the run', async () => {
    const { value } = await inRealTime(
      async ({ clock }) => {
        const dateMs = Date.now()
        await sleep(1)
        return [dateMs, Date.parse(new Date().toISOString()), clock.wallMs()]
      },
      { wallClockOffsetMs: 3_600_000 },
    )
    const outsideMs = Date.now()
    for (const shiftedMs of value!) {
      expect(shiftedMs).toBeGreaterThan(outsideMs + 3_500_000)
      expect(shiftedMs).toBeLessThanOrEqual(outsideMs + 3_600_000)
    }
  })

  test('seeds chance for each of the runs that overlap', async () => {
    const draw = (seed: number) =>
      inRealTime(
        async () => {
          const first = Math.random()
          await sleep(2)
          return [first, Math.random(), crypto.randomUUID()]
        },
        { seed },
      )
    const [a, b, other] = await Promise.all([draw(1), draw(1), draw(2)])
    expect(a.value).toEqual(b.value)
    expect(a.value).not.toEqual(other.value)
  })

  test('lets the trial’s own server through and refuses the rest; bystanders are left alone', async () => {
    const foreign = http.createServer((_, response) => response.end('hello'))
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
    const { port } = foreign.address() as { port: number }
    const url = `http://127.0.0.1:${port}`
    const bystander = async () => (await fetch(url, { headers: { connection: 'close' } })).text()
    const { value, run } = await inRealTime(async () => {
      const own = await (await fetch(server.url)).text()
      const error = await fetch(url).catch((reason) => reason.cause.name)
      return [own, error]
    })
    const running = startClock('real')
    expect(await bystander()).toBe('hello')
    running.stop()
    foreign.close()
    expect(value).toEqual(['{"ok":true}', 'RetrialForeignConnectionError'])
    expect(run.foreignConnections()).toMatchObject([{ host: '127.0.0.1', port, refused: true }])
  })

  test('records delays that Node turns into 1 ms', async () => {
    const { run } = await inRealTime(() => sleep(Number.NaN))
    expect(run.overflows()).toMatchObject([{ requestedMs: Number.NaN }])
  })

  test('knows the order of the client sockets', async () => {
    const { value } = await inRealTime(async () => {
      const agent = new http.Agent()
      const ask = (path: string) =>
        new Promise<void>((resolve, reject) => {
          http.get(`${server.url}${path}`, { agent }, (response) => response.resume().on('end', resolve)).on('error', reject)
        })
      const orders: number[] = []
      const note = (socket: import('node:net').Socket) => setImmediate(() => orders.push(server.clock.socketOrder(socket)))
      server.http.on('connection', note)
      await ask('/1')
      await ask('/2')
      server.http.off('connection', note)
      return orders
    })
    expect(value![1]! - value![0]!).toBe(1)
  })

  test('settles at the rejection of the body, which stays with the body', async () => {
    const run = startClock('real')
    const result = await run.drive(() => Promise.reject(new Error('no')))
    run.stop()
    expect(result.kind).toBe('settled')
  })
})
