import type { Progress, SearchOptions } from './model.js'
import type { Tally } from './tally.js'

const EVERY_MS = 1_000

/** Tells how far a search has come: to the user's function after every run, else on a terminal once a second. */
export function progressLine(
  onProgress: SearchOptions['onProgress'],
  runs: number,
  elapsedMs: () => number,
): (tally: Tally) => void {
  const tell = onProgress ?? (process.stderr.isTTY ? onTerminal() : undefined)
  return ({ runs: done }) => tell?.({ done, runs, elapsedMs: Math.round(elapsedMs()) })
}

/** Silent for the first second: most searches are shorter. */
function onTerminal(): (progress: Progress) => void {
  let nextAtMs = EVERY_MS
  return ({ done, runs, elapsedMs }) => {
    if (elapsedMs < nextAtMs) return
    nextAtMs = elapsedMs + EVERY_MS
    process.stderr.write(`\rsearching: ${done} of ${runs} runs, ${Math.round(elapsedMs / 1_000)} s${done >= runs ? '\n' : ''}`)
  }
}
