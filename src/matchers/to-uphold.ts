import type { MatcherResult, MatcherState } from 'vitest'
import type { Contract } from '../guarantees/contract.js'
import { judge } from '../guarantees/judge.js'
import { noteTrial } from '../report/notes.js'
import type { Trial } from '../trace/model.js'
import { refuseWhereNothingAwaits } from './judged.js'
import { failureMessage, toTerminal } from './message.js'
import { openJudgement } from './open.js'
import { type ResolvedMatcherOptions, resolveMatcherOptions } from './options.js'
import { stackHere } from './stack.js'
import { subjectOf } from './subject.js'
import { upholdClient } from './uphold-client.js'
import { partOptions, refuseSearchOptions, type UpholdOptions } from './uphold-options.js'

export function toUphold(this: MatcherState, received: unknown, contract?: Contract, options?: UpholdOptions): MatcherResult {
  const { own, shared } = partOptions(options)
  const resolved = resolveMatcherOptions('toUphold', shared, contract)
  const subject = subjectOf('toUphold', received)
  if (subject.kind === 'trials') {
    refuseSearchOptions(own)
    return upholdTrials(this, subject.trials, resolved)
  }
  refuseWhereNothingAwaits(this, 'toUphold')
  const stack = stackHere()
  return openJudgement('toUphold', () => upholdClient(this, subject.client, resolved, own, stack))
}

function upholdTrials({ task, isNot }: MatcherState, trials: readonly Trial[], { contract }: ResolvedMatcherOptions) {
  const verdicts = judge(trials, contract)
  const broken = verdicts.filter((verdict) => verdict.kind === 'fail')
  const [worst] = broken
  const count = (kind: string) => verdicts.filter((verdict) => verdict.kind === kind).length
  const kept = verdicts.find((verdict) => verdict.kind === 'pass')
  const verdict = isNot ? kept : worst
  if ((worst === undefined) === (isNot === true) && verdict !== undefined) {
    noteTrial({ matcher: isNot ? 'not.toUphold' : 'toUphold', trials, verdict, contract, task, stack: stackHere() })
  }
  return {
    pass: worst === undefined,
    message: () =>
      worst === undefined
        ? toTerminal(
            `not.toUphold: nothing was broken (${count('pass')} guarantees kept, ${count('inconclusive')} not met, ${count('not-applicable')} not promised)\n\n${trials[0]!.timeline()}`,
          )
        : `${failureMessage('toUphold', worst, trials)}${others(broken.slice(1).map((verdict) => verdict.guarantee))}`,
  }
}

function others(guarantees: readonly string[]): string {
  return guarantees.length === 0 ? '' : `\n  broken too  ${guarantees.join(', ')}`
}
