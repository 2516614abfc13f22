import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { callsOf, runCase } from '../cases/battery.js'
import { allCases, CATALOGUE_VERSION, caseById } from '../cases/index.js'
import type { Case, CaseResult } from '../cases/model.js'
import type { Contract } from '../guarantees/contract.js'
import { resolveContract } from '../guarantees/resolve.js'
import { renderFailure } from '../report/failure.js'
import type { CaseMeta } from '../report/meta.js'
import { noteTrial, type TrialNote } from '../report/notes.js'
import { ClientSetupError, toClient } from '../trial/client.js'
import type { CallPlan, Client, ClientInput } from '../trial/model.js'
import { type CaseOutcome, neverMet, notAsked, outcomeOf, reportOf } from './results.js'
import { renderSummary } from './summary.js'

export interface ContractSuiteOptions {
  /** The call to make. A `method` limits the suite to it. */
  readonly call?: CallPlan
  /** Seeds to run each case with. Default [1]. */
  readonly seeds?: readonly number[]
  /** Default 'socket'. */
  readonly transport?: 'socket' | 'fetch'
  /** Where the JSON report is written. Default: nowhere. */
  readonly reportFile?: string
  /** Print the summary table when the suite is done. Default true. */
  readonly summary?: boolean
}

/** Generous: a case takes milliseconds, the ones with hundreds of seeds a few seconds on a busy machine. */
const CASE_TIMEOUT_MS = 60_000

/**
 * Registers one vitest test for each case of the catalogue that the contract promises or that is always judged, and a summary at the end.
 * What is not promised, and what did not happen, is shown as skipped with its reason, never as passed.
 *
 * @param name of the suite, and of the client in its report
 * @param input a fetch-style function, or what `defineClient` returned
 * @param promised the contract: what the client promises
 * @param options call, seeds, transport, reportFile
 * @throws ContractError and ClientSetupError while the tests are collected
 * @example
 * describeRetryContract('orders client', client, { maxAttempts: 4, deadlineMs: 8_000 })
 */
export function describeRetryContract(
  name: string,
  input: ClientInput,
  promised: Contract = {},
  options: ContractSuiteOptions = {},
): void {
  const client = toClient(input)
  const contract = resolveContract(promised)
  refuseUnknownCases(contract)
  const outcomes: CaseOutcome[] = []
  // The line to point at: the tests have none of their own.
  const { stack } = new Error('described here')

  describe(name, () => {
    for (const row of allCases) {
      test(`${row.id} ${row.title}`, { timeout: CASE_TIMEOUT_MS }, async (context) => {
        const why = outsideStages(row, contract) ?? otherMethods(row, options)
        const results = why === null ? await runRow(row, client, contract, options) : []
        const outcome = why === null ? outcomeOf(row, results, contract.expectedFailures ?? {}) : notAsked(row, why)
        outcomes.push(outcome)
        const { id, title, guarantee, status, note } = outcome
        const retrialCase: CaseMeta = {
          suite: name,
          client: client.name,
          catalogue: CATALOGUE_VERSION,
          id,
          title,
          guarantee,
          status,
          note,
        }
        Object.assign(context.task.meta, { retrialCase })
        if (outcome.status === 'failed' || outcome.status === 'stale')
          throw failureOf(row, results, outcome, { contract, task: context.task, stack })
        if (outcome.status !== 'passed') context.skip(skipNote(outcome))
      })
    }
    test('every promised guarantee was met', () => {
      expect(
        neverMet(contract, outcomes),
        'promised, but no case of it was kept or broken: the promise has not been shown',
      ).toEqual([])
    })
    afterAll(() => {
      const report = reportOf(client.name, CATALOGUE_VERSION, outcomes)
      if (options.summary !== false) console.log(renderSummary(report))
      if (options.reportFile !== undefined) {
        mkdirSync(dirname(options.reportFile), { recursive: true })
        writeFileSync(options.reportFile, `${JSON.stringify(report, null, 2)}\n`)
      }
    })
  })
}

async function runRow(
  row: Case,
  client: Client,
  contract: Contract,
  options: ContractSuiteOptions,
): Promise<readonly CaseResult[]> {
  const { call, seeds, transport } = options
  const results: CaseResult[] = []
  for (const kind of callsOf(row, { call })) results.push(await runCase(row, kind, client, contract, { call, seeds, transport }))
  return results
}

const outsideStages = ({ stage }: Case, { stages }: Contract): string | null =>
  stages === undefined || stages.includes(stage) ? null : `the contract asks for stages ${stages.join(', ')} only`

/** The suite was limited to a method that this case is not about. */
const otherMethods = (row: Case, { call }: ContractSuiteOptions): string | null =>
  row.unsupported === undefined && callsOf(row, { call }).length === 0 ? `the suite is limited to ${call?.method}` : null

/** "not-applicable: the contract does not promise a deadline"; a broken should says so itself. */
const skipNote = ({ status, note }: CaseOutcome): string => (status === 'should-broken' ? note : `${status}: ${note}`)

/** What a failing case shows: the same text as a matcher's, under the id of the case. */
class ContractBrokenError extends Error {
  override readonly name = 'ContractBrokenError'
}

function failureOf(
  row: Case,
  results: readonly CaseResult[],
  outcome: CaseOutcome,
  place: Pick<TrialNote, 'contract' | 'task' | 'stack'>,
): Error {
  const broken = results.find(({ verdict }) => verdict.kind === 'fail')
  if (broken === undefined) return new ContractBrokenError(`${row.id}: ${outcome.note}`)
  const { call, verdict, trials } = broken
  const name = `${row.id} (${call})`
  noteTrial({ ...place, matcher: name, verdict, trials })
  return new ContractBrokenError(renderFailure(name, verdict, trials))
}

function refuseUnknownCases(contract: Contract): void {
  const unknown = Object.keys(contract.expectedFailures ?? {}).filter((id) => caseById(id) === undefined)
  if (unknown.length === 0) return
  throw new ClientSetupError(
    `contract.expectedFailures: no such case ${unknown.join(', ')}; ids look like CLS-01, RAF-04, IDM-05`,
  )
}
