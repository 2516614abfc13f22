import { ScheduleError, type ScheduleIssue } from '../schedule/error.js'
import { isFault, type Schedule, type Step } from '../schedule/model.js'
import { parseStep } from '../schedule/parse.js'
import type { Transport } from '../trace/model.js'

/** A step that the trial's transport cannot play: the schedule is right, but needs another transport. */
export class NotOfferedError extends ScheduleError {}

/** A part of a step that a transport cannot play, and why. */
export interface Refusal {
  /** The option, dotted; '' is the whole step. */
  readonly key: string
  readonly why: string
}

/** What a transport cannot play of a step; empty if it can play it. */
export type RefusalsOf = (step: Step) => readonly Refusal[]

/**
 * Holds a schedule to what a transport can play: a list at once, a function at each attempt.
 *
 * @throws {NotOfferedError} naming each step and what to do.
 */
export function offered(schedule: Schedule, transport: Transport, refusalsOf: RefusalsOf, remedy: string): Schedule {
  const issuesOf = (step: Step, where: string): ScheduleIssue[] =>
    refusalsOf(step).map(({ key, why }) => ({
      path: key === '' ? where : `${where}.${key}`,
      message: `${nameOf(step, key)} is not offered by the ${transport} transport: ${why}; ${remedy}`,
    }))
  const refuse = (issues: readonly ScheduleIssue[]): void => {
    if (issues.length > 0) throw new NotOfferedError(issues)
  }
  const { steps, choose } = schedule
  if (steps !== null) refuse(steps.flatMap((step, index) => issuesOf(step, `schedule[${index}]`)))
  if (choose === null) return schedule
  return {
    steps: null,
    choose(request, history) {
      const chosen = choose(request, history)
      // What is no step is the player's to refuse, in its own words.
      if ((chosen as unknown) instanceof Promise) return chosen
      const where = `schedule(attempt ${request.attempt})`
      const step = parseStep(chosen, where)
      refuse(issuesOf(step, where))
      return step
    },
  }
}

const nameOf = (step: Step, key: string): string => (key === '' && isFault(step) ? `'${step.fault}'` : `"${key}"`)
