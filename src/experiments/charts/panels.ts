import { fitText } from '../../report/svg/text-width.js'
import { element, round, textElement } from '../../report/svg/xml.js'
import type { Chart, Drawn, Point, Series } from './model.js'
import { ticksFor, tickText } from './ticks.js'

const PLOT = { left: 196, width: 460 } as const
const TOP = 48
const HEIGHT_TOGETHER = 260
const PANEL_MIN = 44
const GAP = 12

/**
 * A panel for each series, one below the other on the same scales: lines that lie on one another cannot be told apart, however they are
 * coloured.
 */
export function drawPanels({ series, xLabel, yLabel }: Chart): Drawn {
  const xTicks = ticksFor(series.flatMap(({ points }) => points.map(([x]) => x)))
  const yMax = peakOf(series.flatMap(({ points }) => points))
  const height = Math.max(PANEL_MIN, HEIGHT_TOGETHER / Math.max(1, series.length) - GAP)
  const toX = (x: number) => PLOT.left + (x / xTicks.at(-1)!) * PLOT.width
  const bottom = TOP + series.length * (height + GAP)
  const lines = xTicks.map((x) => element('path', { class: 'grid', d: `M${round(toX(x))} ${TOP}V${round(bottom)}` }))
  const times = xTicks.map((x) => textElement(tickText(x), toX(x), bottom + 16, 'soft', { 'text-anchor': 'middle' }))
  const panels = series.map((one, i) => panel(one, TOP + i * (height + GAP), height, toX, yMax))
  const label = textElement(xLabel, PLOT.left + PLOT.width / 2, bottom + 36, 'soft', { 'text-anchor': 'middle' })
  const scale = textElement(`${yLabel}, each from 0 to ${tickText(yMax)}`, 24, bottom + 36, 'soft')
  return { content: [...lines, ...panels, ...times, label, scale], height: bottom + 50 }
}

function panel({ name, points }: Series, top: number, height: number, toX: (x: number) => number, yMax: number) {
  const bottom = top + height
  const toY = (y: number) => bottom - (y / yMax) * height
  const at = points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y))
  const outline = at.map(([x, y]) => `L${round(toX(x))} ${round(toY(y))}`).join('')
  const [first, last] = [at[0], at.at(-1)]
  const area =
    first === undefined || last === undefined ? '' : `M${round(toX(first[0]))} ${round(bottom)}${outline}V${round(bottom)}Z`
  return [
    element('path', { class: 'area', d: area }),
    element('path', { class: 'axis', d: `M${PLOT.left} ${round(bottom)}h${PLOT.width}` }),
    textElement(fitText(name, PLOT.left - 36, { isBold: true }), 24, bottom - 4, 'ink strong'),
    at.length === 0
      ? ''
      : textElement(`peak ${tickText(Math.max(...at.map(([, y]) => y)))}`, PLOT.left + PLOT.width + 12, bottom - 4, 'soft'),
  ].join('')
}

/** What is no number is nothing; a chart of nothing has a scale all the same. */
const peakOf = (points: readonly Point[]): number =>
  points.reduce((max, [, y]) => (Number.isFinite(y) && y > max ? y : max), 0) || 1
