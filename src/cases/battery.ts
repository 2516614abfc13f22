import type { Contract } from '../guarantees/contract.js'
import { guarantees } from '../guarantees/index.js'
import type { GuaranteeId, Level, Reason, Verdict, VerdictKind } from '../guarantees/model.js'
import { combine } from '../guarantees/verdict.js'
import { RANDOM_REPLACED } from '../guarantees/words.js'
import { ScheduleError } from '../schedule/error.js'
import type { Trial } from '../trace/model.js'
import { toClient } from '../trial/client.js'
import type { CallPlan, Client, ClientInput, TrialOptions } from '../trial/model.js'
import { runTrial } from '../trial/run-trial.js'
import { casesOf } from './index.js'
import type { BatteryReport, CallKind, Case, CaseResult, RunOne } from './model.js'

const HEAVY: readonly Level[] = ['must', 'should', 'may']

export interface BatteryOptions {
  /** Overrides the request; a method here limits the battery to it. */
  readonly call?: CallPlan
  /** Seeds to run each case with. Default [1]. */
  readonly seeds?: readonly number[]
  readonly transport?: TrialOptions['transport']
  /** Case id -> ticket: known failures. */
  readonly known?: Readonly<Record<string, string>>
}

/** Runs every case of a guarantee against a client, in virtual time, one trial at a time. */
export async function runBattery(
  guarantee: GuaranteeId,
  input: ClientInput,
  contract: Contract,
  options: BatteryOptions = {},
): Promise<BatteryReport> {
  const client = toClient(input)
  const results: CaseResult[] = []
  for (const row of casesOf(guarantee)) {
    for (const call of callsOf(row, options)) results.push(await runCase(row, call, client, contract, options))
  }
  return { guarantee, client: client.name, verdict: weigh(guarantee, results, options.known ?? {}), results }
}

/** Runs one case with one kind of call over all seeds. */
export async function runCase(
  row: Case,
  call: CallKind,
  client: Client,
  contract: Contract,
  options: BatteryOptions = {},
): Promise<CaseResult> {
  const reason = row.unsupported ?? row.appliesTo?.(contract, client) ?? null
  if (reason !== null) return { case: row, call, verdict: told(row, 'not-applicable', reason), trials: [] }
  const promised = row.contractFor?.(contract) ?? contract
  try {
    const trials = await playCase(row, call, client, promised, options)
    if (row.statistical && trials.some(({ randomReplaced }) => randomReplaced))
      return { case: row, call, verdict: told(row, 'inconclusive', RANDOM_REPLACED), trials }
    const verdict = guarantees[row.guarantee].judge(trials, promised)
    return { case: row, call, verdict: row.promised?.(contract) ? verdict : noHeavierThan(row, verdict, promised), trials }
  } catch (error) {
    // The schedules of cases are well-formed: one that is refused is one that this transport cannot play.
    if (error instanceof ScheduleError)
      return { case: row, call, verdict: told(row, 'not-applicable', error.message), trials: [] }
    throw error
  }
}

async function playCase(
  row: Case,
  call: CallKind,
  client: Client,
  contract: Contract,
  options: BatteryOptions,
): Promise<Trial[]> {
  const trials: Trial[] = []
  for (const seed of options.seeds ?? [1]) {
    const base: TrialOptions = {
      seed,
      transport: options.transport,
      keyHeader: contract.idempotency?.header,
      call: planOf(call, options.call),
    }
    const run: RunOne = (schedule, more) =>
      runTrial(client, schedule, { ...base, ...more, call: { ...base.call, ...more?.call } })
    trials.push(...(await row.play(run, contract, seed)))
  }
  return trials
}

/** A case may be held to be less binding than the rule that it rests on; what its reasons weigh is then weighed again. */
function noHeavierThan(row: Case, verdict: Verdict, contract: Contract): Verdict {
  const light = (reason: Reason): Reason =>
    HEAVY.indexOf(reason.level) < HEAVY.indexOf(row.level) ? { ...reason, level: row.level } : reason
  return combine(verdict.reasons.map(light), guarantees[row.guarantee], contract)
}

/** The methods that a case is run with: its own, or only the one that the user named. */
export function callsOf(row: Case, { call }: BatteryOptions): readonly CallKind[] {
  const kinds = row.calls ?? ['GET', 'POST']
  if (call?.method === undefined) return kinds
  if (row.calls === undefined || row.anyMethod) return [call.method as CallKind]
  return kinds.filter((kind) => planOf(kind).method === call.method)
}

function planOf(kind: CallKind, overrides: CallPlan = {}): CallPlan {
  const plan: CallPlan = kind === 'keyless-POST' ? { method: 'POST', idempotencyKey: 'none' } : { method: kind }
  return { ...overrides, ...plan }
}

/** Any fail fails; else one pass passes, the rest being listed; else the battery never met its situation. */
function weigh(guarantee: GuaranteeId, results: readonly CaseResult[], known: Readonly<Record<string, string>>): Verdict {
  const { id, level, stage, source } = guarantees[guarantee]
  const reasons = results.flatMap(({ case: row, verdict }) =>
    verdict.reasons.map((reason) => ({ ...reason, rule: reason.rule || row.id })),
  )
  const failing = results.filter(({ case: row, verdict }) => verdict.kind === 'fail' && !row.informational)
  const surprising = failing.filter(({ case: row }) => !(row.id in known))
  const stale = staleReasons(results, known)
  const kinds = new Set(results.filter(({ case: row }) => !row.informational).map(({ verdict }) => verdict.kind))
  const kind: VerdictKind =
    surprising.length > 0 || stale.length > 0
      ? 'fail'
      : kinds.has('pass')
        ? 'pass'
        : kinds.has('inconclusive') || failing.length > 0
          ? 'inconclusive'
          : 'not-applicable'
  return { guarantee: id, kind, level, stage, source, reasons: [...stale, ...reasons] }
}

/** A case that is listed as a known failure and passes: the list has gone stale. */
function staleReasons(results: readonly CaseResult[], known: Readonly<Record<string, string>>): readonly Reason[] {
  return Object.entries(known).flatMap(([id, ticket]) => {
    const rows = results.filter(({ case: row }) => row.id === id)
    if (
      rows.length === 0 ||
      rows.some(({ verdict }) => verdict.kind === 'fail') ||
      !rows.some(({ verdict }) => verdict.kind === 'pass')
    )
      return []
    const row = rows[0]!.case
    return [
      {
        kind: 'fail',
        rule: id,
        level: row.level,
        source: row.source,
        trial: 0,
        attempt: null,
        text: `${id} is listed as a known failure (${ticket}) but passes: remove it from the list`,
        requirement: row.title,
      } satisfies Reason,
    ]
  })
}

/** A verdict that rests on one sentence about the case itself. */
function told(row: Case, kind: 'not-applicable' | 'inconclusive', text: string): Verdict {
  const { guarantee, level, stage, source, id, title } = row
  const reason: Reason = { kind, rule: id, level, source, trial: 0, attempt: null, text, requirement: title }
  return { guarantee, kind, level, stage, source, reasons: [reason] }
}
