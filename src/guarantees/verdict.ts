import type { Trial } from '../trace/model.js'
import type { Contract } from './contract.js'
import type { Guarantee, Level, Reason, Verdict, VerdictKind } from './model.js'
import { RULES, type RuleId } from './rules.js'

/** What a guarantee found; level, source and requirement come from the rule unless it says otherwise. */
export interface Finding {
  readonly rule: RuleId
  readonly trial: number
  readonly attempt?: number | null
  readonly text: string
  readonly expected?: string
  readonly received?: string
  readonly mark?: string
  readonly level?: Level
}

function reason(kind: VerdictKind, { attempt = null, ...finding }: Finding): Reason {
  return { kind, ...RULES[finding.rule], ...finding, level: finding.level ?? RULES[finding.rule].level, attempt }
}

export const fail = (finding: Finding): Reason => reason('fail', finding)
export const pass = (finding: Finding): Reason => reason('pass', finding)
export const inconclusive = (finding: Finding): Reason => reason('inconclusive', finding)
/** One thing that the contract exempts; a whole guarantee is exempted by `inapplicable`. */
export const exempt = (finding: Finding): Reason => reason('not-applicable', finding)

type About = Omit<Guarantee, 'judge'>

/** A rule about trials, before its reasons are weighed. */
export interface GuaranteeDefinition extends About {
  /** Cited where nothing happened that another rule speaks about. */
  readonly rule: RuleId
  /** What did not happen: the reason of a verdict that has none. */
  readonly unmet: string
  /** What to change, so that it happens. */
  readonly advice: string
  /** Why this cannot be asked under the contract, or of these trials; null when it can. */
  inapplicable?(trials: readonly Trial[], contract: Contract): string | null
  reasons(trials: readonly Trial[], contract: Contract): readonly Reason[]
}

/** The guarantee of a definition: its reasons, weighed by `combine`. */
export function defineGuarantee({ rule, unmet, advice, inapplicable, reasons, ...about }: GuaranteeDefinition): Guarantee {
  const judge = (trials: readonly Trial[], contract: Contract): Verdict => {
    const why = inapplicable?.(trials, contract) ?? null
    if (why !== null) return notApplicable(about, why)
    const found = reasons(trials, contract)
    const verdict = combine(found, about, contract)
    if (verdict.kind !== 'inconclusive') return verdict
    const told = found.map((one) => (one.kind === 'inconclusive' ? { expected: advice, ...one } : one))
    if (told.some(({ kind }) => kind === 'inconclusive')) return combine(told, about, contract)
    const light = found.find(({ kind }) => kind === 'fail')
    const untold = light === undefined ? inconclusive({ rule, trial: 0, text: `${unmet}; ${advice}` }) : brokenLightly(light)
    return combine([...told, untold], about, contract)
  }
  return { ...about, judge }
}

/** What was broken is no more than a `should` (or a `may`): said so, not kept silent. */
const brokenLightly = (light: Reason): Reason => ({
  ...light,
  kind: 'inconclusive',
  text: `${light.level}, broken: ${light.text}${light.level === 'should' ? '; with `strict` this fails' : ''}`,
})

/** Reasons of each trial on its own, one after the other. */
export const eachTrial =
  (judge: (trial: Trial, contract: Contract, index: number) => readonly Reason[]) =>
  (trials: readonly Trial[], contract: Contract): readonly Reason[] =>
    trials.flatMap((trial, index) => judge(trial, contract, index))

/** What the contract does not promise is not judged. */
export function notApplicable({ id, level, stage, source, requirement }: About, text: string): Verdict {
  const why: Reason = { kind: 'not-applicable', rule: id, level, source, trial: 0, attempt: null, text, requirement }
  return { guarantee: id, kind: 'not-applicable', level, stage, source, reasons: [why] }
}

const fails =
  (strict: boolean) =>
  ({ kind, level }: Reason): boolean =>
    kind === 'fail' && (level === 'must' || (strict && level === 'should'))

/**
 * Weighs reasons: a broken `must` fails, a broken `should` only under `strict`; else one kept rule passes; else nothing was shown.
 * All reasons stay, those that decide first.
 */
export function combine(reasons: readonly Reason[], { id, level, stage, source }: About, contract: Contract): Verdict {
  const broken = reasons.filter(fails(contract.strict ?? false))
  const kind = broken.length > 0 ? 'fail' : kindOfUnbroken(reasons)
  // Stable: reasons of one kind stay in the order of the trace.
  const deciding = broken.length > 0 ? broken : reasons.filter((candidate) => candidate.kind === kind)
  const rest = reasons.filter((candidate) => !deciding.includes(candidate))
  const worst = broken.find((candidate) => candidate.level === 'must') ?? broken[0]
  return {
    guarantee: id,
    kind,
    level: worst?.level ?? level,
    stage,
    source: worst?.source ?? source,
    reasons: [...deciding, ...rest],
  }
}

function kindOfUnbroken(reasons: readonly Reason[]): VerdictKind {
  if (reasons.some(({ kind }) => kind === 'pass')) return 'pass'
  const onlyInapplicable = reasons.length > 0 && reasons.every(({ kind }) => kind === 'not-applicable')
  return onlyInapplicable ? 'not-applicable' : 'inconclusive'
}
