import type { DecisionTable } from '../report/decision-table.js'
import { escapeXml } from '../report/svg/xml.js'
import { formatMs, plural } from '../report/text.js'
import { type FailedTest, type ReportData, type SearchSummary, type SuiteSummary, timelineOf } from './collect.js'
import { brokenCases, contractTable } from './contract-table.js'
import { PAGE_STYLE } from './style.js'

const pre = (text: string): string => `<pre>${text.split('\n').map(escapeSpaced).join('\n')}</pre>`
/** `escapeXml` trims, and the indentation of a timeline is part of it. */
const escapeSpaced = (line: string): string => line.slice(0, line.length - line.trimStart().length) + escapeXml(line)

function row(tag: 'th' | 'td', cells: readonly string[]): string {
  const scope = tag === 'th' ? 'col' : 'row'
  const list = cells.map((cell, i) =>
    i === 0 ? `<th scope="${scope}">${escapeXml(cell)}</th>` : `<${tag}>${escapeXml(cell)}</${tag}>`,
  )
  return `<tr>${list.join('')}</tr>`
}

function table(head: readonly string[], rows: readonly (readonly string[])[], classes = ''): string {
  const body = rows.map((cells) => row('td', cells)).join('')
  return `<div class="scroll"><table class="${classes}"><thead>${row('th', head)}</thead><tbody>${body}</tbody></table></div>`
}

const section = (title: string, content: readonly string[]): string =>
  content.length === 0 ? '' : `<section><h2>${escapeXml(title)}</h2>${content.join('')}</section>`

/** The run as one page that needs nothing but itself: no script, no font, no network. */
export function renderHtml(data: ReportData): string {
  const { passed, failed, skipped } = data.counts
  const broken = failed + data.brokenFiles.length
  const verdict = broken === 0 ? 'nothing broken' : plural(broken, 'failure')
  const parts = [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Retrial: ${verdict}</title><style>${PAGE_STYLE}</style></head><body>`,
    `<header><h1>Retrial: <span class="${broken === 0 ? 'good' : 'bad'}">${verdict}</span></h1>`,
    `<p>${plural(passed, 'test')} passed, ${failed} failed, ${skipped} skipped.</p></header><main>`,
    section('Files that could not be run', data.brokenFiles.map(brokenFileOf)),
    section('Contracts', data.suites.map(suiteOf)),
    section('Failures', data.failures.map(failureOf)),
    section('Searches', data.searches.map(searchOf)),
    section('Tables', data.tables.map(shownOf)),
    '</main></body></html>',
  ]
  return `${parts.filter((part) => part !== '').join('\n')}\n`
}

const brokenFileOf = ({ file, message }: ReportData['brokenFiles'][number]): string =>
  `<p><code>${escapeXml(file)}</code>: ${escapeXml(message)}</p>`

const shownOf = ({ title, table: shown }: ReportData['tables'][number]): string =>
  `<h3>${escapeXml(title)}</h3>${typeof shown === 'string' ? pre(shown) : decisionOf(shown)}`

function suiteOf(suite: SuiteSummary): string {
  const { head, rows } = contractTable(suite)
  const broken = brokenCases(suite).map(
    ({ id, title, note }) =>
      `<li><strong>${escapeXml(id)}</strong> ${escapeXml(title)}<br><span class="bad">${escapeXml(note)}</span></li>`,
  )
  const about = `client ${suite.client}, ${suite.catalogue}, ${plural(suite.cases.length, 'case')}`
  const list = broken.length === 0 ? '' : `<ul>${broken.join('')}</ul>`
  return `<h3>${escapeXml(suite.suite)}</h3><p class="soft">${escapeXml(about)}</p>${table(head, rows, 'numbers')}${list}`
}

/** The picture first: the text says the same at length. */
function failureOf(failure: FailedTest): string {
  const { name, file, line, message, pictures } = failure
  const timeline = timelineOf(failure)
  const place = `${file}${line === null ? '' : `:${line}`}`
  const text = pre(message) + (timeline === null ? '' : pre(timeline))
  const figures = pictures.map((svg) => `<figure class="scroll">${svg}</figure>`).join('')
  const shown =
    figures === ''
      ? text
      : `<p>${escapeXml(message.split('\n')[0]!)}</p>${figures}<details><summary>as text</summary>${text}</details>`
  return `<article><h3>${escapeXml(name)}</h3><p class="soft"><code>${escapeXml(place)}</code></p>${shown}</article>`
}

function searchOf({ test, kind, runs, skipped, seed, elapsedMs, coverage, schedule }: SearchSummary): string {
  const came = `${kind}: ${plural(runs, 'run')}, ${skipped} skipped, seed ${seed}, ${formatMs(elapsedMs)}`
  const found = schedule === undefined ? '' : `<p>smallest schedule <code>${escapeXml(schedule)}</code></p>`
  const met = `<details><summary>what was met</summary>${pre(coverage)}</details>`
  return `<h3>${escapeXml(test)}</h3><p class="${kind === 'upheld' ? 'good' : 'bad'}">${escapeXml(came)}</p>${found}${met}`
}

const SIGNS = { broken: '✗', act: '→', info: '·' } as const

function decisionOf({ rows, runs, attempts }: DecisionTable): string {
  const heading = `<p class="soft">${plural(runs, 'call')}, ${plural(attempts, 'attempt')}</p>`
  if (rows.length === 0) return `${heading}<p>nothing that asks for a decision</p>`
  const lines = rows.map(({ kind, observation, count, of, interpretation, action, fewRuns }) => [
    `${SIGNS[kind]} ${observation}`,
    `${count} of ${of}${fewRuns ? ' (too few)' : ''}`,
    interpretation,
    action,
  ])
  return heading + table(['observation', 'count', 'interpretation', 'action'], lines)
}
