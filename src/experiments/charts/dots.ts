import { fitText } from '../../report/svg/text-width.js'
import { element, round, textElement } from '../../report/svg/xml.js'
import { type Chart, type Drawn, WIDTH } from './model.js'
import { ticksFor, tickText } from './ticks.js'

const PLOT = { left: 76, top: 48, width: 484, height: 252 } as const
const LEGEND_LEFT = PLOT.left + PLOT.width + 28
const SERIES_CLASSES = 6

/** Hollow signs of different form: where two series lie on one another, both are seen. */
const SIGNS = [
  'm-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0',
  'm-5 -5h10v10h-10z',
  'm0 -6l6 11h-12z',
  'm0 -7l6 7l-6 7l-6 -7z',
  'm-5 -5l10 10m0 -10l-10 10',
  'm0 -6v12m-6 -6h12',
]

/** A dot for each point, the series told apart by form and colour. */
export function drawDots({ series, xLabel, yLabel }: Chart): Drawn {
  const xTicks = ticksFor(series.flatMap(({ points }) => points.map(([x]) => x)))
  const yTicks = ticksFor(series.flatMap(({ points }) => points.map(([, y]) => y)))
  const bottom = PLOT.top + PLOT.height
  const toX = (x: number) => round(PLOT.left + (x / xTicks.at(-1)!) * PLOT.width)
  const toY = (y: number) => round(bottom - (y / yTicks.at(-1)!) * PLOT.height)
  const rows = yTicks.flatMap((y) => [
    element('path', { class: y === 0 ? 'axis' : 'grid', d: `M${PLOT.left} ${toY(y)}h${PLOT.width}` }),
    textElement(tickText(y), PLOT.left - 8, toY(y) + 4, 'soft', { 'text-anchor': 'end' }),
  ])
  const columns = xTicks.map((x) => textElement(tickText(x), toX(x), bottom + 18, 'soft', { 'text-anchor': 'middle' }))
  const middle = PLOT.top + PLOT.height / 2
  const labels = [
    textElement(xLabel, PLOT.left + PLOT.width / 2, bottom + 40, 'soft', { 'text-anchor': 'middle' }),
    textElement(yLabel, 0, 0, 'soft', { 'text-anchor': 'middle', transform: `translate(18 ${middle}) rotate(-90)` }),
  ]
  const dots = series.map(({ points }, i) => {
    const at = points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y))
    return element('path', { class: classOf(i), d: at.map(([x, y]) => `M${toX(x)} ${toY(y)}${signOf(i)}`).join('') })
  })
  const legend = series.flatMap(({ name }, i) => {
    const y = PLOT.top + 8 + i * 22
    return [
      element('path', { class: classOf(i), d: `M${LEGEND_LEFT} ${y}${signOf(i)}` }),
      textElement(fitText(name, WIDTH - LEGEND_LEFT - 22), LEGEND_LEFT + 14, y + 4, 'ink'),
    ]
  })
  return { content: [...rows, ...columns, ...labels, ...dots, ...legend], height: bottom + 54 }
}

const classOf = (index: number): string => `dot c${index % SERIES_CLASSES}`
const signOf = (index: number): string => SIGNS[index % SIGNS.length]!
