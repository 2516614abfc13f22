import type { MatcherResult, MatcherState } from 'vitest'
import { runBattery } from '../cases/battery.js'
import type { BatteryReport, CaseResult } from '../cases/model.js'
import type { Contract } from '../guarantees/contract.js'
import { judge } from '../guarantees/judge.js'
import type { GuaranteeId, Verdict } from '../guarantees/model.js'
import { renderFailure } from '../report/failure.js'
import type { Trial } from '../trace/model.js'
import type { ClientInput } from '../trial/model.js'
import { InconclusiveError, MatcherUsageError } from './errors.js'
import { openJudgement } from './open.js'
import { type MatcherOptions, type ResolvedMatcherOptions, resolveMatcherOptions } from './options.js'
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
  if (subject.kind === 'trials') return resultOf(matcher, judges.trials(subject.trials, options), subject.trials)
  refuseWhereNothingAwaits(state, matcher)
  return openJudgement(matcher, async () => {
    const { verdict, trials } = await judges.client(subject.client, options)
    return resultOf(matcher, verdict, trials)
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

/** What did not happen, or was not promised, is never a pass; it throws, so that `.not` cannot turn it into one. */
export function resultOf(matcher: string, verdict: Verdict, trials: readonly Trial[]): Judged {
  if (verdict.kind === 'inconclusive' || verdict.kind === 'not-applicable') {
    throw new InconclusiveError(renderFailure(matcher, verdict, trials))
  }
  const pass = verdict.kind === 'pass'
  return {
    pass,
    message: () => (pass ? renderUpheld(matcher, verdict, trials) : renderFailure(matcher, verdict, trials)),
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
