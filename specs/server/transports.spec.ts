import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { onBoth, persistent, plans, schedules } from './transports.js'

test('a generated schedule gives the same trial on the fetch transport as on sockets', async () => {
  await fc.assert(
    fc.asyncProperty(schedules, plans, async (schedule, options) => {
      const [socket, fetched] = await onBoth(persistent, schedule, options)
      expect(fetched).toEqual(socket)
    }),
    { seed: 20, numRuns: 100 },
  )
}, 60_000)
