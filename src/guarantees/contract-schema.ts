import * as z from 'zod'
import { closed, flag, oneOf } from '../schedule/fields.js'
import { FAULT_KINDS } from '../schedule/model.js'
import { HINT_NAMES } from '../trace/hints.js'
import { PRESET_NAMES } from './contract.js'

// As in schedule/fields.ts: the `error` of a field is what was expected there.

const number = (expected: string, least: number) => z.number({ error: expected }).min(least, { error: expected })
const ms = () => number('a number of ms >= 0', 0)
const positiveMs = () => number('a number of ms > 0', Number.MIN_VALUE)
const count = (least: number) => number(`an integer >= ${least}`, least).int({ error: `an integer >= ${least}` })
const share = () => number('a number >= 0', 0)
const text = (expected: string) => z.string({ error: expected }).min(1, { error: expected })
const list = <Item extends z.ZodType>(item: Item, expected: string) => z.array(item, { error: expected })

const STATUS = 'a status from 100 to 599'
const status = z.number({ error: STATUS }).int({ error: STATUS }).min(100, { error: STATUS }).max(599, { error: STATUS })

const TRANSIENT = `a status or one of "timeout", ${FAULT_KINDS.map((kind) => `"${kind}"`).join(', ')}`
const transientKind = z.union([status, z.enum([...FAULT_KINDS, 'timeout'])], { error: TRANSIENT })

const JITTER = '"none", "full", "equal", "decorrelated" or { min, max }'
const jitter = z.union([z.enum(['none', 'full', 'equal', 'decorrelated']), closed({ min: share(), max: share() }, JITTER)], {
  error: JITTER,
})

const hintName = z.enum(HINT_NAMES as [string, ...string[]], {
  error: `one of ${HINT_NAMES.map((name) => `"${name}"`).join(', ')}`,
})
const STAGE = 'a stage from 1 to 5'

const retryAfter = closed(
  {
    capMs: ms().optional(),
    overCap: oneOf(['fail', 'wait']).optional(),
    headers: list(hintName, 'a list of header names').optional(),
  },
  'an object such as { capMs: 60000 }',
)

const backoff = closed(
  {
    baseMs: ms(),
    factor: number('a number >= 1', 1).optional(),
    capMs: ms().optional(),
    jitter: jitter.optional(),
  },
  'an object such as { baseMs: 250 }',
)

/** The shape of a contract; contradictions between its parts are looked for in resolve.ts. */
export const contractSchema = closed(
  {
    preset: oneOf(PRESET_NAMES).optional(),
    maxAttempts: count(1).optional(),
    deadlineMs: positiveMs().optional(),
    deadlineBy: oneOf(['client', 'signal']).optional(),
    attemptTimeoutMs: positiveMs().optional(),
    permanent: list(status, 'a list of statuses').optional(),
    transient: list(transientKind, 'a list of statuses and faults').optional(),
    permanentCodes: list(text('a code of an error body'), 'a list of codes').optional(),
    classify: z.custom((value) => typeof value === 'function', { error: 'expected a function of an attempt' }).optional(),
    retryAfter: retryAfter.optional(),
    backoff: backoff.optional(),
    idempotency: closed(
      { header: text('a header name').optional(), required: flag().optional() },
      'an object such as { required: true }',
    ).optional(),
    abort: flag().optional(),
    budget: closed(
      { tokens: share().optional(), ratio: share().optional(), cost: share().optional() },
      'an object such as { ratio: 0.1 }',
    ).optional(),
    breaker: closed(
      { failures: count(1).optional(), cooldownMs: ms().optional() },
      'an object such as { failures: 5 }',
    ).optional(),
    stages: list(z.literal([1, 2, 3, 4, 5], { error: STAGE }), 'a list of stages from 1 to 5').optional(),
    strict: flag().optional(),
    shouldRetryHeader: text('a header name').optional(),
    expectedFailures: z.record(z.string(), text('a ticket'), { error: 'an object of case id and ticket' }).optional(),
  },
  'an object such as { maxAttempts: 4 }',
)
