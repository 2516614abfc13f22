import { renderDecisionTable } from '../report/decision-table.js'
import { renderMarkdownTable } from '../report/table.js'
import { formatMs, oneLine, plural, truncate } from '../report/text.js'
import { type FailedTest, type ReportData, type SearchSummary, type SuiteSummary, timelineOf } from './collect.js'
import { brokenCases, contractTable } from './contract-table.js'

/** GitHub takes no more than 1 MiB of summary a step: of many failures the first ones are told in full. */
const FAILURES_IN_FULL = 30
const TITLE_LENGTH = 200

const code = (text: string): string => `\`${oneLine(text).replaceAll('`', "'")}\``
/** Longer than any fence within. */
const fenced = (text: string): string => `~~~~~~text\n${text}\n~~~~~~`
const escapeHtml = (text: string): string =>
  oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The run as a job summary: what was judged, what was broken, and the failures one can open. */
export function renderMarkdown(data: ReportData): string {
  const { passed, failed, skipped } = data.counts
  const broken = failed + data.brokenFiles.length
  const parts = [
    `## Retrial: ${broken === 0 ? 'nothing broken' : plural(broken, 'failure')}`,
    `${plural(passed, 'test')} passed, ${failed} failed, ${skipped} skipped.`,
    ...data.brokenFiles.map(({ file, message }) => `- ${code(file)} could not be run: ${escapeHtml(message)}`),
    ...data.suites.flatMap(suiteOf),
    ...failuresOf(data.failures),
    ...searchesOf(data.searches),
    ...data.tables.flatMap(({ title, table }) => [
      `### ${escapeHtml(title)}`,
      typeof table === 'string' ? fenced(table) : renderDecisionTable(table, { format: 'markdown' }),
    ]),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function suiteOf(suite: SuiteSummary): string[] {
  const { head, rows } = contractTable(suite)
  const columns = head.map((title, i) => ({ head: title, align: i === 0 ? ('left' as const) : ('right' as const) }))
  const broken = brokenCases(suite).map(({ id, title, note }) => `- **${id}** ${escapeHtml(title)}: ${escapeHtml(note)}`)
  return [`### ${escapeHtml(suite.suite)} (${suite.catalogue})`, renderMarkdownTable(columns, rows), broken.join('\n')]
}

function failuresOf(failed: readonly FailedTest[]): string[] {
  if (failed.length === 0) return []
  const told = failed.slice(0, FAILURES_IN_FULL).map((failure) => {
    const { name, file, line, message } = failure
    const text = [message, timelineOf(failure)].filter((part) => part !== null).join('\n\n')
    const place = `${file}${line === null ? '' : `:${line}`}`
    return `<details><summary>${escapeHtml(truncate(name, TITLE_LENGTH))}</summary>\n\n${code(place)}\n\n${fenced(text)}\n\n</details>`
  })
  const more = failed.length - told.length
  return ['### Failures', ...told, ...(more > 0 ? [`and ${more} more.`] : [])]
}

const SEARCH_COLUMNS = [
  { head: 'search' },
  { head: 'came to' },
  { head: 'runs', align: 'right' },
  { head: 'seed', align: 'right' },
  { head: 'took', align: 'right' },
  { head: 'schedule' },
] as const

function searchesOf(found: readonly SearchSummary[]): string[] {
  if (found.length === 0) return []
  const rows = found.map(({ test, kind, runs, seed, elapsedMs, schedule }) => [
    test,
    kind,
    String(runs),
    String(seed),
    formatMs(elapsedMs),
    schedule === undefined ? '' : code(schedule),
  ])
  return ['### Searches', renderMarkdownTable(SEARCH_COLUMNS, rows)]
}
