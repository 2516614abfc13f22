import type { DecisionTable } from '../report/decision-table.js'
import { currentTest } from './current-test.js'
import { MatcherUsageError } from './errors.js'

/**
 * Shows a table in the page and the job summary that 'retrial/reporter' writes, whether the test passes or fails.
 *
 * @param title what the table is of
 * @param table what `diagnose` returned, or a table as text
 * @throws {MatcherUsageError} outside of a test
 * @example
 * showInReport('the endpoint', diagnose(report.trials))
 */
export function showInReport(title: string, table: DecisionTable | string): void {
  const test = currentTest()
  if (test === undefined)
    throw new MatcherUsageError(`showInReport('${title}'): only inside a test of a project with 'retrial/setup'`)
  test.meta.retrialTables = [...(test.meta.retrialTables ?? []), { title, table }]
}
