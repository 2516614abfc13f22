import type { Contract } from '../guarantees/contract.js'
import { judge } from '../guarantees/judge.js'
import type { Reason, Verdict } from '../guarantees/model.js'
import { isFault } from '../schedule/model.js'
import { shortest } from '../schedule/print.js'
import { hintOf } from '../trace/hints.js'
import type { Trial } from '../trace/model.js'
import type { Client, TrialOptions } from '../trial/model.js'
import { runTrial } from '../trial/run-trial.js'
import type { Draw, JudgedRun } from './model.js'
import type { StepList } from './schedule-shrinker.js'
import { asStep } from './step-shrinker.js'

/** Longer than all hints of a schedule together: a client that waits as it was told has not run away. */
const MAX_VIRTUAL_MS = 40 * 365 * 86_400_000
/** What `runTrial` allows when nothing is said. */
const DEFAULT_MAX_VIRTUAL_MS = 30 * 86_400_000
const DEFAULT_KEY_HEADER = 'idempotency-key'
/** A client that makes so many events within one trial does not stop by itself, unless it was given long to go on. */
const maxEvents = ({ deadlineMs = 0 }: Contract): number => 5_000 + Math.ceil(deadlineMs / 20)

export interface JudgeOptions {
  readonly contract: Contract
  readonly hintHeaders: readonly string[]
  readonly transport: 'socket' | 'fetch'
  readonly call: TrialOptions['call']
  readonly known: ReadonlySet<string>
}

/** Runs a client once, with a server, a clock and a random seed of its own, and judges what was seen. */
export async function judgeRun(client: Client, draw: Draw, options: JudgeOptions): Promise<JudgedRun> {
  const { contract, hintHeaders } = options
  const asked = optionsOf(draw, options)
  const limits = { maxVirtualMs: MAX_VIRTUAL_MS, maxEvents: maxEvents(contract) }
  const run = (schedule: StepList) => runTrial(client, schedule, { ...asked, ...limits })
  const trial = await run(draw.schedule)
  const trials = isWorthATwin(trial, hintHeaders) ? [trial, await run(withoutHints(draw.schedule, hintHeaders))] : [trial]
  const verdicts = judge(trials, contract)
  const isBeyondDefaults = trials.some(({ settledAtMs }) => settledAtMs === null || settledAtMs > DEFAULT_MAX_VIRTUAL_MS)
  const replay = isBeyondDefaults ? { ...asked, ...limits } : asked
  return {
    draw,
    options: replay,
    trials,
    verdicts,
    broken: unknownFailures(verdicts, contract, options.known),
  }
}

/** The third argument of `runTrial` for a draw, its limits aside. */
function optionsOf({ plan }: Draw, { contract, transport, call }: JudgeOptions): TrialOptions {
  const { idempotency, deadlineBy, deadlineMs } = contract
  const request = { ...plan.call, ...call }
  return {
    ...plan,
    ...(Object.keys(request).length === 0 ? {} : { call: request }),
    ...(deadlineBy === 'signal' ? { abortAtMs: deadlineMs } : {}),
    ...(idempotency?.header === undefined || idempotency.header === DEFAULT_KEY_HEADER ? {} : { keyHeader: idempotency.header }),
    ...(transport === 'socket' ? {} : { transport }),
  }
}

/**
 * A hint against the grammar counts as absent, which only a twin without it can show. A well-formed one on the way would give the twin other
 * waits, and other random numbers, than the trial.
 */
function isWorthATwin({ attempts }: Trial, headers: readonly string[]): boolean {
  const hints = attempts.map((attempt) => hintOf(attempt, { headers })).filter((hint) => hint !== null)
  return hints.length > 0 && hints.every(({ kind }) => kind === 'malformed')
}

function withoutHints(schedule: StepList, hintHeaders: readonly string[]): StepList {
  return schedule.map((input) => {
    const step = asStep(input)
    if (isFault(step)) return input
    const { retryAfter: _seconds, retryAfterMs: _ms, headers, ...rest } = step
    const kept = Object.entries(headers ?? {}).filter(([name]) => !hintHeaders.includes(name.toLowerCase()))
    return shortest(kept.length === 0 ? rest : { ...rest, headers: Object.fromEntries(kept) })
  })
}

/** What is broken by a rule that is not on the list of known failures; the known ones are left out of it. */
function unknownFailures(verdicts: readonly Verdict[], { strict }: Contract, known: ReadonlySet<string>): readonly Verdict[] {
  const isKnown = ({ kind, rule }: Reason) => kind === 'fail' && known.has(rule)
  const decides = ({ kind, level }: Reason) => kind === 'fail' && (level === 'must' || strict === true)
  return verdicts
    .filter(({ kind }) => kind === 'fail')
    .map((verdict) => ({ ...verdict, reasons: verdict.reasons.filter((reason) => !isKnown(reason)) }))
    .filter(({ reasons }) => reasons.some(decides))
}
