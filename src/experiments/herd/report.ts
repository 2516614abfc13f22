import { renderChart } from '../charts.js'
import {
  milliseconds,
  notSeparated,
  percent,
  type ReportFormat,
  renderPage,
  requireFormat,
  seconds,
  seedsText,
  toJson,
} from '../render.js'
import type { HerdComparison, HerdReport, HerdServer, HerdSetting, Phase } from './model.js'

const COLUMNS = [
  { head: 'client' },
  { head: 'success', align: 'right' },
  { head: 'p95', align: 'right' },
  { head: 'requests/call', align: 'right' },
  { head: '2nd wave', align: 'right' },
  { head: 'wasted', align: 'right' },
  { head: 'recovery', align: 'right' },
  { head: 'published success', align: 'right' },
  { head: 'published p95', align: 'right' },
  { head: 'errors' },
] as const

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
      columns: COLUMNS,
      rows: reports.map(row),
      remarks: [...reports.flatMap(phaseRemarks), ...separationRemarks(result)],
    },
    format,
  )
}

function row(report: HerdReport): string[] {
  const { client, recoveryMs, asPublished, errors } = report
  return [
    client,
    percent(report.successRate.median),
    seconds(report.p95Ms.median),
    report.amplification.median.toFixed(2),
    String(report.secondWavePeak.median),
    percent(report.wasted.median),
    recoveryMs === null ? '-' : seconds(recoveryMs.median),
    percent(asPublished.successRate.median),
    seconds(asPublished.lastAttemptP95Ms.median),
    errorText(errors, report.figures.length),
  ]
}

/** Per run, most frequent first. */
function errorText(errors: Readonly<Record<string, number>>, runs: number): string {
  const kinds = Object.entries(errors).sort(([, a], [, b]) => b - a)
  return kinds.map(([kind, count]) => `${kind} ${perRun(count / runs)}`).join(', ') || 'none'
}

const perRun = (count: number): string => (count < 0.05 ? '<0.1' : String(Math.round(count * 10) / 10))

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

/** The first run of a herd as a story; only where something happened. */
function phaseRemarks({ client, phases, options }: HerdReport): string[] {
  if (options.clients === 1 || phases.every(({ resends }) => resends === 0)) return []
  const told = phases.filter(({ attempts }) => attempts > 0).map(phaseText)
  return [`${client}, seed ${options.seeds[0]}: ${told.join('; ')}`]
}

const phaseText = ({ name, fromMs, untilMs, attempts, resends, answered }: Phase): string =>
  `${name} ${seconds(fromMs)} to ${seconds(untilMs)}: ${attempts} requests, ${resends} of them re-sends, ${percent(answered)} answered`

function separationRemarks(result: HerdReport | HerdComparison): string[] {
  if (result.kind === 'herd') return []
  return [
    ['successRate', 'success'],
    ['p95Ms', 'p95'],
  ].map(([metric, name]) => {
    const pairs = notSeparated(result.separations, metric!)
    return pairs === null
      ? `Every pair of clients is told apart on ${name} (at least 95 % of the runs agree)`
      : `Not told apart on ${name} (fewer than 95 % of the runs agree): ${pairs}`
  })
}

function chart(reports: readonly HerdReport[]): string {
  const peaks = reports.map(({ client, timeline }) => {
    const peak = Math.max(...timeline.map(({ firstTries, resends }) => firstTries + resends))
    return `${client} peaks at ${peak} requests in a second`
  })
  return renderChart({
    kind: 'line',
    title: 'Requests that reach the server',
    description: `Requests per second over time, seed ${reports[0]!.options.seeds[0]}. ${peaks.join('; ')}.`,
    xLabel: 'time, s',
    yLabel: 'requests per second',
    series: reports.map(({ client, timeline }) => ({
      name: client,
      points: timeline.map(({ atMs, firstTries, resends }) => [atMs / 1_000, firstTries + resends] as const),
    })),
  })
}
