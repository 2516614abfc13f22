import { renderMarkdownTable } from './table.js'
import { oneLine, plural, toAscii } from './text.js'

/** One row of a decision table: what was seen, how often, what it means, and what to do about it. */
export interface DecisionRow {
  readonly id: string
  /** broken: the client breaks a rule. act: something is to be changed. info: to be known. */
  readonly kind: 'broken' | 'act' | 'info'
  readonly observation: string
  /** Calls in which it was seen, of those in which it could have been. */
  readonly count: number
  readonly of: number
  readonly interpretation: string
  readonly action: string
  /** What the row rests on, as an example. */
  readonly evidence: string
  /** Too few calls for a pattern; `enough` would do. */
  readonly fewRuns: boolean
  readonly enough: number
}

export interface DecisionTable {
  readonly rows: readonly DecisionRow[]
  /** Calls that were looked at. */
  readonly runs: number
  readonly attempts: number
}

const SIGNS = { broken: '✗', act: '→', info: '·' } as const

const share = ({ count, of }: DecisionRow): string => `${count} of ${plural(of, 'call')}`
const caution = ({ of, enough }: DecisionRow): string =>
  `rests on ${plural(of, 'call')}: ${enough} are needed before it is a pattern`

function block(row: DecisionRow): string {
  const lines = [
    `${SIGNS[row.kind]} ${share(row)}: ${oneLine(row.observation)}`,
    `    means   ${row.interpretation}`,
    `    do      ${row.action}`,
    `    seen    ${oneLine(row.evidence)}`,
    ...(row.fewRuns ? [`    beware  ${caution(row)}`] : []),
  ]
  return lines.join('\n')
}

const COLUMNS = [
  { head: 'observation' },
  { head: 'count', align: 'right' },
  { head: 'interpretation' },
  { head: 'action' },
] as const

const heading = ({ runs, attempts }: DecisionTable): string => `${plural(runs, 'call')}, ${plural(attempts, 'attempt')}`

/**
 * A decision table as text for a terminal, or as Markdown.
 *
 * @param options.format 'text' (default) or 'markdown'
 * @param options.ascii only ASCII characters. Default false.
 * @example
 * console.log(renderDecisionTable(diagnose(report.trials)))
 */
export function renderDecisionTable(
  table: DecisionTable,
  { format = 'text', ascii = false }: { readonly format?: 'text' | 'markdown'; readonly ascii?: boolean } = {},
): string {
  const spell = (text: string) => (ascii ? toAscii(text) : text)
  if (table.rows.length === 0) return spell(`${heading(table)}: nothing that asks for a decision`)
  if (format === 'text') return spell([heading(table), ...table.rows.map(block)].join('\n\n'))
  const cells = table.rows.map((row) => [
    row.observation,
    row.fewRuns ? `${share(row)} (too few)` : share(row),
    row.interpretation,
    row.action,
  ])
  return spell(renderMarkdownTable(COLUMNS, cells))
}
