import { oneLine } from '../text.js'

/** Characters that no XML document may hold: lone surrogates and the two non-characters. */
const FORBIDDEN = /[\p{Cs}\uFFFE\uFFFF]/gu

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
