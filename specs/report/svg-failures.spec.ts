import { fileURLToPath } from 'node:url'
import type { Contract, TrialOptions } from 'retrial'
import { defineClient, runTrial } from 'retrial'
import { expect, test } from 'vitest'
import { eager, forgetful, gullible, hasty, late, stubborn } from '../../fixtures/ui-example/clients.js'
import { judge } from '../../src/guarantees/judge.js'
import type { GuaranteeId } from '../../src/guarantees/model.js'
import { resolveContract } from '../../src/guarantees/resolve.js'
import { renderFailureSvg } from '../../src/report/failure-svg.js'
import type { ScheduleInput } from '../../src/schedule/model.js'
import type { Client } from '../../src/trial/model.js'

const golden = (name: string) => fileURLToPath(new URL(`../../fixtures/golden/${name}.svg`, import.meta.url))

interface Failure {
  readonly name: string
  readonly matcher: string
  readonly client: Client
  readonly schedule: ScheduleInput
  readonly guarantee: GuaranteeId
  readonly contract?: Contract
  readonly options?: TrialOptions
  /** What the picture has to say at the broken spot. */
  readonly mark: string
}

const call = { path: '/v1/orders' }

/** The first example of the README, with its multiplication forgotten. */
const readmeClient = defineClient('getOrders', async ({ url, method, headers, body }) => {
  const response = await fetch(url, { method, headers, body })
  await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('retry-after'))))
  return fetch(url, { method, headers, body })
})

const FAILURES: readonly Failure[] = [
  {
    name: 'hint-early',
    matcher: 'toHonorRetryAfter',
    client: hasty,
    schedule: [503, { status: 429, retryAfter: 30 }, 200],
    guarantee: 'hint',
    options: { call: { ...call, method: 'GET' } },
    // The second wait is 1 s where 30 s were asked for.
    mark: '✗ 29 000 ms too early',
  },
  {
    name: 'permanent-retried',
    matcher: 'toNotRetryPermanent',
    client: stubborn,
    schedule: [404, 404, 200],
    guarantee: 'permanence',
    options: { call: { ...call, method: 'GET' } },
    mark: '✗ re-sent after a 404',
  },
  {
    name: 'deadline-passed',
    matcher: 'toStayWithinDeadline',
    client: late,
    schedule: ['hang'],
    guarantee: 'deadline',
    contract: { deadlineMs: 8_000 },
    options: { call: { ...call, method: 'GET' } },
    mark: '✗ 3 500 ms after the deadline',
  },
  {
    name: 'duplicate-work',
    matcher: 'toDedupOnTimeout',
    client: forgetful,
    schedule: [{ fault: 'hang', apply: true }, 200],
    guarantee: 'dedup',
    options: { call: { path: '/v1/payments', idempotencyKey: 'pay-1' } },
    mark: '✗ another key',
  },
  {
    name: 'one-attempt-too-many',
    matcher: 'toAttemptAtMost',
    client: eager,
    schedule: [503],
    guarantee: 'attempts',
    contract: { maxAttempts: 4 },
    options: { call: { ...call, method: 'GET' } },
    mark: '✗ more than 4 attempts',
  },
  {
    name: 'truncated-accepted',
    matcher: 'toReturnIntactResponse',
    client: gullible,
    schedule: [{ status: 200, body: '{"order":"1234","items":["apple","pear"]}', truncate: 'length' }],
    guarantee: 'intact',
    options: { call: { ...call, method: 'GET' } },
    mark: '✗ reported as success',
  },
  {
    name: 'readme',
    matcher: 'toHonorRetryAfter',
    client: readmeClient,
    schedule: [{ status: 429, retryAfter: 3600 }, 200],
    guarantee: 'hint',
    mark: '✗ 3 596 400 ms too early',
  },
]

test.for(FAILURES)('the picture of $name', async ({ name, matcher, client, schedule, guarantee, contract, options, mark }) => {
  const trial = await runTrial(client, schedule, options)
  const promised = resolveContract(contract ?? {})
  const verdict = judge([trial], promised, [guarantee])[0]!
  expect(verdict.kind).toBe('fail')
  const { svg } = renderFailureSvg(matcher, verdict, [trial], promised)!
  expect(svg).toContain(mark)
  await expect(svg).toMatchFileSnapshot(golden(name))
})
