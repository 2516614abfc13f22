/** One point of a chart. */
export type Point = readonly [x: number, y: number]

export interface Series {
  readonly name: string
  readonly points: readonly Point[]
}

export interface Chart {
  /** 'line' joins the points of a series, 'dots' sets each on its own. */
  readonly kind: 'line' | 'dots'
  readonly title: string
  /** What is to be seen, in words, for those who do not see it. */
  readonly description: string
  readonly xLabel: string
  readonly yLabel: string
  readonly series: readonly Series[]
}

const WIDTH = 760
const HEIGHT = 360
const PLOT = { left: 64, top: 44, width: 520, height: 256 } as const
const TICKS = 5
/** Seven colours of equal weight that hold on white and on near-black (Okabe and Ito); beyond them, dashes tell series apart. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#7f7f7f']
const DASHES = ['', '6 3', '2 3']

/** Follows the reader's scheme, light or dark; named so that nothing leaks into a page that holds the chart inline. */
const STYLE = `
  .retrial-chart { color-scheme: light dark; font: 12px system-ui, sans-serif; }
  .retrial-chart .ground { fill: #ffffff; } .retrial-chart .ink { fill: #1f2328; } .retrial-chart .soft { fill: #59636e; }
  .retrial-chart .axis { stroke: #59636e; } .retrial-chart .grid { stroke: #d1d9e0; }
  @media (prefers-color-scheme: dark) {
    .retrial-chart .ground { fill: #0d1117; } .retrial-chart .ink { fill: #f0f6fc; } .retrial-chart .soft { fill: #9198a1; }
    .retrial-chart .axis { stroke: #9198a1; } .retrial-chart .grid { stroke: #3d444d; }
  }`

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const round = (value: number): number => Math.round(value * 10) / 10

/**
 * A chart as an SVG document, readable on light and on dark ground.
 *
 * @example
 * renderChart({ kind: 'line', title: 'Upstream', description: '...', xLabel: 's', yLabel: 'requests/s', series: [{ name: 'fixed', points: [[0, 10]] }] })
 */
export function renderChart(chart: Chart): string {
  const xMax = niceMax(chart.series.flatMap(({ points }) => points.map(([x]) => x)))
  const yMax = niceMax(chart.series.flatMap(({ points }) => points.map(([, y]) => y)))
  const toX = (x: number) => round(PLOT.left + (x / xMax) * PLOT.width)
  const toY = (y: number) => round(PLOT.top + PLOT.height - (y / yMax) * PLOT.height)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" class="retrial-chart">`,
    `<title>${escapeXml(chart.title)}</title>`,
    `<desc>${escapeXml(chart.description)}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="${WIDTH}" height="${HEIGHT}"/>`,
    `<text class="ink" x="${PLOT.left}" y="24" font-size="15" font-weight="600">${escapeXml(chart.title)}</text>`,
    ...axes(chart, xMax, yMax, toX, toY),
    ...chart.series.map((series, i) => drawSeries(chart.kind, series, i, toX, toY)),
    ...chart.series.map(({ name }, i) => legend(name, i)),
    '</svg>',
  ].join('\n')
}

type Scale = (value: number) => number

function axes({ xLabel, yLabel }: Chart, xMax: number, yMax: number, toX: Scale, toY: Scale): string[] {
  const ticks = Array.from({ length: TICKS + 1 }, (_, i) => i / TICKS)
  const bottom = PLOT.top + PLOT.height
  return [
    ...ticks.map(
      (share) =>
        `<line class="grid" x1="${PLOT.left}" x2="${PLOT.left + PLOT.width}" y1="${toY(share * yMax)}" y2="${toY(share * yMax)}"/>`,
    ),
    ...ticks.map(
      (share) =>
        `<text class="soft" x="${PLOT.left - 8}" y="${toY(share * yMax) + 4}" text-anchor="end">${round(share * yMax)}</text>`,
    ),
    ...ticks.map(
      (share) =>
        `<text class="soft" x="${toX(share * xMax)}" y="${bottom + 18}" text-anchor="middle">${round(share * xMax)}</text>`,
    ),
    `<line class="axis" x1="${PLOT.left}" x2="${PLOT.left + PLOT.width}" y1="${bottom}" y2="${bottom}"/>`,
    `<text class="soft" x="${PLOT.left + PLOT.width / 2}" y="${bottom + 40}" text-anchor="middle">${escapeXml(xLabel)}</text>`,
    `<text class="soft" transform="translate(16 ${PLOT.top + PLOT.height / 2}) rotate(-90)" text-anchor="middle">${escapeXml(yLabel)}</text>`,
  ]
}

const colourOf = (index: number): string => COLOURS[index % COLOURS.length]!
const dashOf = (index: number): string => DASHES[Math.floor(index / COLOURS.length) % DASHES.length]!
const dashed = (index: number): string => (dashOf(index) === '' ? '' : ` stroke-dasharray="${dashOf(index)}"`)

function drawSeries(kind: Chart['kind'], { name, points }: Series, index: number, toX: Scale, toY: Scale): string {
  const at = points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y)).map(([x, y]) => [toX(x), toY(y)] as const)
  const colour = colourOf(index)
  const label = `<title>${escapeXml(name)}</title>`
  if (kind === 'dots')
    return `<g fill="${colour}" fill-opacity="0.7">${label}${at.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="4.5"/>`).join('')}</g>`
  const path = at.map(([x, y]) => `${x},${y}`).join(' ')
  return `<polyline fill="none" stroke="${colour}" stroke-width="2"${dashed(index)} points="${path}">${label}</polyline>`
}

function legend(name: string, index: number): string {
  const x = PLOT.left + PLOT.width + 16
  const y = PLOT.top + 8 + index * 20
  const line = `<line x1="${x}" x2="${x + 18}" y1="${y}" y2="${y}" stroke="${colourOf(index)}" stroke-width="3"${dashed(index)}/>`
  return `${line}<text class="ink" x="${x + 24}" y="${y + 4}">${escapeXml(name)}</text>`
}

/** 1, 2 or 5 times a power of ten, so that the ticks are round. */
function niceMax(values: readonly number[]): number {
  const largest = values.reduce((max, value) => (Number.isFinite(value) && value > max ? value : max), 0)
  if (largest === 0) return 1
  const power = 10 ** Math.floor(Math.log10(largest))
  return [1, 2, 5, 10].map((step) => step * power).find((candidate) => candidate >= largest)!
}
