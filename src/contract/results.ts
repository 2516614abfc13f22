import type { CallKind, Case, CaseResult } from '../cases/model.js'
import type { Contract } from '../guarantees/contract.js'
import type { GuaranteeId, Level, Reason, VerdictKind } from '../guarantees/model.js'

export const CASE_STATUSES = [
  'passed',
  'failed',
  'expected-failure',
  'stale',
  // Only a `should` is broken, and the contract is not strict.
  'should-broken',
  'inconclusive',
  'informational',
  'not-applicable',
  'unsupported',
] as const

/** What one case came to in the suite, all its call kinds taken together. */
export type CaseStatus = (typeof CASE_STATUSES)[number]

export interface CaseOutcome {
  readonly id: string
  readonly title: string
  readonly guarantee: GuaranteeId
  readonly level: Level
  readonly source: string
  readonly status: CaseStatus
  /** One line: what broke, what did not happen, or why it was not asked. */
  readonly note: string
  readonly calls: readonly { readonly call: CallKind; readonly verdict: VerdictKind }[]
}

/** The report of the whole suite for one client. */
export interface ContractReport {
  readonly client: string
  readonly catalogue: string
  readonly outcomes: readonly CaseOutcome[]
  readonly counts: Readonly<Record<CaseStatus, number>>
}

/**
 * Any failing call kind fails the case; else one that broke a `should` is told; else one that passes is enough; else nothing was shown.
 *
 * @param expectedFailures case id -> ticket
 */
export function outcomeOf(
  row: Case,
  results: readonly CaseResult[],
  expectedFailures: Readonly<Record<string, string>>,
): CaseOutcome {
  const kinds = new Set(results.map(({ verdict }) => verdict.kind))
  const kind = (['fail', 'pass', 'inconclusive'] as const).find((candidate) => kinds.has(candidate)) ?? 'not-applicable'
  const brokenShould = results.flatMap(({ verdict }) => verdict.reasons).find(isBrokenShould)
  const deciding = results.find(({ verdict }) => verdict.kind === kind)?.verdict.reasons[0]
  const ticket = expectedFailures[row.id]
  const status = statusOf(row, kind, brokenShould !== undefined, ticket !== undefined)
  const told = status === 'failed' ? deciding : (brokenShould ?? deciding)
  const calls = results.map(({ call, verdict }) => ({ call, verdict: verdict.kind }))
  const note = row.unsupported ?? noteOf(status, told, ticket)
  return { ...aboutOf(row), status, note, calls }
}

/** A case that was not played at all, and why. */
export const notAsked = (row: Case, note: string): CaseOutcome => ({ ...aboutOf(row), status: 'not-applicable', note, calls: [] })

const aboutOf = ({ id, title, guarantee, level, source }: Case) => ({ id, title, guarantee, level, source })

/** Under a strict contract the verdict itself fails. */
const isBrokenShould = ({ kind, level }: Reason): boolean => kind === 'fail' && level === 'should'

function noteOf(status: CaseStatus, told: Reason | undefined, ticket: string | undefined): string {
  const text = told?.text ?? ''
  if (status === 'stale') return `listed as an expected failure (${ticket}) but kept: remove it from the list`
  if (status === 'expected-failure') return `${ticket}: ${text}`
  return told !== undefined && status !== 'failed' && isBrokenShould(told) ? `should, broken: ${text}` : text
}

function statusOf(row: Case, kind: VerdictKind, breaksShould: boolean, isExpected: boolean): CaseStatus {
  if (row.unsupported !== undefined) return 'unsupported'
  if (kind === 'not-applicable') return 'not-applicable'
  if (row.informational) return 'informational'
  if (kind === 'fail') return isExpected ? 'expected-failure' : 'failed'
  if (breaksShould && kind === 'inconclusive') return isExpected ? 'expected-failure' : 'should-broken'
  if (kind === 'pass') return isExpected ? 'stale' : 'passed'
  return 'inconclusive'
}

export function reportOf(client: string, catalogue: string, outcomes: readonly CaseOutcome[]): ContractReport {
  const counts = Object.fromEntries(
    CASE_STATUSES.map((status) => [status, outcomes.filter((one) => one.status === status).length]),
  )
  return { client, catalogue, outcomes, counts: counts as Record<CaseStatus, number> }
}

/** The guarantees that a contract promises in so many words. One of them that was never met has not been shown. */
export function promisedGuarantees(contract: Contract): readonly GuaranteeId[] {
  const promised: [GuaranteeId, boolean][] = [
    ['transience', contract.transient !== undefined],
    ['hint', contract.retryAfter !== undefined],
    ['deadline', contract.deadlineMs !== undefined],
    ['attempts', contract.maxAttempts !== undefined],
    ['backoff', contract.backoff !== undefined],
    ['dedup', contract.idempotency?.required === true],
    ['key', contract.idempotency?.required === true],
    ['abort', contract.abort === true],
  ]
  return promised.filter(([, isPromised]) => isPromised).map(([id]) => id)
}

const SHOWN: readonly CaseStatus[] = ['passed', 'failed', 'expected-failure', 'stale', 'should-broken']

/** Promised guarantees of which no case was kept or broken. */
export function neverMet(contract: Contract, outcomes: readonly CaseOutcome[]): readonly GuaranteeId[] {
  return promisedGuarantees(contract).filter((id) => {
    const own = outcomes.filter(({ guarantee }) => guarantee === id)
    return own.length > 0 && !own.some(({ status }) => SHOWN.includes(status))
  })
}
