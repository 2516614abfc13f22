import type { Trial } from '../../src/trace/model.js'
import type { Cell, Range } from './cells.js'
import { endingOf } from './ending.js'
import { COARSE_TIMEOUT_MS, RANDOM_WAITS } from './random-waits.js'
import type { Scenario } from './scenarios.js'

/** What the event loop can add to a measured wait, as the tables state it. It never takes anything away. */
const NOISE_MS = 30
/** Node truncates the delays of timers. */
const TICK_MS = 1
const IGNORED_AFTER_MS = 2000

/** Every respect in which a trial in virtual time differs from the measurement; empty when they agree. */
export function disagreements(cell: Cell, scenario: Scenario, trial: Trial): readonly string[] {
  return [
    ...attemptsDiffer(cell, trial),
    ...(cell.waitsMs ?? []).flatMap((measured, gap) => waitDiffers(cell, scenario, trial, measured, gap)),
    ...hintDiffers(cell, scenario, trial),
    ...settlingDiffers(cell, scenario, trial),
    ...abortDiffers(cell, trial),
    ...endingDiffers(cell, scenario, trial),
  ]
}

function attemptsDiffer(cell: Cell, trial: Trial): readonly string[] {
  if (cell.attempts === undefined || trial.attempts.length === (cell.outcome.kind === 'waiting' ? firstAttempts(cell, trial) : cell.attempts)) return []
  return [`${trial.attempts.length} attempts, measured ${cell.attempts}`]
}
