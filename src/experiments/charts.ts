import { element, escapeXml, textElement } from '../report/svg/xml.js'
import { drawDots } from './charts/dots.js'
import { type Chart, WIDTH } from './charts/model.js'
import { drawPanels } from './charts/panels.js'

/** Colours of equal weight that are told apart by the colour-blind (Okabe and Ito), darkened and lightened for their ground. */
const LIGHT = ['#0072b2', '#c04f00', '#007a5a', '#a8447f', '#5b5b5b', '#8a6100']
const DARK = ['#56b4e9', '#ff9248', '#2cc295', '#e69ac3', '#b5b5b5', '#e6b84a']

const strokes = (colours: readonly string[]): string =>
  colours.map((colour, i) => `.retrial-chart .c${i}{stroke:${colour}}`).join('')

/** Follows the reader's scheme, light or dark; named so that nothing leaks into a page that holds the chart inline. */
const STYLE = [
  '.retrial-chart{color-scheme:light dark;font:12px ui-sans-serif,system-ui,sans-serif}',
  '.retrial-chart .ground{fill:#fff}.retrial-chart .ink{fill:#1f2328}.retrial-chart .soft{fill:#59636e}',
  '.retrial-chart .strong{font-weight:600}.retrial-chart .axis{stroke:#59636e;fill:none}.retrial-chart .grid{stroke:#d1d9e0;fill:none}',
  '.retrial-chart .area{fill:#0072b2}.retrial-chart .dot{fill:none;stroke-width:2}',
  strokes(LIGHT),
  '@media (prefers-color-scheme:dark){',
  '.retrial-chart .ground{fill:#0d1117}.retrial-chart .ink{fill:#f0f6fc}.retrial-chart .soft{fill:#9198a1}',
  '.retrial-chart .axis{stroke:#9198a1}.retrial-chart .grid{stroke:#3d444d}.retrial-chart .area{fill:#56b4e9}',
  strokes(DARK),
  '}',
].join('')

/**
 * A chart as an SVG document, readable on light and on dark ground.
 *
 * @example
 * renderChart({ kind: 'line', title: 'Upstream', description: '...', xLabel: 's', yLabel: 'requests/s', series: [{ name: 'fixed', points: [[0, 10]] }] })
 */
export function renderChart(chart: Chart): string {
  const { content, height } = chart.kind === 'line' ? drawPanels(chart) : drawDots(chart)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" class="retrial-chart">`,
    `<title>${escapeXml(chart.title)}</title>`,
    `<desc>${escapeXml(chart.description)}</desc>`,
    `<style>${STYLE}</style>`,
    element('rect', { class: 'ground', width: WIDTH, height }),
    textElement(chart.title, 24, 26, 'ink strong', { 'font-size': 15 }),
    ...content,
    '</svg>',
  ].join('\n')
}
