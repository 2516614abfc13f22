import { loadTrial } from '../report/load-trial.js'
import type { Trial } from '../trace/model.js'
import { HarError, readHar } from './har.js'
import type { RedactOptions } from './redact.js'

/** A file that holds no trace in any of the known forms. */
export class TracesError extends Error {
  override readonly name = 'TracesError'
}

const FORMS = 'a saved trial, a list of them, a report of `retrial probe`, the lines of `retrial serve --json`, or a HAR file'

type RawObject = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is RawObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads traces in any form in which this project and others write them.
 *
 * @param text JSON, or JSON lines: a saved trial, a list of them, a probe's report, what `serve --json` printed, a HAR file
 * @param where how the source is called in errors
 * @throws TracesError, TraceFormatError or HarError naming the place
 * @example
 * diagnose(readTraces(await readFile('retrial-probe.json', 'utf8')))
 */
export function readTraces(text: string, where = 'traces', redact?: RedactOptions): Trial[] {
  const parsed = parse(text, where)
  const trials = placed(where, () => trialsIn(parsed, redact))
  if (trials === null) throw new TracesError(`${where}: expected ${FORMS}`)
  if (trials.length === 0) {
    const isCutOff = Array.isArray(parsed) && parsed.some((item) => isObject(item) && 'event' in item && item.event !== 'end')
    throw new TracesError(
      `${where}: there is no trace in it${isCutOff ? '; the traces of `retrial serve --json` come with its last line, when it is ended' : ''}`,
    )
  }
  return trials
}

/** Of several files, the error names the one that it is about. */
function placed<T>(where: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof HarError || (error instanceof Error && error.name === 'TraceFormatError'))
      error.message = `${where}: ${error.message}`
    throw error
  }
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    try {
      if (lines.length > 1) return lines.map((line) => JSON.parse(line) as unknown)
    } catch {
      // The first error says more: it is about the whole.
    }
    throw new TracesError(`${where}: expected ${FORMS}; it is not JSON (${(error as Error).message})`)
  }
}

function trialsIn(value: unknown, redact: RedactOptions | undefined): Trial[] | null {
  if (Array.isArray(value)) return listed(value, redact)
  if (!isObject(value)) return null
  if ('log' in value) return readHar(value, { redact })
  if (Array.isArray(value.trials)) return value.trials.map(loadTrial)
  return value.format === 'retrial-trace' ? [loadTrial(value)] : null
}

/** Saved trials, or events of which the last ones hold trials. */
function listed(items: readonly unknown[], redact: RedactOptions | undefined): Trial[] | null {
  const isEvents = items.some((item) => isObject(item) && 'event' in item)
  if (isEvents) return items.flatMap((item) => (isObject(item) && Array.isArray(item.trials) ? item.trials.map(loadTrial) : []))
  const found = items.map((item) => trialsIn(item, redact))
  return found.some((trials) => trials === null) ? null : found.flatMap((trials) => trials ?? [])
}
