import { loadTrial as loadRecord } from '../trace/load.js'
import type { Trial } from '../trace/model.js'
import { renderTimeline } from './timeline.js'

/**
 * Reads a trial that `JSON.stringify(trial)` wrote, so that it can be shown and judged again.
 *
 * @param json The parsed JSON.
 * @throws {TraceFormatError} when it is no saved trace; names the place, what was expected there and what was found.
 * @example
 * const trial = loadTrial(JSON.parse(await readFile('trace.json', 'utf8')))
 * console.log(trial.timeline())
 */
export const loadTrial = (json: unknown): Trial => loadRecord(json, renderTimeline)
