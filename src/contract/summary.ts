import { GUARANTEE_IDS } from '../guarantees/model.js'
import type { CaseStatus, ContractReport } from './results.js'

const COLUMNS: readonly (readonly [CaseStatus, string])[] = [
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['expected-failure', 'expected'],
  ['stale', 'stale'],
  ['should-broken', 'should'],
  ['inconclusive', 'not met'],
  ['informational', 'info'],
  ['not-applicable', 'n/a'],
  ['unsupported', 'unsupported'],
]
const NAME_WIDTH = 14

/** The suite at a glance: one row a guarantee, then what was not asked and why. */
export function renderSummary({ client, catalogue, outcomes, counts }: ContractReport): string {
  const cell = (text: string | number, index: number) => String(text).padStart(Math.max(7, COLUMNS[index]![1].length + 1))
  const header = `  ${''.padEnd(NAME_WIDTH)}${COLUMNS.map(([, title], i) => cell(title, i)).join('')}`
  const rows = GUARANTEE_IDS.flatMap((id) => {
    const own = outcomes.filter(({ guarantee }) => guarantee === id)
    if (own.length === 0) return []
    const count = (status: CaseStatus) => own.filter((one) => one.status === status).length || '·'
    return [`  ${id.padEnd(NAME_WIDTH)}${COLUMNS.map(([status], i) => cell(count(status), i)).join('')}`]
  })
  const total = `  ${'all'.padEnd(NAME_WIDTH)}${COLUMNS.map(([status], i) => cell(counts[status], i)).join('')}`
  return [`${client}: ${catalogue}, ${outcomes.length} cases`, '', header, ...rows, total, ...reasons(outcomes)].join('\n')
}

/** Cases that were not asked, by the reason they share. */
function reasons(outcomes: ContractReport['outcomes']): readonly string[] {
  const byNote = new Map<string, string[]>()
  for (const { id, status, note } of outcomes) {
    if (status === 'not-applicable' || status === 'unsupported') byNote.set(note, [...(byNote.get(note) ?? []), id])
  }
  if (byNote.size === 0) return []
  return ['', '  not asked:', ...[...byNote].map(([note, ids]) => `    ${note}: ${ids.join(', ')}`)]
}
