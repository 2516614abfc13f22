import { machineCode } from '../trace/error-code.js'
import { hintOf } from '../trace/hints.js'
import type { Attempt } from '../trace/model.js'
import type { Classification, Contract } from './contract.js'
import type { Level } from './model.js'
import type { RuleId } from './rules.js'
import { faultOf, timedOut } from './wire.js'

/** What an answer means for the next attempt, and by which rule. */
export interface Classified {
  readonly class: Classification
  readonly level: Level
  readonly rule: RuleId
  /** The machine-readable code that decided, if one did. */
  readonly code?: string
}

/** A kind of trouble as a contract lists it. */
export type TransientKind = NonNullable<Contract['transient']>[number]

export const PERMANENT_STATUSES = [400, 401, 402, 403, 404, 405, 406, 410, 411, 414, 415, 422, 431, 451] as const
export const TRANSIENT_KINDS = [429, 500, 502, 503, 504, 'reset', 'close', 'refuse'] as const satisfies readonly TransientKind[]

/** Codes that say the account is out of money (OpenAI, Anthropic); binding for clients of that vendor, advice for others. */
export const OUT_OF_MONEY_CODES = [
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
  'insufficient_quota',
  'enforced_spend_limit_reached',
] as const

const SHOULD_BE_PERMANENT: Readonly<Record<number, RuleId>> = { 413: 'CLS-10', 501: 'CLS-05', 505: 'CLS-05' }
const RULE_OF_STATUS: Readonly<Record<number, RuleId>> = {
  400: 'CLS-01',
  401: 'CLS-02',
  403: 'CLS-02',
  404: 'CLS-03',
  410: 'CLS-03',
}

const UNJUDGED: Classified = { class: 'unjudged', level: 'may', rule: 'CLS-06' }
const permanent = (level: Level, rule: RuleId, code?: string): Classified => ({ class: 'permanent', level, rule, code })
const transient = (rule: RuleId): Classified => ({ class: 'transient', level: 'must', rule })

const headerOf = (attempt: Attempt, name: string): string | undefined =>
  attempt.answerHeaders.find(([header]) => header === name)?.[1]

export const hintHeadersOf = (contract: Contract): readonly string[] => contract.retryAfter?.headers ?? ['retry-after']

const isHinted = (attempt: Attempt, contract: Contract): boolean =>
  hintOf(attempt, { headers: ['retry-after', ...hintHeadersOf(contract)] }) !== null

/** How an answer's kind is called in `contract.transient`; null for one that no contract can list. */
export function kindOf(attempt: Attempt, { transient: listed }: Contract): TransientKind | null {
  if (attempt.status !== null && attempt.answerComplete) return attempt.status
  const fault = faultOf(attempt)
  // A hang is seen as the client's time-out, unless the contract calls it by its own name.
  if (timedOut(attempt) && !(fault !== null && listed?.includes(fault))) return 'timeout'
  return fault ?? attempt.status
}

/**
 * Whether an answer is to be repeated. Read from the status, the server's own should-retry header and the machine-readable code of
 * the body; never from a message text.
 *
 * @param contract Resolved; its lists replace the default ones.
 * @example
 * classify(trial.attempts[0], {}) // { class: 'permanent', level: 'must', rule: 'CLS-03' } for a 404
 */
export function classify(attempt: Attempt, contract: Contract): Classified {
  const decided = contract.classify?.(attempt)
  if (decided !== undefined) return classedByContract(decided)
  if (attempt.status === null || !attempt.answerComplete) return classifyBroken(attempt, contract)
  return (
    classifyByServer(attempt, contract) ??
    classifyByCode(attempt, attempt.status, contract) ??
    classifyByStatus(attempt, attempt.status, contract)
  )
}

function classedByContract(decided: Classification): Classified {
  if (decided === 'unjudged') return UNJUDGED
  return decided === 'permanent' ? permanent('must', 'CLS-04') : transient('CLS-06')
}

/** A broken answer says nothing, whatever its status line was: the client may have read none of it. */
function classifyBroken(attempt: Attempt, contract: Contract): Classified {
  const kind = kindOf(attempt, contract)
  const promised = contract.transient ?? [...TRANSIENT_KINDS, ...(contract.attemptTimeoutMs === undefined ? [] : ['timeout'])]
  if (kind === null || typeof kind === 'number' || !promised.includes(kind)) return UNJUDGED
  return transient(kind === 'refuse' ? 'NET-01' : 'NET-02')
}

/** "x-should-retry" outranks everything, for a contract that speaks it. "true" is leave, not duty. */
function classifyByServer(attempt: Attempt, { shouldRetryHeader }: Contract): Classified | null {
  const word = shouldRetryHeader === undefined ? undefined : headerOf(attempt, shouldRetryHeader)?.trim().toLowerCase()
  if (word === 'true') return UNJUDGED
  return word === 'false' ? permanent('must', 'CLS-16') : null
}

function classifyByCode(attempt: Attempt, status: number, contract: Contract): Classified | null {
  const code = status < 400 ? null : machineCode(attempt)
  if (code === null) return null
  if (contract.permanentCodes?.includes(code)) return permanent('must', 'CLS-12', code)
  return status === 429 && OUT_OF_MONEY_CODES.some((known) => known === code) ? permanent('should', 'CLS-12', code) : null
}

function classifyByStatus(attempt: Attempt, status: number, contract: Contract): Classified {
  if (contract.transient?.includes(status)) return transient(status === 429 ? 'CLS-11' : 'CLS-06')
  if (contract.permanent?.includes(status)) return permanent('must', RULE_OF_STATUS[status] ?? 'CLS-04')
  if (contract.transient === undefined && TRANSIENT_KINDS.some((kind) => kind === status)) {
    return transient(status === 429 ? 'CLS-11' : 'CLS-06')
  }
  if (contract.permanent !== undefined) return UNJUDGED
  if (status === 403 && (isHinted(attempt, contract) || headerOf(attempt, 'x-ratelimit-remaining')?.trim() === '0'))
    return UNJUDGED
  if (PERMANENT_STATUSES.some((known) => known === status)) return permanent('must', RULE_OF_STATUS[status] ?? 'CLS-04')
  const rule = SHOULD_BE_PERMANENT[status]
  if (rule === undefined || (status === 413 && isHinted(attempt, contract))) return UNJUDGED
  return permanent('should', rule)
}
