import { type Chart, renderChart } from '../charts.js'
import {
  columnsOf,
  milliseconds,
  pairsText,
  percent,
  type ReportFormat,
  renderPage,
  requireFormat,
  seconds,
  seedsText,
  type Table,
  toJson,
} from '../render.js'
import type { HerdComparison, HerdReport, HerdServer, HerdSetting, Phase, TimelineBin } from './model.js'
import { type PublishedOrder, reasonsFor } from './published.js'

/**
 * A herd, or a comparison of several, as text for a terminal, Markdown, JSON or an SVG chart of the requests that reached the server.
 *
 * @param format 'table' (default), 'markdown', 'json' or 'svg'
 * @throws ExperimentOptionsError for another format
 * @example
 * renderHerd(await herd({ strategy: 'fixed' }))
 */
export function renderHerd(result: HerdReport | HerdComparison, format: ReportFormat = 'table'): string {
  requireFormat('renderHerd(result, format)', format)
  if (format === 'json') return toJson(result)
  const reports = result.kind === 'herd' ? [result] : result.reports
  if (format === 'svg') return chart(reports)
  const { clients, requestsEach, seeds } = reports[0]!.options
  return renderPage(
    {
      title: `Herd: ${clients === 1 ? '1 client' : `${clients} clients`}, ${requestsEach} requests each`,
      setting: `${settingText(reports[0]!.options)}; ${seedsText(seeds)}: medians, virtual time`,
      tables: [figuresTable(reports), ...errorTables(reports), ...phaseTables(reports)],
      remarks: [BY_THEIR_DEFINITIONS, ...separationRemarks(result), ...publishedRemarks(result)],
    },
    format,
  )
}

const BY_THEIR_DEFINITIONS =
  'success* and p95*: as the published harness counts. A status below 500 is a success, and only the last attempt of a call is timed'

interface FigureColumn {
  readonly head: string
  readonly isShown: boolean
  cell(report: HerdReport): string
}

function figuresTable(reports: readonly HerdReport[]): Table {
  const columns: readonly FigureColumn[] = [
    { head: 'client', isShown: true, cell: ({ client }) => client },
    { head: 'success', isShown: true, cell: ({ successRate }) => percent(successRate.median) },
    { head: 'p95', isShown: true, cell: ({ p95Ms }) => seconds(p95Ms.median) },
    { head: 'req./call', isShown: true, cell: ({ amplification }) => amplification.median.toFixed(2) },
    { head: '2nd wave', isShown: true, cell: ({ secondWavePeak }) => String(secondWavePeak.median) },
    { head: 'wasted', isShown: true, cell: ({ wasted }) => percent(wasted.median) },
    {
      head: 'recovery',
      isShown: reports.some(({ recoveryMs }) => recoveryMs !== null),
      cell: ({ recoveryMs }) => (recoveryMs === null ? '-' : seconds(recoveryMs.median)),
    },
    { head: 'success*', isShown: true, cell: ({ asPublished }) => percent(asPublished.successRate.median) },
    { head: 'p95*', isShown: true, cell: ({ asPublished }) => seconds(asPublished.lastAttemptP95Ms.median) },
    {
      head: 'published*',
      isShown: reports.some(({ published }) => published !== null),
      cell: ({ published }) => (published === null ? '-' : `${percent(published.successRate)}, ${tenths(published.p95Ms)}`),
    },
  ]
  const shown = columns.filter(({ isShown }) => isShown)
  return {
    columns: columnsOf(...shown.map(({ head }) => head)),
    rows: reports.map((report) => shown.map(({ cell }) => cell(report))),
  }
}

/** As it was published: with one decimal. */
const tenths = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

function errorTables(reports: readonly HerdReport[]): readonly Table[] {
  const kinds = [...new Set(reports.flatMap(({ errors }) => Object.keys(errors)))].sort()
  if (kinds.length === 0) return []
  const rows = reports.map(({ client, errors, figures }) => [
    client,
    ...kinds.map((kind) => perRun((errors[kind] ?? 0) / figures.length)),
  ])
  return [{ heading: 'Failed calls per run, by what they failed with', columns: columnsOf('client', ...kinds), rows }]
}

const perRun = (count: number): string => (count === 0 ? '-' : count < 0.05 ? '<0.1' : String(Math.round(count * 10) / 10))

/** The first run of a herd as a story; only where something happened. */
function phaseTables(reports: readonly HerdReport[]): readonly Table[] {
  const told = reports.filter(({ options, phases }) => options.clients > 1 && phases.some(({ resends }) => resends > 0))
  if (told.length === 0) return []
  const columns = columnsOf('client', 'spike', 'pile-up', 'requests', 're-sends', 'answered', 'recovery', 'end')
  const rows = told.map(({ client, phases }) => {
    const [spike, pileUp, recovery] = phases as readonly [Phase, Phase, Phase]
    const { attempts, resends, answered } = pileUp
    const inPileUp = [String(attempts), String(resends), attempts === 0 ? '-' : percent(answered)]
    return [
      client,
      seconds(spike.fromMs),
      seconds(pileUp.fromMs),
      ...inPileUp,
      seconds(recovery.fromMs),
      seconds(recovery.untilMs),
    ]
  })
  const seed = reports[0]!.options.seeds[0]
  return [{ heading: `When each phase began with seed ${seed}, and what reached the server in the pile-up`, columns, rows }]
}

function settingText({ server, pauseMs, loop, attemptTimeoutMs }: HerdSetting): string {
  const pace = loop === 'closed' ? `${pauseMs} ms after each answer` : `every ${pauseMs} ms`
  return `a request ${pace}, attempt time-out ${milliseconds(attemptTimeoutMs)}; server: ${serverText(server)}`
}

function serverText({ capacity, serviceMs, queueLimit, overload = 503, outage, recovery, flaky }: HerdServer): string {
  const service = typeof serviceMs === 'number' ? `${serviceMs} ms` : `median ${serviceMs.medianMs} ms, p95 ${serviceMs.p95Ms} ms`
  return [
    `${capacity} at once, ${service}`,
    queueLimit === undefined ? 'a queue without limit' : `${queueLimit} may wait, then ${overload}`,
    outage === undefined ? null : `away (${outage.answer ?? 503}) from ${seconds(outage.fromMs)} for ${seconds(outage.forMs)}`,
    recovery === undefined ? null : `back at ${percent(recovery.share)}, full after ${seconds(recovery.forMs)}`,
    flaky === undefined ? null : `good for ${seconds(flaky.goodMs)} and bad for ${seconds(flaky.badMs)} by turns`,
  ]
    .filter((part) => part !== null)
    .join(', ')
}

const AGREE = 'at least 95 % of the runs agree'

function separationRemarks(result: HerdReport | HerdComparison): string[] {
  if (result.kind === 'herd' || result.reports.length < 2) return []
  return [
    ['successRate', 'success'],
    ['p95Ms', 'p95'],
  ].map(([metric, name]) => {
    const pairs = result.separations.filter((pair) => pair.metric === metric && pair.order === null)
    return pairs.length === 0
      ? `Every pair of clients is told apart on ${name} (${AGREE})`
      : `Not told apart on ${name} (fewer than 95 % of the runs agree): ${pairsText(pairs, 'from')}`
  })
}

const COMPARED_WITH_PUBLISHED = [
  ['successRate', 'success'],
  ['p95Ms', 'p95'],
  ['asPublished.lastAttemptP95Ms', 'p95*'],
] as const

/** Which of the published orders the model reproduces, and why it does not reproduce the others. */
function publishedRemarks(result: HerdReport | HerdComparison): string[] {
  if (result.kind === 'herd' || result.published.length === 0) return []
  const reasons = reasonsFor(result.reports[0]!.options)
  return COMPARED_WITH_PUBLISHED.flatMap(([metric, name]) => {
    const orders = result.published.filter((order) => order.metric === metric)
    const reproduced = orders.filter((order) => order.reproduced)
    const open = orders.filter(({ here }) => here === null)
    const opposite = orders.filter((order) => order.here !== null && !order.reproduced)
    const parts = [
      ...(reproduced.length === 0 ? [] : [`reproduced (${AGREE}): ${orderText(reproduced)}`]),
      ...(open.length === 0 ? [] : [`not told apart here: ${orderText(open)}`]),
      ...(opposite.length === 0 ? [] : [`the opposite here: ${orderText(opposite)}`]),
    ]
    const reason = reproduced.length === orders.length ? '' : `. ${reasons[metric]}`
    return [`Published order on ${name}, ${parts.join('; ')}${reason}`]
  })
}

/** "fixed below full-jitter", as it was published. */
const orderText = (orders: readonly PublishedOrder[]): string =>
  orders.map(({ a, b, published }) => `${a} ${published} ${b}`).join(', ')

/** More lines than these hide one another. */
const LINES_IN_ONE_PLOT = 3

function chart(reports: readonly HerdReport[]): string {
  const { seeds, server } = reports[0]!.options
  const told = reports.map(({ client, timeline }) => `${client} peaks at ${peakOf(timeline)} requests in a second`)
  return renderChart({
    kind: reports.length > LINES_IN_ONE_PLOT ? 'panels' : 'line',
    title: 'Requests that reach the server',
    description: `Requests per second over time, seed ${seeds[0]}. ${told.join('; ')}.`,
    xLabel: 'time, s',
    yLabel: 'requests per second',
    span: outageSpan(server),
    series: reports.map(({ client, timeline }) => ({
      name: client,
      points: timeline.map((bin) => [bin.atMs / 1_000, requestsIn(bin)] as const),
    })),
  })
}

const requestsIn = ({ firstTries, resends }: TimelineBin): number => firstTries + resends
const peakOf = (timeline: readonly TimelineBin[]): number => timeline.reduce((peak, bin) => Math.max(peak, requestsIn(bin)), 0)

const outageSpan = ({ outage }: HerdServer): Chart['span'] =>
  outage && { from: outage.fromMs / 1_000, to: (outage.fromMs + outage.forMs) / 1_000, label: 'outage' }
