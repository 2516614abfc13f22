import { renderChart } from '../charts.js'
import {
  columnsOf,
  milliseconds,
  pairsText,
  percent,
  type ReportFormat,
  rangeText,
  renderPage,
  requireFormat,
  seconds,
  seedsText,
  type Table,
  times,
  toJson,
} from '../render.js'
import { isNear, MEASURED_TOLERANCE, type MeasuredBands, measuredBands } from './measured.js'
import type { BatchComparison, BatchMetric, BatchReport } from './model.js'

const NAMES: Record<BatchMetric, string> = {
  wallMs: 'wall',
  upstream: 'upstream requests',
  notFound: '404s',
  succeeded: 'succeeded',
  submitted: 'submitted',
  successRate: 'share of successes',
  successP50Ms: 'success p50',
  successP95Ms: 'success p95',
  queueWaitP95Ms: 'queue-wait p95',
  amplification: 'requests per job',
}
/** What people look at when a batch is slow; which of them tells is the point of the experiment. */
const WATCHED: readonly BatchMetric[] = ['queueWaitP95Ms', 'wallMs', 'successP50Ms', 'successP95Ms', 'successRate']

const COLUMNS = columnsOf('client', 'wall', 'upstream', '404s', 'queue p95', 'success p50', 'success p95', 'succeeded')

/**
 * A batch, or a comparison of several, as text for a terminal, Markdown, JSON or an SVG chart of queue wait against success latency.
 *
 * @param format 'table' (default), 'markdown', 'json' or 'svg'
 * @throws ExperimentOptionsError for another format
 * @example
 * renderBatch(await compareBatch(), 'markdown')
 */
export function renderBatch(result: BatchReport | BatchComparison, format: ReportFormat = 'table'): string {
  requireFormat('renderBatch(result, format)', format)
  if (format === 'json') return toJson(result)
  const reports = result.kind === 'batch' ? [result] : result.reports
  if (format === 'svg') return chart(reports)
  const { jobs, workers, retiredShare, transientRate, latencyMs, seeds } = reports[0]!.options
  const doomed = Math.round(jobs * retiredShare)
  return renderPage(
    {
      title: `Batch: ${jobs} jobs, ${workers} workers, ${doomed} with a retired model`,
      setting: `${percent(transientRate)} transient, ${latencyMs} ms latency; ${seedsText(seeds)}: medians, virtual time`,
      tables: [{ columns: COLUMNS, rows: reports.map(row) }, ...ranges(reports), ...measured(reports)],
      remarks: [...measuredRemarks(reports), ...reports.flatMap(remarks), ...comparisonRemarks(result)],
    },
    format,
  )
}

function row(report: BatchReport): string[] {
  return [
    report.client,
    seconds(report.wallMs.median),
    count(report.upstream.median),
    count(report.notFound.median),
    milliseconds(report.queueWaitP95Ms.median),
    milliseconds(report.successP50Ms.median),
    milliseconds(report.successP95Ms.median),
    `${count(report.succeeded.median)}/${count(report.submitted.median)}`,
  ]
}

/** Halves come from the median of an even number of runs. */
const count = (value: number): string => String(value)

function ranges(reports: readonly BatchReport[]): readonly Table[] {
  if (reports[0]!.figures.length === 1) return []
  const rows = reports.map((report) => [
    report.client,
    rangeText(report.wallMs, seconds),
    rangeText(report.upstream, count),
    rangeText(report.queueWaitP95Ms, milliseconds),
    rangeText(report.successP95Ms, milliseconds),
  ])
  return [
    {
      heading: 'From the least to the most of the runs',
      columns: columnsOf('client', 'wall', 'upstream', 'queue p95', 'success p95'),
      rows,
    },
  ]
}

function measured(reports: readonly BatchReport[]): readonly Table[] {
  const bands = measuredBands(reports[0]!.options)
  if (bands === null) return []
  const band = (client: string, metric: keyof MeasuredBands, format: (value: number) => string) => {
    const [min, max] = bands[client]![metric]
    return rangeText({ min, max }, format)
  }
  const rows = reports
    .filter(({ client }) => client in bands)
    .map(({ client }) => [
      client,
      band(client, 'wallMs', seconds),
      band(client, 'upstream', count),
      band(client, 'queueWaitP95Ms', milliseconds),
    ])
  const heading = 'Measured in real time: a thread pool over loopback, three runs'
  return rows.length === 0 ? [] : [{ heading, columns: columnsOf('client', 'wall', 'upstream', 'queue p95'), rows }]
}

function measuredRemarks(reports: readonly BatchReport[]): readonly string[] {
  const bands = measuredBands(reports[0]!.options) ?? {}
  const held = reports.flatMap((report) =>
    Object.entries(bands[report.client] ?? {}).map(([metric, band]) => ({
      name: `${report.client}, ${NAMES[metric as BatchMetric]}`,
      isNear: isNear(report[metric as BatchMetric].median, band),
    })),
  )
  if (held.length === 0) return []
  const outside = held.filter((one) => !one.isNear).map(({ name }) => name)
  const widened = `what was measured, widened by ${percent(MEASURED_TOLERANCE)}`
  return [
    outside.length === 0
      ? `All ${held.length} medians lie within ${widened}`
      : `${held.length - outside.length} of ${held.length} medians lie within ${widened}; outside: ${outside.join('; ')}`,
  ]
}

function remarks({ client, movements, dropped }: BatchReport): string[] {
  const watched = WATCHED.map((metric) => movements.find((movement) => movement.metric === metric)!)
  const moved = watched.filter((movement) => movement.moved).map(({ metric, ratio }) => `${NAMES[metric]} ${times(ratio)}`)
  const still = watched.filter((movement) => !movement.moved).map(({ metric }) => NAMES[metric])
  const sentence =
    moved.length === 0
      ? `${client}: the doomed jobs moved none of ${still.join(', ')}`
      : `${client}: the doomed jobs moved ${moved.join(', ')}; they did not move ${still.join(', ')}`
  return dropped.length === 0 ? [sentence] : [sentence, `${client}: refused before submission: ${dropped.join(', ')}`]
}

/** Which of the watched metrics tells the clients apart, and which stays still. */
function comparisonRemarks(result: BatchReport | BatchComparison): string[] {
  if (result.kind === 'batch' || result.reports.length < 2) return []
  const told = WATCHED.map((metric) => ({
    name: NAMES[metric],
    pairs: result.separations.filter((pair) => pair.metric === metric && pair.order !== null),
  }))
  const telling = told.filter(({ pairs }) => pairs.length > 0)
  const still = told.filter(({ pairs }) => pairs.length === 0).map(({ name }) => name)
  return [
    ...telling.map(({ name, pairs }) => `${name} tells ${pairsText(pairs, 'from')} (at least 95 % of the runs agree)`),
    ...(still.length === 0 ? [] : [`${still.join(', ')} tell no client from another`]),
    ...flipRemark(result.reports),
  ]
}

/** A metric with two values, whichever client: that it changes from run to run says nothing about the client. */
function flipRemark(reports: readonly BatchReport[]): string[] {
  const valuesOf = ({ figures }: BatchReport) =>
    [...new Set(figures.map(({ successP95Ms }) => successP95Ms))].sort((a, b) => a - b)
  const [first, ...others] = reports.map((report) => valuesOf(report).map(milliseconds).join(' and '))
  if (valuesOf(reports[0]!).length !== 2 || others.some((values) => values !== first)) return []
  return [`success p95 flips between ${first} from run to run, with every client alike`]
}

function chart(reports: readonly BatchReport[]): string {
  const told = reports.map(
    ({ client, queueWaitP95Ms, successP95Ms }) =>
      `${client}: queue-wait p95 ${milliseconds(queueWaitP95Ms.median)}, success p95 ${milliseconds(successP95Ms.median)}`,
  )
  return renderChart({
    kind: 'dots',
    title: 'Queue wait against success latency',
    description: `One dot per run. ${told.join('; ')}.`,
    xLabel: 'success p95, ms',
    yLabel: 'queue-wait p95, ms',
    series: reports.map(({ client, figures }) => ({
      name: client,
      points: figures.map(({ successP95Ms, queueWaitP95Ms }) => [successP95Ms, queueWaitP95Ms] as const),
    })),
  })
}
