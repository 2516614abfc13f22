import pc from 'picocolors'
import type { Verdict } from '../guarantees/model.js'
import { renderFailure } from '../report/failure.js'
import { toAscii } from '../report/text.js'
import type { Trial } from '../trace/model.js'

/** A line of a timeline, from its time on: '   512 ms  #2 → POST /'. */
const TIMELINE_LINE = /^( *\d[\d ]* ms)( {2}.*)$/
const MARK = / {2}(?:✗|x) \S/

const MAX_COLUMNS = 100
const MIN_COLUMNS = 40

/** vitest's workers do not know the terminal: a narrow one says so. */
function columns(): number {
  const asked = Number(process.env.RETRIAL_COLUMNS)
  return asked >= MIN_COLUMNS && asked < MAX_COLUMNS ? Math.floor(asked) : MAX_COLUMNS
}

const isAscii = (): boolean => process.env.RETRIAL_ASCII === '1'

/** vitest runs tests away from the terminal and passes on what that is able to show. */
function isColoured(): boolean {
  const { NO_COLOR, FORCE_COLOR, FORCE_TTY } = process.env
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0'
  return FORCE_TTY === 'true' || process.stdout.isTTY === true
}

/**
 * A message as the terminal can show it: the broken line red, times dim; only ASCII characters under `RETRIAL_ASCII=1`. The first line
 * is left as it is: reports that keep no more than that are searched for it.
 */
export function toTerminal(message: string): string {
  const text = isAscii() ? toAscii(message) : message
  if (!isColoured()) return text
  const { red, dim } = pc.createColors(true)
  const [first, ...rest] = text.split('\n')
  const painted = rest.map((line) => {
    const [, time, what] = TIMELINE_LINE.exec(line) ?? []
    if (time === undefined || what === undefined) return line
    return MARK.test(what) ? red(line) : `${dim(time)}${what}`
  })
  return [first, ...painted].join('\n')
}

export const failureMessage = (matcher: string, verdict: Verdict, trials: readonly Trial[]): string =>
  toTerminal(renderFailure(matcher, verdict, trials, { width: columns() }))
