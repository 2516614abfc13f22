import { escapeXml, round } from '../report/svg/xml.js'

/** One point of a chart. */
export type Point = readonly [x: number, y: number]

export interface Series {
  readonly name: string
  readonly points: readonly Point[]
}

export interface Chart {
  /** 'line' joins the points of a series, 'dots' sets each on its own, 'panels' gives each series a strip of its own on the same scales. */
  readonly kind: 'line' | 'dots' | 'panels'
  readonly title: string
  /** What is to be seen, in words, for those who do not see it. */
  readonly description: string
  readonly xLabel: string
  readonly yLabel: string
  readonly series: readonly Series[]
  /** A stretch of x that is marked and named. Default none. */
  readonly span?: { readonly from: number; readonly to: number; readonly label: string }
}

const WIDTH = 760
const PLOT = { left: 64, top: 44, width: 520, height: 256 } as const
/** Room below the plot for the axis and its label. */
const FOOT = 60
const PANEL = { height: 44, gap: 10 } as const
const TICKS = 5
/** Seven colours of equal weight that hold on white and on near-black (after Okabe and Ito); beyond them, dashes tell series apart. */
const COLOURS = ['#2a7fc9', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#7f7f7f']
const DASHES = ['', '6 3', '2 3']

/** Follows the reader's scheme, light or dark; named so that nothing leaks into a page that holds the chart inline. */
const STYLE = `
  .retrial-chart { color-scheme: light dark; font: 12px system-ui, sans-serif; }
  .retrial-chart .ground { fill: #ffffff; } .retrial-chart .ink { fill: #1f2328; } .retrial-chart .soft { fill: #59636e; }
  .retrial-chart .axis { stroke: #59636e; } .retrial-chart .grid { stroke: #d1d9e0; } .retrial-chart .span { fill: #d1d9e0; }
  @media (prefers-color-scheme: dark) {
    .retrial-chart .ground { fill: #0d1117; } .retrial-chart .ink { fill: #f0f6fc; } .retrial-chart .soft { fill: #9198a1; }
    .retrial-chart .axis { stroke: #9198a1; } .retrial-chart .grid { stroke: #3d444d; } .retrial-chart .span { fill: #3d444d; }
  }`

/**
 * A chart as an SVG document, readable on light and on dark ground.
 *
 * @example
 * renderChart({ kind: 'line', title: 'Upstream', description: '...', xLabel: 's', yLabel: 'requests/s', series: [{ name: 'fixed', points: [[0, 10]] }] })
 */
export function renderChart(chart: Chart): string {
  const plotHeight = chart.kind === 'panels' ? chart.series.length * (PANEL.height + PANEL.gap) : PLOT.height
  const height = PLOT.top + plotHeight + FOOT
  const xMax = niceMax(chart.series.flatMap(({ points }) => points.map(([x]) => x)))
  const yMax = niceMax(chart.series.flatMap(({ points }) => points.map(([, y]) => y)))
  const toX: Scale = (x) => round(PLOT.left + (x / xMax) * PLOT.width)
  const bottom = PLOT.top + plotHeight
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" class="retrial-chart">`,
    `<title>${escapeXml(chart.title)}</title>`,
    `<desc>${escapeXml(chart.description)}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="${WIDTH}" height="${height}"/>`,
    `<text class="ink" x="${PLOT.left}" y="24" font-size="15" font-weight="600">${escapeXml(chart.title)}</text>`,
    ...markedSpan(chart, toX, bottom),
    ...(chart.kind === 'panels' ? panels(chart, yMax, toX) : plot(chart, chart.kind, yMax, toX)),
    ...xAxis(chart, xMax, toX, bottom),
    '</svg>',
  ].join('\n')
}

type Scale = (value: number) => number
const SHARES = Array.from({ length: TICKS + 1 }, (_, i) => i / TICKS)

function markedSpan({ span }: Chart, toX: Scale, bottom: number): string[] {
  if (span === undefined) return []
  const [x, width] = [toX(span.from), round(toX(span.to) - toX(span.from))]
  return [
    `<rect class="span" x="${x}" y="${PLOT.top}" width="${width}" height="${bottom - PLOT.top}"/>`,
    `<text class="soft" x="${x}" y="${PLOT.top - 5}">${escapeXml(span.label)}</text>`,
  ]
}

function xAxis({ xLabel, yLabel }: Chart, xMax: number, toX: Scale, bottom: number): string[] {
  return [
    ...SHARES.map((share) => share * xMax).map(
      (x) => `<text class="soft" x="${toX(x)}" y="${bottom + 18}" text-anchor="middle">${round(x)}</text>`,
    ),
    `<line class="axis" x1="${PLOT.left}" x2="${PLOT.left + PLOT.width}" y1="${bottom}" y2="${bottom}"/>`,
    `<text class="soft" x="${PLOT.left + PLOT.width / 2}" y="${bottom + 40}" text-anchor="middle">${escapeXml(xLabel)}</text>`,
    `<text class="soft" transform="translate(11 ${(PLOT.top + bottom) / 2}) rotate(-90)" text-anchor="middle">${escapeXml(yLabel)}</text>`,
  ]
}

const grid = (y: number): string => `<line class="grid" x1="${PLOT.left}" x2="${PLOT.left + PLOT.width}" y1="${y}" y2="${y}"/>`
const yTick = (y: number, value: number): string =>
  `<text class="soft" x="${PLOT.left - 8}" y="${y + 4}" text-anchor="end">${round(value)}</text>`

function plot(chart: Chart, kind: 'line' | 'dots', yMax: number, toX: Scale): string[] {
  const toY: Scale = (y) => round(PLOT.top + PLOT.height - (y / yMax) * PLOT.height)
  return [
    ...SHARES.map((share) => share * yMax).flatMap((y) => [grid(toY(y)), yTick(toY(y), y)]),
    ...chart.series.map((series, i) => drawSeries(kind, series, i, toX, toY)),
    ...chart.series.map(({ name }, i) => legend(kind, name, i)),
  ]
}

/** A strip for each series, its area filled: many lines in one plot hide one another. */
function panels({ series }: Chart, yMax: number, toX: Scale): string[] {
  return series.flatMap(({ name, points }, i) => {
    const bottom = PLOT.top + (i + 1) * (PANEL.height + PANEL.gap)
    const toY: Scale = (y) => round(bottom - (y / yMax) * PANEL.height)
    const at = points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y))
    const outline = at.map(([x, y]) => `L${toX(x)},${toY(y)}`).join(' ')
    const [first, last] = [at[0]?.[0] ?? 0, at.at(-1)?.[0] ?? 0]
    const label = `<title>${escapeXml(name)}</title>`
    return [
      grid(bottom),
      yTick(bottom - PANEL.height + 4, yMax),
      `<path fill="${COLOURS[0]}" d="M${toX(first)},${bottom} ${outline} L${toX(last)},${bottom} Z">${label}</path>`,
      `<text class="ink" x="${PLOT.left + PLOT.width + 16}" y="${bottom - PANEL.height / 2 + 4}">${escapeXml(name)}</text>`,
    ]
  })
}

const colourOf = (index: number): string => COLOURS[index % COLOURS.length]!
const dashOf = (index: number): string => DASHES[Math.floor(index / COLOURS.length) % DASHES.length]!
const dashed = (index: number): string => (dashOf(index) === '' ? '' : ` stroke-dasharray="${dashOf(index)}"`)

function drawSeries(kind: 'line' | 'dots', { name, points }: Series, index: number, toX: Scale, toY: Scale): string {
  const at = points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y)).map(([x, y]) => [toX(x), toY(y)] as const)
  const colour = colourOf(index)
  const label = `<title>${escapeXml(name)}</title>`
  if (kind === 'dots') {
    // Rings that grow: what lies on the same spot stays visible.
    const rings = at.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="${3.5 + 2.5 * index}"/>`).join('')
    return `<g fill="none" stroke="${colour}" stroke-width="2">${label}${rings}</g>`
  }
  const path = at.map(([x, y]) => `${x},${y}`).join(' ')
  return `<polyline fill="none" stroke="${colour}" stroke-width="2"${dashed(index)} points="${path}">${label}</polyline>`
}

function legend(kind: 'line' | 'dots', name: string, index: number): string {
  const x = PLOT.left + PLOT.width + 16
  const y = PLOT.top + 8 + index * 20
  const sign =
    kind === 'dots'
      ? `<circle fill="none" cx="${x + 9}" cy="${y}" r="5" stroke="${colourOf(index)}" stroke-width="2"/>`
      : `<line x1="${x}" x2="${x + 18}" y1="${y}" y2="${y}" stroke="${colourOf(index)}" stroke-width="3"${dashed(index)}/>`
  return `${sign}<text class="ink" x="${x + 24}" y="${y + 4}">${escapeXml(name)}</text>`
}

/** A round number, so that its fifths are round as well. */
function niceMax(values: readonly number[]): number {
  const largest = values.reduce((max, value) => (Number.isFinite(value) && value > max ? value : max), 0)
  if (largest === 0) return 1
  const power = 10 ** Math.floor(Math.log10(largest))
  return [1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10].map((step) => step * power).find((candidate) => candidate >= largest)!
}
