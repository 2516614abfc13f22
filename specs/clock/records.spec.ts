import dgram from 'node:dgram'
import http from 'node:http'
import net from 'node:net'
import timersPromises from 'node:timers/promises'
import tls from 'node:tls'
import { describe, expect, test } from 'vitest'
import { inVirtualTime, listeningServer, sleep, valueInVirtualTime } from './support.js'

const server = await listeningServer()
const other = await listeningServer()
other.join(
  { atQuiescence: (fn: () => void) => fn(), nowMs: () => 0, socketOrder: () => 0, adoptServer: () => {} } as never,
  () => ({}),
)

const never = () => {}

describe('delays that Node turns into 1 ms', () => {
  test('are recorded with the requested value and the place, and fire after 1 ms', async () => {
    const { run, value } = await inVirtualTime(async (clock) => {
      await sleep(100)
      await new Promise((resolve) => setTimeout(resolve, 3_000_000_000))
      return clock.nowMs()
    })
    expect(value).toBe(101)
    expect(run.overflows()).toEqual([
      { atMs: 100, requestedMs: 3_000_000_000, origin: expect.stringMatching(/ \(records\.spec\.ts:\d+:\d+\)$/) },
    ])
  })

  test('are seen in every function that takes a delay', async () => {
    const tooLongMs = 2 ** 31
    const { run } = await inVirtualTime(async () => {
      clearTimeout(setTimeout(never, Number.NaN))
      clearTimeout(setTimeout(never, -1))
      clearInterval(setInterval(never, tooLongMs))
      await timersPromises.setTimeout(tooLongMs)
      await timersPromises.scheduler.wait(tooLongMs)
      for await (const _ of timersPromises.setInterval(tooLongMs)) break
      AbortSignal.timeout(tooLongMs)
    })
    const requested = run.overflows().map(({ requestedMs }) => requestedMs)
    expect(requested).toEqual([Number.NaN, -1, tooLongMs, tooLongMs, tooLongMs, tooLongMs, tooLongMs])
  })

  test('do not include what fits: nothing, 0 and 2^31-1', async () => {
    const { run } = await inVirtualTime(async () => {
      setTimeout(never)
      setTimeout(never, 0)
      clearTimeout(setTimeout(never, 2 ** 31 - 1))
    })
    expect(run.overflows()).toEqual([])
  })
})

describe('connections to something else than the trial’s server', () => {
  const call = (url: string) =>
    fetch(url).then(
      (response) => response.text(),
      (error) => error.cause,
    )

  test('are refused with an error that says so, and recorded', async () => {
    const { value, run } = await inVirtualTime(
      async () => {
        await sleep(10)
        return call(other.url)
      },
      { server },
    )
    expect(value).toMatchObject({
      name: 'RetrialForeignConnectionError',
      code: 'ERR_RETRIAL_FOREIGN_CONNECTION',
      message:
        `connection to 127.0.0.1:${other.port} refused during a trial: only the trial's own server may be reached; ` +
        `point the client at the trial's base URL, or allow this host with allowHosts: ['127.0.0.1:${other.port}']`,
    })
    expect(run.foreignConnections()).toEqual([{ atMs: 10, host: '127.0.0.1', port: other.port, refused: true }])
  })

  test('go through if they are allowed, and are recorded all the same', async () => {
    const { value, run } = await inVirtualTime(() => call(other.url), {
      server,
      allowHosts: [`127.0.0.1:${other.port}`],
      deadlockGraceMs: 20_000,
    })
    expect(value).toBe('{"ok":true}')
    expect(run.foreignConnections()).toEqual([{ atMs: 0, host: '127.0.0.1', port: other.port, refused: false }])
  })

  test('are named while they are open in the report of a deadlock', async () => {
    const silent = net.createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as net.AddressInfo
    const allowed: net.Socket[] = []
    const { result } = await inVirtualTime(
      () =>
        new Promise(() => {
          allowed.push(net.connect(port, '127.0.0.1'))
        }),
      { allowHosts: [`127.0.0.1:${port}`], deadlockGraceMs: 1 },
    )
    for (const socket of allowed) socket.destroy()
    silent.close()
    expect(result).toMatchObject({ reason: 'deadlock' })
    expect(result.kind === 'unsettled' && result.pending).toContain(
      `a connection to 127.0.0.1:${port}, not part of the trial, is open`,
    )
  })

  test('are refused on every way to connect, one error each', async () => {
    const errorOf = (socket: net.Socket) => new Promise<Error>((resolve) => socket.once('error', resolve))
    const { value, run } = await inVirtualTime(
      async () => {
        const errors = [
          await errorOf(net.connect({ host: 'example.com', port: 80 })),
          await errorOf(net.connect(81, 'example.com')),
          await errorOf(new net.Socket().connect(82)),
          await errorOf(net.connect('/run/some.socket')),
          await errorOf(tls.connect({ host: 'example.com', port: 443 })),
          await errorOf(tls.connect({ host: '127.0.0.1', port: server.port })),
          await new Promise<Error>((resolve) => http.get('http://example.com:83').on('error', resolve)),
        ]
        return errors.map(({ name }) => name)
      },
      { server },
    )
    expect(new Set(value)).toEqual(new Set(['RetrialForeignConnectionError']))
    expect(run.foreignConnections().map(({ host, port }) => [host, port])).toEqual([
      ['example.com', 80],
      ['example.com', 81],
      ['localhost', 82],
      ['unix:/run/some.socket', 0],
      ['example.com', 443],
      ['127.0.0.1', server.port],
      ['example.com', 83],
    ])
  })

  test('by UDP are recorded and lost', async () => {
    const socket = dgram.createSocket('udp4')
    const { value, run } = await inVirtualTime(
      () => new Promise<Error | null>((resolve) => socket.send(Buffer.from('x'), 8125, '127.0.0.1', resolve)),
    )
    socket.close()
    expect(value).toMatchObject({ name: 'RetrialForeignConnectionError' })
    expect(run.foreignConnections()).toEqual([{ atMs: 0, host: 'udp:127.0.0.1', port: 8125, refused: true }])
  })

  test('work as ever outside of a run', async () => {
    expect(await call(other.url)).toBe('{"ok":true}')
  })
})

describe('timers still armed', () => {
  test('are listed with what is known of them, soonest first', async () => {
    const listed = await valueInVirtualTime(async (_, run) => {
      await sleep(5)
      function retryLater() {
        return setTimeout(never, 1000)
      }
      const timers = [retryLater(), setInterval(never, 50), setTimeout(never, 2000).unref()]
      AbortSignal.timeout(3000)
      const pending = run.pendingTimers()
      for (const timer of timers) clearTimeout(timer)
      return pending.filter(({ byUserCode }) => byUserCode)
    })
    const here = (name: string) => expect.stringMatching(new RegExp(`^${name} \\(records\\.spec\\.ts:\\d+:\\d+\\)$`))
    const byUser = { byUserCode: true, refed: true, repeats: false }
    expect(listed).toEqual([
      { ...byUser, dueAtMs: 55, delayMs: 50, repeats: true, origin: expect.any(String) },
      { ...byUser, dueAtMs: 1005, delayMs: 1000, origin: here('retryLater') },
      { ...byUser, dueAtMs: 2005, delayMs: 2000, refed: false, origin: expect.any(String) },
      { ...byUser, dueAtMs: 3005, delayMs: 3000, refed: false, origin: expect.any(String) },
    ])
  })

  test('of Node itself and of undici are not user code', async () => {
    const agent = new http.Agent({ keepAlive: true, timeout: 5000 })
    const listed = await valueInVirtualTime(
      async (_, run) => {
        await (await fetch(server.url)).text()
        await new Promise<void>((resolve) => {
          http.get(server.url, { agent }, (response) => response.resume().on('end', resolve))
        })
        return run.pendingTimers()
      },
      { server },
    )
    agent.destroy()
    expect(listed.length).toBeGreaterThanOrEqual(2)
    expect(listed.filter(({ byUserCode }) => byUserCode)).toEqual([])
  })
})
