import type { Trial } from '../../src/trace/model.js'
import type { Cell, Ending, Range } from './cells.js'
import { endingOf } from './ending.js'
import { STATED_NOISE_MS } from './noisier.js'
import { COARSE_TIMEOUT_MS, RANDOM_WAITS } from './random-waits.js'
import type { Scenario } from './scenarios.js'

/** Node truncates the delays of timers. */
const TICK_MS = 1
/** After an abort the measurement waited this long for the client. */
const PATIENCE_MS = 2000

/** Every respect in which a trial in virtual time differs from the measurement; empty when they agree. */
export function disagreements(cell: Cell, scenario: Scenario, trial: Trial, noiseMs = STATED_NOISE_MS): readonly string[] {
  const endOfView = scenario.capMs ?? scenario.abortAtMs ?? Number.POSITIVE_INFINITY
  const arrivals = trial.attempts.filter(({ arrivedAtMs }) => arrivedAtMs < endOfView)
  const ending = endingOf(trial)
  return [
    ...differs('attempts', arrivals.length, cell.attempts),
    ...(cell.waitsMs ?? []).flatMap((measured, gap) =>
      waitDiffers(cell.client, scenario, trial.gapsMs[gap], { measured, noiseMs }, gap),
    ),
    ...hintDiffers(cell, scenario, trial.gapsMs[0]),
    ...settlingDiffers(cell, scenario, trial),
    ...abortDiffers(cell, trial),
    ...endingDiffers(cell.outcome, ending, trial, endOfView),
  ]
}

function differs(what: string, seen: unknown, measured: unknown): readonly string[] {
  return measured === undefined || seen === measured ? [] : [`${what}: ${seen}, measured ${measured}`]
}

/** A measured time is never shorter than the true one, and longer by no more than the noise and its rounding. */
function within(seenMs: number, [from, to]: Range, noiseMs = STATED_NOISE_MS, slackMs = 0): boolean {
  return seenMs >= from - noiseMs - slackMs && seenMs <= to + TICK_MS + slackMs
}

function waitDiffers(
  client: string,
  scenario: Scenario,
  seenMs: number | null | undefined,
  { measured, noiseMs }: { measured: Range; noiseMs: number },
  gap: number,
): readonly string[] {
  const agrees =
    typeof seenMs === 'number' &&
    (within(seenMs, measured, noiseMs) || bandsOf(client, scenario, gap).some((band) => inBand(seenMs, measured, band)))
  return agrees ? [] : [`wait ${gap + 1}: ${seenMs} ms, measured ${measured.join(' to ')} ms`]
}

/** Where a wait is not to be expected to be the same twice: dice of the client's, or a date whose second was not yet over. */
function bandsOf(client: string, scenario: Scenario, gap: number): readonly Range[] {
  const dice = RANDOM_WAITS[client]?.(gap, scenario)
  const { hintMs } = scenario
  return [...(dice === undefined ? [] : [dice]), ...(hintMs === undefined || hintMs[0] === hintMs[1] ? [] : [hintMs])]
}

function inBand(seenMs: number, measured: Range, band: Range): boolean {
  const [from, to] = band
  return seenMs >= from && seenMs <= to + TICK_MS && measured[1] >= from && measured[0] <= to + STATED_NOISE_MS
}

function hintDiffers({ hint }: Cell, { hintMs }: Scenario, firstGapMs: number | null | undefined): readonly string[] {
  if (hint === undefined || hintMs === undefined || typeof firstGapMs !== 'number') return []
  return differs('hint', firstGapMs >= hintMs[0] - TICK_MS ? 'waited' : 'early', hint)
}

function settlingDiffers(cell: Cell, scenario: Scenario, trial: Trial): readonly string[] {
  const { settledMs, client } = cell
  if (settledMs === undefined) return []
  const waits = trial.gapsMs.length
  const dice = trial.gapsMs.reduce((sum: number, _, gap) => sum + widthOf(RANDOM_WAITS[client]?.(gap, scenario)), 0)
  const coarse = scenario.timeoutMs === undefined ? 0 : (COARSE_TIMEOUT_MS[client] ?? 0)
  const agrees = trial.settledAtMs !== null && within(trial.settledAtMs, settledMs, STATED_NOISE_MS * (waits + 1), dice + coarse)
  return agrees ? [] : [`settled at ${trial.settledAtMs} ms, measured ${settledMs.join(' to ')} ms`]
}

const widthOf = (band: Range | undefined): number => (band === undefined ? 0 : band[1] - band[0])

function abortDiffers(cell: Cell, trial: Trial): readonly string[] {
  const { afterAbortMs, beforeAbort } = cell
  const call = trial.calls[0]!
  if (beforeAbort) return differs('aborted at', call.abortedAtMs, null)
  if (afterAbortMs === undefined) return []
  const { abortedAtMs, settledAtMs } = call
  if (abortedAtMs === null) return [`settled at ${settledAtMs} ms, before the abort`]
  const late = settledAtMs === null ? Number.POSITIVE_INFINITY : settledAtMs - abortedAtMs
  const agrees = afterAbortMs === 'ignored' ? late > PATIENCE_MS : within(late, afterAbortMs)
  const sentAfter = trial.attempts.filter(({ arrivedAtMs }) => arrivedAtMs > abortedAtMs).length
  return [
    ...(agrees ? [] : [`settled ${late} ms after the abort, measured ${afterAbortMs}`]),
    ...differs('requests after the abort', sentAfter, 0),
  ]
}

function endingDiffers(measured: Ending, seen: Ending, trial: Trial, endOfView: number): readonly string[] {
  const settledInView = trial.settledAtMs !== null && trial.settledAtMs < endOfView
  if (measured.kind === 'pending' || measured.kind === 'waiting') {
    return settledInView ? [`settled as ${print(seen)}, measured ${measured.kind}`] : []
  }
  return differs('outcome', print(seen), print(measured))
}

function print(ending: Ending): string {
  if (ending.kind === 'response') return `response ${ending.status}`
  return ending.kind === 'error' ? `error ${ending.status ?? ending.name}` : ending.kind
}
