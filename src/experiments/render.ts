import { type Column, renderMarkdownTable, renderTable } from '../report/table.js'
import { formatNumber } from '../report/text.js'
import { ExperimentOptionsError } from './options.js'
import type { Separation, Spread } from './stats.js'

export const FORMATS = ['table', 'markdown', 'json', 'svg'] as const
export type ReportFormat = (typeof FORMATS)[number]

/** Refuses what is none of the formats, naming them. */
export function requireFormat(place: string, format: unknown): asserts format is ReportFormat {
  if ((FORMATS as readonly unknown[]).includes(format)) return
  throw new ExperimentOptionsError(
    `${place}: expected ${FORMATS.map((name) => `'${name}'`).join(', ')}, received ${JSON.stringify(format)}`,
  )
}

/** A heading, a line on what was run, a table, and remarks: the same content for the terminal and for Markdown. */
export interface Page {
  readonly title: string
  readonly setting: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
  readonly remarks: readonly string[]
}

export function renderPage({ title, setting, columns, rows, remarks }: Page, format: 'table' | 'markdown'): string {
  if (format === 'table') return [title, setting, '', renderTable(columns, rows), '', ...remarks].join('\n').trimEnd()
  const list = remarks.map((remark) => `- ${remark}`)
  return [`## ${title}`, '', setting, '', renderMarkdownTable(columns, rows), '', ...list].join('\n').trimEnd()
}

/** What JSON has no number for: never recovered, and a figure of nothing. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, item) => (item === Number.POSITIVE_INFINITY ? 'never' : Number.isNaN(item) ? null : item), 2)

export const seconds = (ms: number): string => (Number.isFinite(ms) ? `${(ms / 1_000).toFixed(2)} s` : 'never')
export const milliseconds = (ms: number): string => (Number.isFinite(ms) ? `${formatNumber(ms)} ms` : 'never')
export const percent = (share: number): string => `${Math.round(share * 100)} %`
export const times = (ratio: number): string => (Number.isFinite(ratio) ? `${ratio.toFixed(2)} x` : 'from nothing')

/** The median and, where the runs differ, the range. */
export function withRange({ median, min, max }: Spread, format: (value: number) => string): string {
  const [low, high] = [format(min), format(max)]
  return low === high ? format(median) : `${format(median)} (${low} to ${high})`
}

/** "seeds 1 to 9". */
export const seedsText = (seeds: readonly number[]): string =>
  seeds.length === 1 ? `seed ${seeds[0]}` : `${seeds.length} runs, seeds ${seeds[0]} to ${seeds.at(-1)}`

/** The pairs that the model does not tell apart on a metric, by the first of them; null when all are told apart. */
export function notSeparated(separations: readonly Separation[], metric: string): string | null {
  const pairs = separations.filter((pair) => pair.metric === metric && pair.order === null)
  const firsts = [...new Set(pairs.map(({ a }) => a))]
  const groups = firsts.map((first) => {
    const others = pairs.filter(({ a }) => a === first).map(({ b }) => b)
    return `${first} from ${others.join(', ')}`
  })
  return groups.length === 0 ? null : groups.join('; ')
}
