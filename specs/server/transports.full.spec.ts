import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { onBoth, persistent, plans, schedules } from './transports.js'

test('2,000 generated schedules give the same trials on the fetch transport as on sockets', async () => {
  await fc.assert(
    fc.asyncProperty(schedules, plans, async (schedule, options) => {
      const [socket, fetched] = await onBoth(persistent, schedule, options)
      expect(fetched).toEqual(socket)
    }),
    { seed: 2_000, numRuns: 2_000 },
  )
})
