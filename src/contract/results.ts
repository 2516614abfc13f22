import type { CallKind, Case, CaseResult } from '../cases/model.js'
import type { Contract } from '../guarantees/contract.js'
import type { GuaranteeId, Level, VerdictKind } from '../guarantees/model.js'

/** What one case came to in the suite, all its call kinds taken together. */
export type CaseStatus = 'passed' | 'failed' | 'expected-failure' | 'stale' | 'inconclusive' | 'informational' | 'not-applicable' | 'unsupported'

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

/** Any failing call kind fails the case; else one that passes is enough; else nothing was shown. */
export function outcomeOf(row: Case, results: readonly CaseResult[], expectedFailures: Readonly<Record<string, string>>): CaseOutcome {
  const kinds = new Set(results.map(({ verdict }) => verdict.kind))
  const kind = (['fail', 'pass', 'inconclusive'] as const).find((candidate) => kinds.has(candidate)) ?? 'not-applicable'
  const telling = results.find(({ verdict }) => verdict.kind === kind)
  const ticket = expectedFailures[row.id]
  const status = statusOf(row, kind, ticket !== undefined)
  const text = telling?.verdict.reasons[0]?.text ?? ''
  const note =
    status === 'stale' ? `listed as an expected failure (${ticket}) but kept: remove it from the list` : status === 'expected-failure' ? `${ticket}: ${text}` : text
  const { id, title, guarantee, level, source } = row
  return { id, title, guarantee, level, source, status, note, calls: results.map(({ call, verdict }) => ({ call, verdict: verdict.kind })) }
}

function statusOf(row: Case, kind: VerdictKind, isExpected: boolean): CaseStatus {
  if (row.unsupported !== undefined) return 'unsupported'
  if (kind === 'not-applicable') return 'not-applicable'
  if (row.informational) return 'informational'
  if (kind === 'fail') return isExpected ? 'expected-failure' : 'failed'
  if (kind === 'pass') return isExpected ? 'stale' : 'passed'
  return 'inconclusive'
}

const STATUSES: readonly CaseStatus[] = [
  'passed',
  'failed',
  'expected-failure',
  'stale',
  'inconclusive',
  'informational',
  'not-applicable',
  'unsupported',
]

export function reportOf(client: string, catalogue: string, outcomes: readonly CaseOutcome[]): ContractReport {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, outcomes.filter((one) => one.status === status).length]))
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

/** Promised guarantees of which no case was kept or broken. */
export function neverMet(contract: Contract, outcomes: readonly CaseOutcome[]): readonly GuaranteeId[] {
  return promisedGuarantees(contract).filter((id) => {
    const own = outcomes.filter(({ guarantee }) => guarantee === id)
    return own.length > 0 && !own.some(({ status }) => status === 'passed' || status === 'failed' || status === 'expected-failure')
  })
}
