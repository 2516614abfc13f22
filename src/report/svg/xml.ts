import { oneLine, truncate } from '../text.js'

/** Characters that no XML document may hold: lone surrogates and the two non-characters. */
const FORBIDDEN = /[\p{Cs}\uFFFE\uFFFF]/gu
/** Width of an average character as a share of its size, of the wide faces that a system may have. */
const CHARACTER_WIDTH = 0.6
const BOLD_WIDTH = 0.66

/** Text as it may stand in an element or an attribute, whoever wrote it. */
export const escapeXml = (text: string): string =>
  oneLine(text)
    .replace(FORBIDDEN, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** One decimal is a tenth of a pixel: more only makes the picture heavier. */
export const round = (value: number): number => Math.round(value * 10) / 10

interface Face {
  readonly size?: number
  readonly isBold?: boolean
}

const characterWidth = ({ size = 12, isBold = false }: Face): number => size * (isBold ? BOLD_WIDTH : CHARACTER_WIDTH)

export const textWidth = (text: string, face: Face = {}): number => text.length * characterWidth(face)

/** What fits into so many pixels. */
export const fitText = (text: string, widthPx: number, face: Face = {}): string =>
  truncate(oneLine(text), Math.max(3, Math.floor(widthPx / characterWidth(face))))

/** At most so many lines of at most so many pixels, broken at spaces; what is left over is cut. */
export function wrapText(text: string, widthPx: number, lineCount: number, face: Face = {}): string[] {
  const room = Math.max(3, Math.floor(widthPx / characterWidth(face)))
  const lines: string[] = []
  for (const word of oneLine(text).split(' ')) {
    const last = lines.at(-1)
    const isFull = last === undefined || (last.length + 1 + word.length > room && lines.length < lineCount)
    if (isFull) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.map((line) => truncate(line, room))
}

type Attributes = Readonly<Record<string, string | number | undefined>>

/** One element. Numbers are rounded, `undefined` is left out; `content` is markup. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const list = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? round(value) : escapeXml(String(value))}"`)
    .join('')
  return content === '' ? `<${name}${list}/>` : `<${name}${list}>${content}</${name}>`
}

export const textElement = (text: string, x: number, y: number, classes: string, more: Attributes = {}): string =>
  element('text', { class: classes, x, y, ...more }, escapeXml(text))

/** The sign of work that the server has done. */
export const diamond = (x: number, y: number): string =>
  element('path', { class: 'applied', d: `M${round(x)} ${round(y - 5)}l5 5l-5 5l-5 -5z` })
