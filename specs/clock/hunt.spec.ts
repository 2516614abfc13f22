import { mock } from 'node:test'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { startClock, warmUp } from '../../src/clock/index.js'
import type { ClockRun, DriveResult } from '../../src/clock/model.js'
import { flows } from './hunt/flows.js'
import { httpClients } from './hunt/http.js'
import { libraries } from './hunt/libraries.js'
import type { Here, Pattern } from './hunt/model.js'
import { named } from './hunt/named.js'
import { platform } from './hunt/platform.js'
import { HuntServer } from './hunt/server.js'
import { sockets } from './hunt/sockets.js'
import { streams } from './hunt/streams.js'
import { timers } from './hunt/timers.js'
import { uploads } from './hunt/uploads.js'

const DAY_MS = 86_400_000

await warmUp()
const server = await new HuntServer().listen()
afterAll(() => server.close())

interface Finding {
  readonly value: unknown
  readonly error: unknown
  readonly result: DriveResult
  readonly run: ClockRun
}

/** Drives a pattern to its end, then takes its connections away. */
const observe = async (pattern: Pattern, prepare: () => () => void): Promise<Finding> => {
  const run = startClock('virtual', pattern.options)
  try {
    const { clock } = run
    server.clock = clock
    clock.adoptServer(server.http)
    const here: Here = { clock, run, port: server.port, url: `http://127.0.0.1:${server.port}` }
    let value: unknown
    let error: unknown
    const result = await run.drive(async () => {
      const finish = prepare()
      try {
        value = await pattern.act(here)
      } catch (reason) {
        error = reason
      } finally {
        finish()
      }
    })
    server.dropConnections()
    await run.linger(600_000)
    run.abandon()
    expect(run.relapses()).toBe(0)
    return { value, error, result, run }
  } finally {
    run.stop()
  }
}

/** Fires, and the time is no longer exact, if the clock moves while something is under way. */
const temptation = () => {
  const timer = setTimeout(() => {}, DAY_MS)
  return () => clearTimeout(timer)
}

const exact = { ...timers, ...flows, ...platform, ...httpClients, ...sockets, ...streams, ...uploads, ...libraries }

describe('takes exactly its time:', () => {
  test.each(Object.entries(exact))('%s', async (_, pattern) => {
    const { value, error, result } = await observe(pattern, temptation)
    const atMs = typeof pattern.atMs === 'number' ? pattern.atMs : pattern.atMs(value as never)
    expect([error, result]).toEqual([undefined, { kind: 'settled', atMs }])
    if ('gives' in pattern) expect(value).toEqual(pattern.gives)
  })
})

const messagesOf = (error: unknown): string[] => (error instanceof Error ? [error.message, ...messagesOf(error.cause)] : [])

describe('is named:', () => {
  test.each(Object.entries(named))('%s', async (_, pattern) => {
    let found: string[]
    try {
      const { error, result, run } = await observe(pattern, () => () => {})
      const pending = result.kind === 'unsettled' ? result.pending : []
      found = [...messagesOf(error), ...pending, ...run.foreignConnections().map(({ host, port }) => `${host}:${port}`)]
    } catch (error) {
      found = messagesOf(error)
    } finally {
      vi.useRealTimers()
      mock.timers.reset()
    }
    expect(found.join('\n')).toMatch(pattern.named)
  })
})
