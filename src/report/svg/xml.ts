import { oneLine, truncate } from '../text.js'

/** Characters that no XML document may hold: lone surrogates and the two non-characters. */
const FORBIDDEN = /[\p{Cs}\uFFFE\uFFFF]/gu
/** Width of an average character of a sans-serif face, as a share of its size; on the safe side. */
const CHARACTER_WIDTH = 0.56

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

export const textWidth = (text: string, size = 12): number => text.length * size * CHARACTER_WIDTH

/** What fits into so many pixels. */
export const fitText = (text: string, widthPx: number, size = 12): string =>
  truncate(oneLine(text), Math.max(3, Math.floor(widthPx / (size * CHARACTER_WIDTH))))

/** Lines of at most so many pixels, broken at spaces. */
export function wrapText(text: string, widthPx: number, size: number): string[] {
  const room = Math.floor(widthPx / (size * CHARACTER_WIDTH))
  const lines: string[] = []
  for (const word of oneLine(text).split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(truncate(word, room))
  }
  return lines
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
