import { type Picture, TEXT_RIGHT } from './layout.js'
import { textWidth } from './text-width.js'
import { diamond, element, round, textElement } from './xml.js'

export const LEGEND_ROW_HEIGHT = 18

interface Entry {
  readonly isUsed: boolean
  readonly text: string
  draw(x: number, y: number): string
}

const entriesOf = ({ hints, deadlineAtMs, trial, scale, marks }: Picture): Entry[] => [
  {
    isUsed: marks.size > 0,
    text: 'what broke the rule',
    draw: (x, y) => element('rect', { class: 'ring', x, y: y - 10, width: 14, height: 12, rx: 3 }),
  },
  {
    isUsed: hints.size > 0,
    text: 'asked to stay away until its end',
    draw: (x, y) => element('rect', { fill: 'url(#rt-hatch)', x, y: y - 10, width: 14, height: 12 }),
  },
  {
    isUsed: trial.attempts.some(({ ledger }) => ledger === 'new' || ledger === 'duplicate'),
    text: 'the server did the work',
    draw: (x, y) => diamond(x + 7, y - 4),
  },
  {
    isUsed: deadlineAtMs !== null,
    text: 'deadline',
    draw: (x, y) => element('path', { class: 'limit', d: `M${round(x)} ${y - 4}h14` }),
  },
  {
    isUsed: scale.breaks.length > 0,
    text: 'a long time, drawn shorter',
    draw: (x, y) => element('path', { class: 'axis', d: `M${round(x)} ${y + 1}l5 -10m3 10l5 -10` }),
  },
]

/** What the signs mean that are used in this picture, in as many rows as they need. */
export function legendOf(picture: Picture, left: number, top: number): { readonly drawn: string; readonly rows: number } {
  let x = left
  let rows = 0
  const parts: string[] = []
  for (const { isUsed, text, draw } of entriesOf(picture)) {
    if (!isUsed) continue
    const width = 20 + textWidth(text, { size: 11 })
    if (rows === 0 || x + width > TEXT_RIGHT) {
      x = left
      rows++
    }
    const y = top + (rows - 1) * LEGEND_ROW_HEIGHT
    parts.push(draw(x, y), textElement(text, x + 20, y, 'soft small'))
    x += width + 14
  }
  return { drawn: parts.join(''), rows }
}
