import { formatMs, formatNumber } from '../guarantees/words.js'

// Reports say numbers in the words of the verdicts.
export { formatMs, formatNumber, plural } from '../guarantees/words.js'

/** '512 ms' on a time line: whole milliseconds, so that the lines of a column align and are told from others. */
export const formatMoment = (atMs: number): string => `${formatNumber(atMs)} ms`

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const UNITS = [
  ['h', 60 * MINUTE_MS],
  ['min', MINUTE_MS],
  ['s', SECOND_MS],
] as const

/** A duration in the largest unit that says it exactly with one decimal: '1 h', '1.5 min', '30 s', '29 488 ms'. */
export function formatDuration(ms: number): string {
  for (const [unit, unitMs] of UNITS) {
    const tenths = (ms * 10) / unitMs
    if (Math.abs(tenths) < 10 || !Number.isInteger(tenths)) continue
    return `${tenths % 10 === 0 ? formatNumber(tenths / 10) : tenths / 10} ${unit}`
  }
  return formatMs(ms)
}

/** One line without control characters: what others wrote (paths, messages) must not break, colour or reverse a line. */
export const oneLine = (text: string): string =>
  text.replace(/\s*[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+\s*/gu, ' ').trim()

/** Characters that a terminal sets on two columns: East Asian ones and most pictures. */
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u
/** Characters that stand on the one before them. */
const ATTACHED = /[\p{M}\p{Cf}]/u
const LATIN = /^[\0-\u02FF←-⋿─✗…]*$/

/** Columns that a text takes on a terminal. */
export function columnsOf(text: string): number {
  if (LATIN.test(text)) return text.length
  return [...text].reduce((sum, character) => sum + (ATTACHED.test(character) ? 0 : WIDE.test(character) ? 2 : 1), 0)
}

/** Filled with spaces up to so many columns. */
export const padColumns = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - columnsOf(text)))

/** At most `width` columns, the cut shown by an ellipsis. */
export function truncate(text: string, width: number, ellipsis = '…'): string {
  if (text.length <= width && LATIN.test(text)) return text
  // Nothing longer than this can fit: what was sent may have a megabyte.
  const head = text.slice(0, Math.max(0, 4 * width))
  if (head.length === text.length && columnsOf(text) <= width) return text
  const room = width - ellipsis.length
  let columns = 0
  let fitting = ''
  for (const character of head) {
    columns += columnsOf(character)
    if (columns > room) break
    fitting += character
  }
  return fitting + ellipsis
}

/** Lines of at most `width` characters, broken at spaces, what is broken off indented. A longer word stays whole: it may be a URL. */
export function wrap(text: string, width: number, indent: string): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, width, indent))
    .join('\n')
}

function wrapLine(line: string, width: number, indent: string): string {
  if (line.length <= width) return line
  const space = line.lastIndexOf(' ', width)
  const isWord = line.slice(0, space).trim() === ''
  return isWord ? line : `${line.slice(0, space)}\n${wrapLine(indent + line.slice(space + 1), width, indent)}`
}

const ASCII: Readonly<Record<string, string>> = {
  '→': '->',
  '←': '<-',
  '✗': 'x',
  '…': '...',
  '⋮': ':',
  '·': '-',
  '≥': '>=',
  '≤': '<=',
  '§': 'section ',
  '×': 'x',
}

/** The same text for a terminal that has no more than ASCII. */
export const toAscii = (text: string): string => text.replace(/[^ -~\n]/gu, (character) => ASCII[character] ?? '?')
