import { type Column, renderMarkdownTable, renderTable } from '../report/table.js'
import { formatNumber, wrap } from '../report/text.js'
import { ExperimentOptionsError } from './options.js'
import type { Spread } from './stats.js'

/**
 * What a report of an experiment can be rendered as: text for a terminal, Markdown, JSON, or an SVG chart.
 *
 * @example
 * for (const format of FORMATS) renderBatch(report, format)
 */
export const FORMATS = ['table', 'markdown', 'json', 'svg'] as const
/** One of {@link FORMATS}. */
export type ReportFormat = (typeof FORMATS)[number]

/** Refuses what is none of the formats, naming them. */
export function requireFormat(place: string, format: unknown): asserts format is ReportFormat {
  if ((FORMATS as readonly unknown[]).includes(format)) return
  throw new ExperimentOptionsError(
    `${place}: expected ${FORMATS.map((name) => `'${name}'`).join(', ')}, received ${JSON.stringify(format)}`,
  )
}

/** Rows under heads; the first table of a page needs no heading. */
export interface Table {
  readonly heading?: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
}

/** A heading, a line on what was run, tables, and remarks: the same content for the terminal and for Markdown. */
export interface Page {
  readonly title: string
  readonly setting: string
  readonly tables: readonly Table[]
  readonly remarks: readonly string[]
}

const TERMINAL_WIDTH = 100

export function renderPage({ title, setting, tables, remarks }: Page, format: 'table' | 'markdown'): string {
  if (format === 'markdown') {
    const list = remarks.map((remark) => `- ${remark}`)
    const parts = tables.map(({ heading, columns, rows }) => [
      ...(heading === undefined ? [] : [`**${heading}**`, '']),
      renderMarkdownTable(columns, rows),
      '',
    ])
    return [`## ${title}`, '', setting, '', ...parts.flat(), ...list].join('\n').trimEnd()
  }
  const parts = tables.map(({ heading, columns, rows }) => [
    ...(heading === undefined ? [] : [heading, '']),
    renderTable(columns, rows),
    '',
  ])
  const narrow = (text: string) => wrap(text, TERMINAL_WIDTH, '  ')
  return [title, narrow(setting), '', ...parts.flat(), ...remarks.map(narrow)].join('\n').trimEnd()
}

/** Cells as columns: the first to the left, the others to the right. */
export const columnsOf = (...heads: readonly string[]): readonly Column[] =>
  heads.map((head, i) => (i === 0 ? { head } : { head, align: 'right' }))

/** What JSON has no number for: never recovered, and a figure of nothing. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, item) => (item === Number.POSITIVE_INFINITY ? 'never' : Number.isNaN(item) ? null : item), 2)

/** What no number can be told for: a figure of nothing, and what never came. */
const noNumber = (value: number): string => (Number.isNaN(value) ? '-' : 'never')
export const seconds = (ms: number): string => (Number.isFinite(ms) ? `${(ms / 1_000).toFixed(2)} s` : noNumber(ms))
export const milliseconds = (ms: number): string => (Number.isFinite(ms) ? `${formatNumber(ms)} ms` : noNumber(ms))
export const percent = (share: number): string => `${Math.round(share * 100)} %`
export const times = (ratio: number): string => (Number.isFinite(ratio) ? `${ratio.toFixed(2)} x` : 'from nothing')

/** "8.40 s to 9.42 s", or the one value. */
export function rangeText({ min, max }: Omit<Spread, 'median'>, format: (value: number) => string): string {
  const [low, high] = [format(min), format(max)]
  return low === high ? low : `${low} to ${high}`
}

/** "seeds 1 to 9". */
export const seedsText = (seeds: readonly number[]): string =>
  seeds.length === 1 ? `seed ${seeds[0]}` : `${seeds.length} runs, seeds ${seeds[0]} to ${seeds.at(-1)}`

/** Pairs of clients by the first of them: "fixed from exponential, full-jitter; none from fixed". Empty for no pairs. */
export function pairsText(pairs: readonly { readonly a: string; readonly b: string }[], word: string): string {
  const firsts = [...new Set(pairs.map(({ a }) => a))]
  const othersOf = (first: string) => pairs.filter(({ a }) => a === first).map(({ b }) => b)
  return firsts.map((first) => `${first} ${word} ${othersOf(first).join(', ')}`).join('; ')
}
