import type { MatcherResult, MatcherState } from 'vitest'
import { FAULT_KINDS } from '../schedule/model.js'
import type { AttemptResult } from '../trace/model.js'
import { show } from '../trial/client.js'
import { MatcherUsageError } from './errors.js'
import { trialOf } from './subject.js'

const WORDS: readonly unknown[] = [...FAULT_KINDS, 'hang-up', 'open']

export function toFollowSchedule(this: MatcherState, received: unknown, statuses: readonly AttemptResult[]): MatcherResult {
  const trial = trialOf('toFollowSchedule', received)
  if (!Array.isArray(statuses) || statuses.length === 0) {
    throw new MatcherUsageError(
      `toFollowSchedule(statuses): expected a list such as [429, 'reset', 200], received ${show(statuses)}`,
    )
  }
  const odd = statuses.findIndex((status) => !Number.isInteger(status) && !WORDS.includes(status))
  if (odd >= 0) {
    throw new MatcherUsageError(
      `toFollowSchedule(statuses)[${odd}]: expected a status or one of ${WORDS.map((word) => `'${word}'`).join(', ')}, received ${show(statuses[odd])}`,
    )
  }
  const pass = this.equals(trial.statuses, statuses)
  const list = (values: readonly unknown[]) => `[${values.join(', ')}]`
  const first = trial.statuses.findIndex((status, i) => status !== statuses[i])
  const at = (first < 0 ? Math.min(trial.statuses.length, statuses.length) : first) + 1
  return {
    pass,
    message: () =>
      [
        pass
          ? `not.toFollowSchedule: the trace is exactly ${list(statuses)}`
          : `toFollowSchedule: attempt ${at} ${at > trial.statuses.length ? 'never came' : `came to ${trial.statuses[at - 1]}`}${at > statuses.length ? ', where nothing was expected' : `, expected ${statuses[at - 1]}`}`,
        '',
        `  expected  ${list(statuses)}`,
        `  received  ${list(trial.statuses)}`,
        '',
        trial.timeline(),
      ].join('\n'),
  }
}
