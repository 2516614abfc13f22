import { columnsOf, oneLine } from '../text.js'

export interface Face {
  readonly size?: number
  readonly isBold?: boolean
}

/** Widths as shares of the size, of the widest faces that a system may have: text that is a little narrower than thought overlaps nothing. */
const NARROW = /[ijlftrI.,:;'|!()[\]{}·`/\\-]/
const BROAD = /[mwMW@%—]/
const PLAIN_WIDTHS = { space: 0.33, narrow: 0.43, usual: 0.65, broad: 1 }
const BOLD_WIDTHS = { space: 0.36, narrow: 0.48, usual: 0.72, broad: 1.1 }
/** Whoever writes more is cut anyway; a message of a megabyte is not measured. */
const MEASURED = 2_000

function characterWidth(character: string, { size = 12, isBold = false }: Face): number {
  const widths = isBold ? BOLD_WIDTHS : PLAIN_WIDTHS
  const columns = columnsOf(character)
  return size * (columns === 1 ? widths[kindOf(character)] : columns * widths.usual)
}

function kindOf(character: string): keyof typeof PLAIN_WIDTHS {
  if (character === ' ') return 'space'
  if (NARROW.test(character)) return 'narrow'
  return BROAD.test(character) ? 'broad' : 'usual'
}

/** How many pixels a text may take. */
export const textWidth = (text: string, face: Face = {}): number =>
  [...text.slice(0, MEASURED)].reduce((sum, character) => sum + characterWidth(character, face), 0)

/** What fits into so many pixels, the cut shown by an ellipsis. */
export function fitText(text: string, widthPx: number, face: Face = {}): string {
  const whole = oneLine(text)
  if (whole.length <= MEASURED && textWidth(whole, face) <= widthPx) return whole
  let room = widthPx - textWidth('…', face)
  let fitting = ''
  for (const character of whole.slice(0, MEASURED)) {
    room -= characterWidth(character, face)
    if (room < 0) break
    fitting += character
  }
  return `${fitting}…`
}

/** At most so many lines of at most so many pixels, broken at spaces and about equally long; what is left over is cut. */
export function wrapText(text: string, widthPx: number, lineCount: number, face: Face = {}): string[] {
  const words = oneLine(text).slice(0, MEASURED).split(' ')
  const count = Math.min(breakWords(words, widthPx, face).length, lineCount)
  // A last line with a single word looks like a mistake.
  const balanced = [0.55, 0.7, 0.85]
    .map((share) => breakWords(words, widthPx * share, face))
    .find(({ length }) => length <= count)
  const lines = balanced ?? breakWords(words, widthPx, face)
  const rest = lines.slice(lineCount - 1).join(' ')
  return [...lines.slice(0, lineCount - 1), ...(rest === '' ? [] : [rest])].map((line) => fitText(line, widthPx, face))
}

function breakWords(words: readonly string[], widthPx: number, face: Face): string[] {
  const lines: string[] = []
  for (const word of words.flatMap((one) => breakWord(one, widthPx, face))) {
    const last = lines.at(-1)
    if (last !== undefined && textWidth(`${last} ${word}`, face) <= widthPx) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** A URL, or a script that has no spaces, is broken where a line is full. */
function breakWord(word: string, widthPx: number, face: Face): string[] {
  if (textWidth(word, face) <= widthPx) return [word]
  const parts = ['']
  for (const character of word) {
    if (textWidth(parts.at(-1)! + character, face) > widthPx) parts.push(character)
    else parts[parts.length - 1] += character
  }
  return parts
}
