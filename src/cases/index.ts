import { guarantees } from '../guarantees/index.js'
import type { GuaranteeId } from '../guarantees/model.js'
import { backoff } from './backoff.js'
import { body } from './body.js'
import { classification } from './classification.js'
import { deadline } from './deadline.js'
import { http2 } from './http2.js'
import { idempotency } from './idempotency.js'
import { load } from './load.js'
import type { Case, Row } from './model.js'
import { retryAfter } from './retry-after.js'
import { streaming } from './streaming.js'
import { supplement } from './supplement.js'
import { transport } from './transport.js'

/** Named in every report, so that two of them are known to speak of the same cases. */
export const CATALOGUE_VERSION = 'catalogue@2026-11'

const caseOf = (row: Row): Case => ({
  ...row,
  stage: guarantees[row.guarantee].stage,
  informational: row.informational ?? row.level === 'may',
})

/** The 94 cases of the catalogue in its order: 80 are scored, 14 are informational. */
export const catalogue: readonly Case[] = [
  ...classification,
  ...retryAfter,
  ...backoff,
  ...deadline,
  ...idempotency,
  ...transport,
  ...body,
  ...streaming,
  ...http2,
  ...load,
].map(caseOf)

/** The catalogue, and what belongs to guarantees that have no row there. */
export const allCases: readonly Case[] = [...catalogue, ...supplement.map(caseOf)]

/** The cases of one guarantee: those of the catalogue, and what belongs to a guarantee that has none there. */
export const casesOf = (guarantee: GuaranteeId): readonly Case[] => allCases.filter((row) => row.guarantee === guarantee)

/** The case with this id, such as 'RAF-01'; undefined when there is none. */
export const caseById = (id: string): Case | undefined => allCases.find((row) => row.id === id)
