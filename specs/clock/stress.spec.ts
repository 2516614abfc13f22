import { describe, expect, test } from 'vitest'
import { CLIENTS, CROWD_SIZE, runAlone, runCrowd, schedules, sweep } from './stress.js'

describe('under stress', () => {
  test.each(CLIENTS)('100 schedules against $name do not hang and are the same twice', async (client) => {
    const trials = () => sweep(schedules(100).map((schedule, index) => () => runAlone(client, schedule, index + 1)))
    const first = await trials()
    expect(first.attempts).toBeGreaterThan(100)
    expect(await trials()).toEqual(first)
  })

  test('20 mixed clients at once do not hang and are the same twice', async () => {
    const trials = () => sweep(schedules(8, 40).map((schedule, index) => () => runCrowd(schedule, index + 1)))
    const first = await trials()
    expect(first.attempts).toBeGreaterThan(8 * CROWD_SIZE)
    expect(await trials()).toEqual(first)
  })
})
