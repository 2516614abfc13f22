import * as fc from 'fast-check'
import { expect } from 'vitest'
import { faultSchedule } from '../../src/property/index.js'
import { parseSchedule, printSchedule, ScheduleError } from '../../src/schedule/index.js'

/** A schedule, or an error that names the place: nothing else may come of any input. */
export function expectScheduleOrError(input: unknown): void {
  let schedule: unknown
  try {
    schedule = parseSchedule(input)
  } catch (error) {
    expect(error).toBeInstanceOf(ScheduleError)
    const { issues, message } = error as ScheduleError
    expect(issues.length).toBeGreaterThan(0)
    expect(issues.every(({ path }) => path.startsWith('schedule'))).toBe(true)
    // Whatever was given, the message can be read.
    expect(message.length).toBeLessThan(20_000)
    return
  }
  expect(schedule).toHaveProperty('steps')
}

const json = fc.oneof(
  fc.json({ maxDepth: 6 }),
  fc.json({ maxDepth: 2 }).map((text) => `[{"status":200,"body":${text}}]`),
)
/** JSON that is cut, or has a character replaced. */
const mangled = fc
  .tuple(json, fc.nat(), fc.string({ unit: 'binary', maxLength: 2 }), fc.boolean())
  .map(([text, at, other, cut]) => {
    const place = at % (text.length + 1)
    return cut ? text.slice(0, place) : text.slice(0, place) + other + text.slice(place + 1)
  })

export const LAWS: Readonly<Record<string, (numRuns: number) => void>> = {
  'arbitrary bytes, as text and as they are': (numRuns) =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expectScheduleOrError(Buffer.from(bytes).toString('utf8'))
        expectScheduleOrError(Buffer.from(bytes).toString('latin1'))
        expectScheduleOrError(bytes)
      }),
      { seed: 1, numRuns },
    ),
  'hostile JSON': (numRuns) =>
    fc.assert(
      fc.property(fc.oneof(json, mangled), (text) => expectScheduleOrError(text)),
      { seed: 2, numRuns },
    ),
  'generated schedules, which print as one line and parse back': (numRuns) =>
    fc.assert(
      fc.property(faultSchedule(), (steps) => {
        const line = printSchedule(parseSchedule(steps))!
        expect(line).not.toContain('\n')
        expect(printSchedule(parseSchedule(line))).toBe(line)
      }),
      { seed: 3, numRuns },
    ),
}
