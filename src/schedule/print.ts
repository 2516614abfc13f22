import type { Schedule, ScheduleInput, Step, StepInput } from './model.js'
import { parseSchedule } from './parse.js'

/** The shortest notation: a status alone is a number, a fault alone is a string. */
export const shortest = (step: Step): StepInput => {
  if (Object.keys(step).length > 1) return step
  return 'fault' in step ? step.fault : step.status
}

/**
 * One line of JSON that can be pasted into a test, a file or the command line: `parseSchedule` of it gives the same schedule.
 *
 * @param schedule A schedule, validated or as a user wrote it.
 * @returns The steps in their shortest notation, bytes as `{ "$base64": "..." }`; null for a function, which cannot be printed.
 * @throws {ScheduleError} When the schedule cannot be played.
 * @example
 * ```ts
 * import { printSchedule } from 'retrial'
 *
 * printSchedule([{ status: 429, retryAfter: 30 }, { fault: 'reset' }, { status: 200 }])
 * // [{"status":429,"retryAfter":30},"reset",200]
 * ```
 */
export const printSchedule = (schedule: Schedule | ScheduleInput): string | null => {
  const { steps } = parseSchedule(schedule)
  return steps && JSON.stringify(steps.map(shortest))
}
