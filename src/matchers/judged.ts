import type { MatcherResult, MatcherState } from 'vitest'
import { runBattery } from '../cases/battery.js'
import type { BatteryReport, CaseResult } from '../cases/model.js'
import type { Contract } from '../guarantees/contract.js'
import { judge } from '../guarantees/judge.js'
import type { GuaranteeId, Verdict } from '../guarantees/model.js'
import { noteTrial, type TrialNote } from '../report/notes.js'
import type { Trial } from '../trace/model.js'
import type { ClientInput } from '../trial/model.js'
import { InconclusiveError, MatcherUsageError } from './errors.js'
import { failureMessage, toTerminal } from './message.js'
import { openJudgement } from './open.js'
import { type MatcherOptions, type ResolvedMatcherOptions, resolveMatcherOptions } from './options.js'
import { stackHere } from './stack.js'
import { subjectOf } from './subject.js'

/** What a judgement comes to; `message` is read only when the assertion fails. */
interface Judged {
  readonly pass: boolean
  readonly message: () => string
}

/**
 * The body that matchers of one guarantee share: a trial is judged at once, a client is put through the guarantee's battery.
 *
 * @param promise what the matcher's own arguments promise
 */
export function judgeBy(
  state: MatcherState,
  matcher: string,
  guarantee: GuaranteeId,
  received: unknown,
  options: MatcherOptions | undefined,
  promise: Contract = {},
): MatcherResult {
  return judgeSubject(state, matcher, received, resolveMatcherOptions(matcher, options, promise), {
    trials: (trials, { contract }) => judge(trials, contract, [guarantee])[0]!,
    client: (client, resolved) => judgeClient(guarantee, client, resolved),
  })
}

/** A verdict together with the trials that it speaks of. */
interface Judgement {
  readonly verdict: Verdict
  readonly trials: readonly Trial[]
}

/** How a matcher comes to its verdict: on trials at once, on a client after a battery. */
interface Judges {
  trials(trials: readonly Trial[], options: ResolvedMatcherOptions): Verdict
  client(client: ClientInput, options: ResolvedMatcherOptions): Promise<Judgement>
}

export function judgeSubject(
  state: MatcherState,
  matcher: string,
  received: unknown,
  options: ResolvedMatcherOptions,
  judges: Judges,
): MatcherResult {
  const subject = subjectOf(matcher, received)
  const { contract } = options
  if (subject.kind === 'trials') {
    const { trials } = subject
    return resultOf(state, { matcher, verdict: judges.trials(trials, options), trials, contract })
  }
  refuseWhereNothingAwaits(state, matcher)
  const stack = stackHere()
  return openJudgement(matcher, async () => {
    const { verdict, trials } = await judges.client(subject.client, options)
    return resultOf(state, { matcher, verdict, trials, contract, stack })
  })
}

async function judgeClient(guarantee: GuaranteeId, client: ClientInput, options: ResolvedMatcherOptions): Promise<Judgement> {
  const { contract, call, seeds, transport, known } = options
  const report = await runBattery(guarantee, client, contract, { call, seeds, transport, known })
  const telling = tellingResult(report, known)
  return { verdict: telling?.verdict ?? report.verdict, trials: telling?.trials ?? [] }
}

/** The case whose timeline explains the battery's verdict: the first one of the same kind. */
function tellingResult(report: BatteryReport, known: Readonly<Record<string, string>>): CaseResult | undefined {
  return report.results.find(
    ({ case: row, verdict }) =>
      verdict.kind === report.verdict.kind && !row.informational && !(verdict.kind === 'fail' && row.id in known),
  )
}

/**
 * What did not happen, or was not promised, is never a pass; it throws, so that `.not` cannot turn it into one. What fails is noted, for
 * the test to show it.
 */
export function resultOf(state: MatcherState, judgement: Omit<TrialNote, 'task'>): Judged {
  const { matcher, verdict, trials } = judgement
  // Inside an asymmetric matcher there is no state.
  const { isNot, task } = state as Partial<MatcherState>
  const pass = verdict.kind === 'pass'
  if (pass === (isNot ?? false) || (!pass && verdict.kind !== 'fail')) {
    const { stack = stackHere() } = judgement
    noteTrial({ ...judgement, matcher: isNot ? `not.${matcher}` : matcher, task, stack })
  }
  if (verdict.kind === 'inconclusive' || verdict.kind === 'not-applicable') {
    throw new InconclusiveError(failureMessage(matcher, verdict, trials))
  }
  return {
    pass,
    message: () => (pass ? toTerminal(renderUpheld(matcher, verdict, trials)) : failureMessage(matcher, verdict, trials)),
  }
}

/** The failure of `.not`: what was kept although the test says it should be broken. */
function renderUpheld(matcher: string, verdict: Verdict, trials: readonly Trial[]): string {
  const kept = verdict.reasons.find((reason) => reason.kind === 'pass')
  const trial = trials[kept?.trial ?? 0]
  const head = `not.${matcher}: expected the guarantee "${verdict.guarantee}" to be broken, but it was kept${kept ? `: ${kept.text}` : ''}`
  return trial === undefined ? head : `${head}\n\n${trial.timeline()}`
}

/** A judgement of a client takes time; there somebody has to wait for it. */
export function refuseWhereNothingAwaits(state: MatcherState, matcher: string): void {
  if (!('promise' in state)) {
    throw new MatcherUsageError(
      `${matcher}: a client cannot be judged inside an asymmetric matcher; use await expect(client).${matcher}(...)`,
    )
  }
  if ((state as { poll?: unknown }).poll === true) {
    throw new MatcherUsageError(`${matcher}: a client cannot be judged by expect.poll; use await expect(client).${matcher}(...)`)
  }
}
