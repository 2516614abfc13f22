import type { SuiteSummary } from './collect.js'

/** The statuses of cases in the order of the columns, and what a person calls them. */
const COLUMNS: readonly (readonly [status: string, title: string])[] = [
  ['passed', 'kept'],
  ['failed', 'broken'],
  ['should-broken', 'broken should'],
  ['expected-failure', 'expected'],
  ['stale', 'stale'],
  ['inconclusive', 'not met'],
  ['informational', 'info'],
  ['not-applicable', 'not promised'],
  ['unsupported', 'unsupported'],
]

export interface ContractTable {
  readonly head: readonly string[]
  /** One row a guarantee, the sum in the end; a dot for none. */
  readonly rows: readonly (readonly string[])[]
}

/** How many cases of each guarantee came to what; columns that would be empty are left out. */
export function contractTable({ cases }: SuiteSummary): ContractTable {
  const columns = COLUMNS.filter(([status]) => cases.some((one) => one.status === status))
  const row = (name: string, own: SuiteSummary['cases']) => [
    name,
    ...columns.map(([status]) => String(own.filter((one) => one.status === status).length || '·')),
  ]
  const guarantees = [...new Set(cases.map(({ guarantee }) => guarantee))]
  const rows = guarantees.map((id) =>
    row(
      id,
      cases.filter(({ guarantee }) => guarantee === id),
    ),
  )
  return { head: ['guarantee', ...columns.map(([, title]) => title)], rows: [...rows, row('all', cases)] }
}

/** Cases that are not as promised. */
export const brokenCases = ({ cases }: SuiteSummary): SuiteSummary['cases'] =>
  cases.filter(({ status }) => status === 'failed' || status === 'stale' || status === 'should-broken')
