import { ScheduleError } from './error.js'
import type { Schedule, ScheduledRequest, ScheduleFunction, Step, StepInput } from './model.js'
import { parseStep } from './parse.js'
import { show } from './words.js'

/** The step that one attempt meets. */
export interface PlayedStep {
  readonly step: Step
  /** 0-based index in the schedule; null for a function schedule. */
  readonly index: number | null
}

/** Hands out the steps of one trial, one per attempt. */
export interface Player {
  /** Consumes a step. `history` are the requests before this one. */
  next(request: ScheduledRequest, history: readonly ScheduledRequest[]): PlayedStep
  /** The step in line, without consuming it; null for a function schedule, which knows only when the request is there. */
  upcoming(): Step | null
  /** The steps that no attempt reached; a repeated step counts as reached with its first attempt. */
  unplayed(): Step[]
}

const listPlayer = (steps: readonly Step[]): Player => {
  let index = 0
  let playedOfStep = 0
  let reached = 0

  const advance = (): void => {
    const last = index === steps.length - 1
    if (!last && playedOfStep >= (steps[index]?.repeat ?? 1)) {
      index++
      playedOfStep = 0
    }
  }

  return {
    next() {
      advance()
      playedOfStep++
      reached = index + 1
      return { step: steps[index]!, index }
    },
    upcoming() {
      advance()
      return steps[index]!
    },
    unplayed: () => steps.slice(reached),
  }
}

const call = (
  choose: ScheduleFunction,
  request: ScheduledRequest,
  history: readonly ScheduledRequest[],
  where: string,
): StepInput => {
  try {
    return choose(request, history)
  } catch (error) {
    throw new ScheduleError([{ path: where, message: `the schedule function threw ${String(error)}` }], { cause: error })
  }
}

const functionPlayer = (choose: ScheduleFunction): Player => ({
  next(request, history) {
    const where = `schedule(attempt ${request.attempt})`
    const chosen: unknown = call(choose, request, history, where)
    if (chosen instanceof Promise) {
      // Its rejection, if any, would otherwise be reported a second time, as nobody's.
      chosen.catch(() => {})
      throw new ScheduleError([
        { path: where, message: `expected a step, received ${show(chosen)}; a schedule function answers at once` },
      ])
    }
    return { step: parseStep(chosen, where), index: null }
  },
  upcoming: () => null,
  unplayed: () => [],
})

/**
 * Plays a validated schedule: its steps in order, each as often as `repeat` says, the last one for ever.
 *
 * @param schedule From `parseSchedule`. One player belongs to one trial.
 * @throws {ScheduleError} From `next`, when a function schedule throws, returns a promise or returns something that is no step.
 */
export const createPlayer = (schedule: Schedule): Player =>
  schedule.choose ? functionPlayer(schedule.choose) : listPlayer(schedule.steps ?? [])
