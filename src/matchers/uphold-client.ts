import type { MatcherState } from 'vitest'
import { noteTrial } from '../report/notes.js'
import type { SearchReport } from '../search/model.js'
import type { ClientInput } from '../trial/model.js'
import { currentTest } from './current-test.js'
import { InconclusiveError, MatcherUsageError } from './errors.js'
import { toTerminal } from './message.js'
import type { ResolvedMatcherOptions } from './options.js'
import type { UpholdOptions } from './uphold-options.js'

/** The share of the test's time that a search may take when it is given no budget: the rest is for shrinking the last run, and reporting. */
const SHARE_OF_TIMEOUT = 0.8

interface Judged {
  readonly pass: boolean
  readonly message: () => string
}

/** Searches for a schedule that makes the client break the contract. */
export async function upholdClient(
  { task, isNot }: Pick<MatcherState, 'task' | 'isNot'>,
  client: ClientInput,
  { contract, call, transport, known }: ResolvedMatcherOptions,
  { print, ...options }: UpholdOptions,
  stack: string | undefined,
): Promise<Judged> {
  const { search, renderSearch } = await loadSearch()
  const test = currentTest() ?? task
  const timeoutMs = test?.timeout ?? 0
  const budgetMs = options.budgetMs ?? (timeoutMs > 0 ? SHARE_OF_TIMEOUT * timeoutMs : undefined)
  const report = await search(client, contract, { ...options, budgetMs, call, transport, known })
  const text = () => toTerminal(renderSearch(report, 'toUphold'))
  if (test !== undefined) keepInMeta(test, report)
  if (report.kind === 'broken') {
    const [verdict] = report.counterexample?.broken ?? []
    const trials = report.counterexample?.trials ?? []
    if (verdict !== undefined && !isNot) noteTrial({ matcher: 'toUphold', trials, verdict, contract, task, stack })
    return { pass: false, message: text }
  }
  if (report.isCut && options.budgetMs === undefined) throw new InconclusiveError(outOfTime(report, timeoutMs))
  if (report.kind === 'inconclusive') throw new InconclusiveError(text())
  if (print) console.log(text())
  return { pass: true, message: () => `not.${text()}` }
}

/** fast-check is a package of the user's: two copies of it would not know each other's arbitraries. */
async function loadSearch() {
  try {
    const [{ search }, { renderSearch }] = await Promise.all([import('../search/run.js'), import('../search/render.js')])
    return { search, renderSearch }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new MatcherUsageError('toUphold(client) needs fast-check: npm install --save-dev fast-check', { cause: error })
  }
}

const outOfTime = ({ runs, runsAsked, seed }: SearchReport, timeoutMs: number): string =>
  `inconclusive: only ${runs} of ${runsAsked} runs (seed ${seed}) fitted into the test's time-out of ${timeoutMs} ms, and they upheld the contract; ` +
  'raise the time-out of the test, or give budgetMs to be content with the runs that fit'

/** For reporters: the JSON report and the UI show it beside the test. */
function keepInMeta(task: NonNullable<MatcherState['task']>, report: SearchReport): void {
  const { client, kind, seed, runs, skipped, elapsedMs, coverage, counterexample } = report
  const found = counterexample === null ? {} : { schedule: counterexample.schedule, path: counterexample.path }
  task.meta.retrialSearch = { client, kind, seed, runs, skipped, elapsedMs, coverage: coverage.table(), ...found }
}
