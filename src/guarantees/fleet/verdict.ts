import type { Verdict, VerdictKind } from '../model.js'
import type { FleetReport, FleetRun } from './model.js'
import { FLEET_RULES, type FleetRuleId } from './rules.js'

/** What a judgement of a fleet found. */
export interface FleetFinding {
  readonly kind: Extract<VerdictKind, 'pass' | 'fail' | 'inconclusive'>
  readonly rule: FleetRuleId
  readonly text: string
  readonly expected?: string
  readonly received?: string
}

/** Whoever states a bound has promised it: broken is fail, whatever the level of the rule behind it. */
export function fleetVerdict(guarantee: string, { client }: FleetReport, finding: FleetFinding): Verdict {
  const { level, source, requirement } = FLEET_RULES[finding.rule]
  const reason = { ...finding, level, source, requirement, trial: 0, attempt: null, text: `${client}: ${finding.text}` }
  return { guarantee, kind: finding.kind, level, stage: 2, source, reasons: [reason] }
}

/** The middle of a figure over the runs (the upper one of two): chance in one run is no verdict on the client. */
export function typical(runs: readonly FleetRun[], figure: (run: FleetRun) => number): number {
  const sorted = runs.map(figure).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted[sorted.length >> 1] ?? Number.NaN
}

/** "4.25": at most two decimals. */
export const ratioText = (ratio: number): string => String(Math.round(ratio * 100) / 100)

/** " (median of 9 runs)", or nothing for one. */
export const overRuns = ({ runs }: FleetReport): string => (runs.length === 1 ? '' : ` (median of ${runs.length} runs)`)
