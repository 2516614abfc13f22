import type { MatcherResult, MatcherState } from 'vitest'
import type { Reason, Verdict } from '../guarantees/model.js'
import { noteTrial } from '../report/notes.js'
import { FAULT_KINDS } from '../schedule/model.js'
import type { AttemptResult } from '../trace/model.js'
import { show } from '../trial/client.js'
import { MatcherUsageError } from './errors.js'
import { toTerminal } from './message.js'
import { stackHere } from './stack.js'
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
  const verdict = verdictOn(trial.statuses, statuses, pass)
  if (pass === (this.isNot === true)) {
    const matcher = pass ? 'not.toFollowSchedule' : 'toFollowSchedule'
    noteTrial({ matcher, trials: [trial], verdict, task: this.task, stack: stackHere() })
  }
  const [reason] = verdict.reasons as [Reason]
  return {
    pass,
    message: () =>
      toTerminal(
        [
          pass ? `not.toFollowSchedule: ${reason.text}` : `toFollowSchedule: ${reason.text}`,
          '',
          `  expected  ${reason.expected}`,
          `  received  ${reason.received}`,
          '',
          trial.timeline(),
        ].join('\n'),
      ),
  }
}

const list = (values: readonly unknown[]) => `[${values.join(', ')}]`

/** A comparison in the form of a judgement, so that it is shown like one. */
function verdictOn(seen: readonly AttemptResult[], wanted: readonly AttemptResult[], pass: boolean): Verdict {
  const first = seen.findIndex((status, i) => status !== wanted[i])
  const at = (first < 0 ? Math.min(seen.length, wanted.length) : first) + 1
  const came = at > seen.length ? 'never came' : `came to ${seen[at - 1]}`
  const meant = at > wanted.length ? ', where nothing was expected' : `, expected ${wanted[at - 1]}`
  const shared = { level: 'must', stage: 1, source: 'suite' } as const
  const kind = pass ? 'pass' : 'fail'
  const reason: Reason = {
    ...shared,
    kind,
    rule: 'schedule',
    trial: 0,
    attempt: pass || at > seen.length ? null : at,
    text: pass ? `the trace is exactly ${list(wanted)}` : `attempt ${at} ${came}${meant}`,
    requirement: 'follow the schedule attempt by attempt',
    expected: list(wanted),
    received: list(seen),
    mark: pass ? undefined : `${at > seen.length ? `attempt ${at} never came` : came}${meant}`,
  }
  return { ...shared, guarantee: 'schedule', kind, reasons: [reason] }
}
