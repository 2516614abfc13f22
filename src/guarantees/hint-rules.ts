import type { Hint } from '../trace/hints.js'
import { parseHttpDate } from '../trace/http-date.js'
import type { Attempt } from '../trace/model.js'
import type { Contract } from './contract.js'
import type { RuleId } from './rules.js'
import { TIMER_LIMIT_MS } from './wire.js'

const RULE_OF_HEADER: Readonly<Record<string, RuleId>> = {
  'retry-after-ms': 'RAF-15',
  'x-ms-retry-after-ms': 'RAF-15',
  'x-amz-retry-after': 'RAF-15',
  'ratelimit-reset': 'RAF-16',
  ratelimit: 'RAF-16',
  'x-ratelimit-reset': 'RAF-17',
  'google.rpc.retryinfo': 'RAF-19',
}

export const isRedirect = ({ status }: Attempt): boolean => status !== null && status >= 300 && status < 400

/** The catalogue's rule for a well-formed hint. */
export function ruleOfHint(attempt: Attempt, { kind, header, raw, waitMs }: Hint, contract: Contract): RuleId {
  const { status, servedWallMs } = attempt
  if (isRedirect(attempt)) return 'RAF-18'
  if (kind === 'list') return 'RAF-14'
  const ofHeader = RULE_OF_HEADER[header]
  if (ofHeader !== undefined) return ofHeader
  if (waitMs === 0) return kind === 'date' ? 'RAF-06' : 'RAF-05'
  if ((waitMs ?? 0) > TIMER_LIMIT_MS) return 'RAF-10'
  if ((waitMs ?? 0) > (contract.retryAfter?.capMs ?? Number.POSITIVE_INFINITY)) return 'RAF-11'
  if (kind === 'date') return parseHttpDate(raw, servedWallMs ?? 0)?.form === 'imf' ? 'RAF-03' : 'RAF-04'
  return status === 429 ? 'RAF-01' : 'RAF-02'
}

/** The rule for a hint that is against the grammar. */
export function ruleOfMalformed({ kind, raw }: Hint): RuleId {
  if (kind === 'list') return 'RAF-14'
  if (/^-\d/.test(raw)) return 'RAF-08'
  return /^\d+\.\d+$/.test(raw) ? 'RAF-09' : 'RAF-07'
}
