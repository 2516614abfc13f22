import { oneLine } from './text.js'

/** A column: numbers are set to the right. */
export interface Column {
  readonly head: string
  readonly align?: 'left' | 'right'
}

/**
 * A table as text, columns padded to the width of their widest cell, two spaces between them.
 *
 * @example
 * renderTable([{ head: 'client' }, { head: 'wall', align: 'right' }], [['naive', '8 760 ms']])
 */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map(({ head }, i) => Math.max(head.length, ...rows.map((row) => row[i]!.length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (columns[i]!.align === 'right' ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd()
  return [line(columns.map(({ head }) => head)), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n')
}

/** The same as a Markdown table. */
export function renderMarkdownTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => oneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`
  const rule = columns.map(({ align }) => (align === 'right' ? '---:' : '---'))
  return [line(columns.map(({ head }) => head)), line(rule), ...rows.map(line)].join('\n')
}
