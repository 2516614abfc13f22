import { expect, test } from 'vitest'
import { measureFleet } from '../../src/guarantees/fleet/measure.js'
import type { FleetJudgeable } from '../../src/guarantees/fleet/model.js'
import { InconclusiveError, matchers } from '../../src/matchers/index.js'
import type { AttemptResult, Trial } from '../../src/trace/model.js'
import { type AttemptSketch, rejected, resolved, type TrialSketch, trialOf } from '../support/make-trial.js'

type Name = keyof typeof matchers

/** A trial that breaks what a matcher asks for, and one that never came to it. */
interface Sample {
  readonly args?: readonly unknown[]
  readonly broken: Trial | FleetJudgeable
  readonly unmet: Trial
}

const trial = (attempts: readonly AttemptSketch[], more: Omit<TrialSketch, 'attempts'> = {}): Trial =>
  trialOf({ attempts, ...more })
const GET = { method: 'GET' } as const
const failed = { outcome: rejected('gave up') }
const one = trial([{ status: 200 }])
const lost = { fault: 'reset', ledger: 'new', step: { fault: 'reset', apply: true } } as const
const sameMoment = (count: number, statuses: readonly number[], gapMs = 100): Trial =>
  trial(
    statuses.flatMap((status, index) =>
      Array.from({ length: count }, (_, call): AttemptSketch => ({ call, at: index * gapMs, status })),
    ),
    GET,
  )

/** Only a herd knows of an outage: one whose server never answered as before. */
const neverWellAgain: FleetJudgeable = {
  fleet: {
    kind: 'herd',
    client: 'orders',
    runs: [
      {
        ...measureFleet({ seed: 1, clients: 1, calls: [], attempts: [], outage: null, twinQueueWaitP95Ms: null }),
        recoveryMs: Number.POSITIVE_INFINITY,
      },
    ],
  },
}

const samples: Record<Name, Sample> = {
  toNotRetryPermanent: { broken: trial([{ status: 404 }, { at: 250, status: 404 }]), unmet: one },
  toRetryTransient: { broken: trial([{ status: 503 }], GET), unmet: one },
  toHonorRetryAfter: {
    broken: trial([
      { status: 429, headers: { 'Retry-After': '30' } },
      { at: 512, status: 200 },
    ]),
    unmet: trial([{ status: 429 }, { at: 512, status: 200 }]),
  },
  toStayWithinDeadline: {
    args: [1_000],
    broken: trial([{ fault: 'hang', hungUpAt: 6_200 }], { settledAt: 6_200, ...failed }),
    unmet: one,
  },
  toDedupOnTimeout: {
    broken: trial([lost, { at: 300, key: 'k-9', status: 200, ledger: 'new' }]),
    unmet: trial([lost], failed),
  },
  toKeepIdempotencyKey: { broken: trial([{ status: 503 }, { at: 300, key: 'k-9', status: 200 }]), unmet: one },
  toNotReplayUnsafe: {
    broken: trial([{ fault: 'reset' }, { at: 300, status: 200 }], { key: null }),
    unmet: trial([{ status: 200 }], { key: null }),
  },
  toResendSameBody: { broken: trial([{ status: 503 }, { at: 300, body: '', status: 200 }]), unmet: one },
  toBackOff: {
    args: [{ baseMs: 250, capMs: 2_000 }],
    broken: trial([{ status: 503 }, { at: 3, status: 503 }, { at: 503, status: 200 }]),
    unmet: one,
  },
  toAttemptAtMost: {
    args: [2],
    broken: trial([{ status: 503 }, { at: 250, status: 503 }, { at: 750, status: 503 }]),
    unmet: one,
  },
  toAttemptExactly: {
    args: [2],
    broken: trial([{ status: 503 }, { at: 250, status: 503 }, { at: 750, status: 503 }]),
    unmet: trial([], { calls: [{ outcome: rejected('refused') }] }),
  },
  toStopOnAbort: {
    broken: trial([{ status: 503 }, { at: 4_000, status: 200 }], { calls: [{ abortedAt: 300, settledAt: 4_000 }] }),
    unmet: one,
  },
  toReturnIntactResponse: {
    broken: trial([{ status: 200, step: { status: 200, truncate: 'length' }, complete: false }], { outcome: resolved(200) }),
    unmet: one,
  },
  toLeaveNothingBehind: {
    broken: trial([{ status: 503 }, { at: 5_000, status: 200, afterSettling: true }]),
    unmet: trial([{ fault: 'hang' }], { outcome: { kind: 'unsettled', reason: 'deadlock', pending: ['attempt 1'] } }),
  },
  toIsolateCalls: {
    broken: trial(
      [
        { call: 0, status: 503 },
        { call: 0, at: 250, status: 200 },
        { call: 1, at: 300, status: 503 },
      ],
      GET,
    ),
    unmet: one,
  },
  toFollowSchedule: {
    args: [[429, 200] satisfies AttemptResult[]],
    broken: trial([{ status: 429 }, { at: 9, status: 503 }]),
    unmet: one,
  },
  toUphold: { args: [{ maxAttempts: 1 }], broken: trial([{ status: 503 }, { at: 250, status: 503 }]), unmet: one },
  toSpreadRetries: { broken: sameMoment(8, [503, 200]), unmet: sameMoment(2, [200]) },
  toBoundAmplification: { args: [1.5], broken: sameMoment(2, [503, 503, 503]), unmet: sameMoment(2, [200]) },
  toBoundQueueWait: {
    args: [{ p95Ms: 100 }],
    broken: trial(
      [
        { call: 0, status: 200 },
        { call: 1, at: 4_000, status: 200 },
      ],
      { ...GET, calls: [{}, { startedAt: 4_000 }] },
    ),
    unmet: sameMoment(2, [200]),
  },
  toRecoverWithin: { args: [5_000], broken: neverWellAgain, unmet: sameMoment(2, [503]) },
  toPauseAllOnLimit: {
    broken: trial(
      [
        { call: 0, status: 429, headers: { 'Retry-After': '2' }, step: { status: 429, retryAfter: 2 } },
        { call: 1, at: 700, status: 200 },
      ],
      GET,
    ),
    unmet: sameMoment(2, [200]),
  },
  toKeepRetryBudget: { args: [{ tokens: 1, ratio: 0 }], broken: sameMoment(2, [503, 503, 503]), unmet: sameMoment(2, [200]) },
}

/** These read figures that every trial has: there is nothing that may fail to happen. */
const ALWAYS_MET: readonly Name[] = ['toFollowSchedule', 'toUphold', 'toBoundQueueWait']

async function thrownBy(received: unknown, name: Name, args: readonly unknown[], negated: boolean): Promise<Error | null> {
  const assertion = expect(received)
  const asked = (negated ? assertion.not : assertion) as unknown as Record<Name, (...args: readonly unknown[]) => unknown>
  try {
    await asked[name](...args)
    return null
  } catch (error) {
    return error as Error
  }
}

const RULE = '-'.repeat(100)

const entries = Object.entries(samples) as [Name, Sample][]

test.each(entries)('%s says in full what was broken, or what did not happen', async (name, { broken, unmet, args = [] }) => {
  const told: string[] = []
  for (const received of [broken, unmet]) {
    const error = await thrownBy(received, name, args, false)
    if (error !== null) told.push(`${error.name}\n${error.message}`)
  }
  await expect(`${told.join(`\n\n${RULE}\n\n`)}\n`).toMatchFileSnapshot(`failures/${name}.txt`)
})

test.each(entries)('%s fails on what was broken, and its negation does not', async (name, { broken, args = [] }) => {
  expect((await thrownBy(broken, name, args, false))?.message).toMatch(new RegExp(`^${name}: `))
  expect(await thrownBy(broken, name, args, true)).toBeNull()
})

const situational = entries.filter(([name]) => !ALWAYS_MET.includes(name))
test.each(situational)(
  '%s is inconclusive in both polarities when its situation did not occur',
  async (name, { unmet, args = [] }) => {
    for (const negated of [false, true]) {
      const error = await thrownBy(unmet, name, args, negated)
      expect(error).toBeInstanceOf(InconclusiveError)
      expect(error?.message).toMatch(/^(inconclusive|not applicable): /)
    }
  },
)

test('there is a sample for every matcher', () => {
  expect(Object.keys(samples).sort()).toEqual(Object.keys(matchers).sort())
})
