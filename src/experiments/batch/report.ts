import { renderChart } from '../charts.js'
import {
  milliseconds,
  percent,
  type ReportFormat,
  renderPage,
  requireFormat,
  seconds,
  seedsText,
  times,
  toJson,
  withRange,
} from '../render.js'
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

const COLUMNS = [
  { head: 'client' },
  { head: 'wall', align: 'right' },
  { head: 'upstream', align: 'right' },
  { head: '404s', align: 'right' },
  { head: 'queue p95', align: 'right' },
  { head: 'success p50', align: 'right' },
  { head: 'success p95', align: 'right' },
  { head: 'succeeded', align: 'right' },
] as const

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
      setting: `${percent(transientRate)} transient, ${latencyMs} ms latency; ${seedsText(seeds)}: median (min to max), virtual time`,
      columns: COLUMNS,
      rows: reports.map(row),
      remarks: reports.flatMap(remarks),
    },
    format,
  )
}

function row(report: BatchReport): string[] {
  return [
    report.client,
    withRange(report.wallMs, seconds),
    withRange(report.upstream, count),
    withRange(report.notFound, count),
    withRange(report.queueWaitP95Ms, milliseconds),
    withRange(report.successP50Ms, milliseconds),
    withRange(report.successP95Ms, milliseconds),
    `${count(report.succeeded.median)}/${count(report.submitted.median)}`,
  ]
}

/** Halves come from the median of an even number of runs. */
const count = (value: number): string => String(value)

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
