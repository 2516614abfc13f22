import type { MatcherResult, MatcherState } from 'vitest'
import type { Contract } from '../guarantees/contract.js'
import { judge } from '../guarantees/judge.js'
import { renderFailure } from '../report/failure.js'
import { MatcherUsageError } from './errors.js'
import { type MatcherOptions, resolveMatcherOptions } from './options.js'
import { subjectOf } from './subject.js'

export function toUphold(this: MatcherState, received: unknown, contract?: Contract, options?: MatcherOptions): MatcherResult {
  const resolved = resolveMatcherOptions('toUphold', options, contract)
  const subject = subjectOf('toUphold', received)
  if (subject.kind === 'client') {
    throw new MatcherUsageError('toUphold: expected a trial, received a client: run it with runTrial(client, schedule) first')
  }
  const { trials } = subject
  const verdicts = judge(trials, resolved.contract)
  const broken = verdicts.filter((verdict) => verdict.kind === 'fail')
  const count = (kind: string) => verdicts.filter((verdict) => verdict.kind === kind).length
  return {
    pass: broken.length === 0,
    message: () =>
      broken[0] === undefined
        ? `not.toUphold: nothing was broken (${count('pass')} guarantees kept, ${count('inconclusive')} not met, ${count('not-applicable')} not promised)\n\n${trials[0]!.timeline()}`
        : `${renderFailure('toUphold', broken[0], trials)}${others(broken.slice(1).map((verdict) => verdict.guarantee))}`,
  }
}

function others(guarantees: readonly string[]): string {
  return guarantees.length === 0 ? '' : `\n  broken too  ${guarantees.join(', ')}`
}
