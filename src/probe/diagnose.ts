import type { Contract } from '../guarantees/contract.js'
import { resolveContract } from '../guarantees/resolve.js'
import type { DecisionRow, DecisionTable } from '../report/decision-table.js'
import type { Trial } from '../trace/model.js'
import { show } from '../trial/client.js'
import { hiddenLayer, hintIgnored, permanentRetried } from './observations/client.js'
import { aboveRate, dedupAnswers, limitWithoutHint, untestedPath } from './observations/endpoint.js'
import type { Observation } from './observations/model.js'
import { deadlineMet, queueGrowth, timeoutBelowLatency } from './observations/time.js'
import { observedRuns } from './observed-runs.js'
import { TracesError } from './read-traces.js'

/** One run proves nothing; from this many on a share of them is a pattern. */
const ENOUGH_RUNS = 20

function checkTrials(trials: unknown): asserts trials is readonly Trial[] {
  if (!Array.isArray(trials)) throw new TracesError(`diagnose(trials): expected a list of trials, received ${show(trials)}`)
  const wrong = trials.findIndex((trial) => !(Array.isArray(trial?.attempts) && Array.isArray(trial?.calls)))
  if (wrong >= 0)
    throw new TracesError(
      `diagnose(trials)[${wrong}]: expected a trial, as from runTrial, probe, serve or readTraces, received ${show(trials[wrong])}`,
    )
}

/** What the client does wrong comes first, then what is to be changed, then what is to be known. */
const OBSERVATIONS: readonly Observation[] = [
  hintIgnored,
  permanentRetried,
  hiddenLayer,
  aboveRate,
  limitWithoutHint,
  timeoutBelowLatency,
  deadlineMet,
  queueGrowth,
  dedupAnswers,
  untestedPath,
]

/**
 * Reads traces as a decision table: what was seen and how often, what it means, what to do. Traces may come from a probe, from trials, from
 * `serve` or from a HAR file.
 *
 * | row | seen when |
 * | --- | --- |
 * | hint-ignored, permanent-retried | the guarantee of that name is broken in at least one call |
 * | hidden-layer | more than 5 attempts of a call (or `contract.maxAttempts`), or a retry counter that starts anew |
 * | above-rate, limit-without-hint | 429 with, or without, a hint on more than half of the calls |
 * | timeout-below-latency | 3 or more attempts given up after one time, within 10 % or 50 ms |
 * | deadline-met | a call ended by its deadline, past it, or rejected in its name |
 * | queue-growth | over at least 9 calls, the wait before the first attempt doubles to 100 ms or more from the first third to the last, success latency grows by less than 30 % |
 * | dedup-answers | an answer says that it is the first result again |
 * | untested-path | every first attempt succeeded |
 *
 * A row that rests on fewer than 20 calls says so.
 *
 * @param trials of one client, in the order that they were made
 * @throws TracesError for what is no trial
 * @param contract what the client promises; sharpens hidden-layer and deadline-met, and decides what is permanent
 * @example
 * const { rows } = diagnose(report.trials)
 * rows.map(({ id, count, of }) => `${id}: ${count} of ${of}`)
 */
export function diagnose(trials: readonly Trial[], contract: Contract = {}): DecisionTable {
  checkTrials(trials)
  const runs = observedRuns(trials)
  const observed = { runs, contract: resolveContract(contract) }
  const rows = OBSERVATIONS.flatMap(({ find, ...row }): DecisionRow[] => {
    const finding = find(observed)
    return finding === null ? [] : [{ ...row, ...finding, fewRuns: finding.of < ENOUGH_RUNS, enough: ENOUGH_RUNS }]
  })
  return { rows, runs: runs.length, attempts: trials.reduce((sum, { attempts }) => sum + attempts.length, 0) }
}
