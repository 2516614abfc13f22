import { successesToRefill } from '../guarantees/budget.js'
import type { Contract } from '../guarantees/contract.js'
import { LOAD_OUTAGE } from '../guarantees/recovery.js'
import { CLIENTS_FOR_WAVE, OUTAGE_MS } from '../guarantees/second-wave.js'
import type { ScheduleFunction, StepInput } from '../schedule/model.js'
import type { Row } from './model.js'
import { BOUNDED, endless, overSeeds, planned } from './play.js'
import { declaredWidthMs, needsAttempts } from './promises.js'

/** As wide as full jitter of the shortest sensible base; closer than that, clients may keep their promise and still come back as a crowd. */
const LEAST_WIDTH_MS = OUTAGE_MS

const awayForASecond: ScheduleFunction = ({ arrivedAtMs }) => (arrivedAtMs < OUTAGE_MS ? 503 : 200)

/** More calls than this take longer than a case may. */
const MOST_CALLS = 2_000
const DEFAULT_TOKENS = 10

/** Calls that use up the budget, a re-send costing one token or more, and calls whose successes refill it. */
function phasesOf(contract: Contract): { readonly outage: number; readonly healthy: number } {
  const outage = Math.ceil(contract.budget?.tokens ?? DEFAULT_TOKENS) + 1
  const refill = successesToRefill(contract)
  // One more than what fills it to the brim: a client may count in fractions. Where that is not promised, it is looked at all the same.
  return { outage, healthy: Number.isFinite(refill) ? refill + 1 : outage }
}

function needsBudget(contract: Contract): string | null {
  if (contract.budget === undefined) return 'the contract promises no retry budget'
  return callsThrough(contract) > MOST_CALLS
    ? `the promised budget takes more than ${MOST_CALLS} calls to use up and to refill`
    : null
}

const callsThrough = (contract: Contract): number => {
  const { outage, healthy } = phasesOf(contract)
  return outage + healthy + 1
}

/** An outage for some calls, health for some, and one failure for the last call. */
function outage(contract: Contract): ScheduleFunction {
  const phases = phasesOf(contract)
  return ({ call }, history) => {
    if (call < phases.outage) return 503
    if (call < phases.outage + phases.healthy) return 200
    return history.at(-1)?.call === call ? 200 : 503
  }
}

const WORKERS = 4
const ANSWER_MS = 200
/** The workers ask for 20 requests a second at most: 80 % of it. */
const CAPACITY_PER_SECOND = 25

/**
 * A server that breaks down under more than it can take. Every answer takes its time, so that workers that ask for one thing after the other
 * never ask for more than that, even if they are refused: what is more comes from the client.
 */
const underLoad: ScheduleFunction = ({ arrivedAtMs }, history) => {
  const isAway = arrivedAtMs >= LOAD_OUTAGE.fromMs && arrivedAtMs < LOAD_OUTAGE.untilMs
  const isOverloaded = (history.at(-CAPACITY_PER_SECOND)?.arrivedAtMs ?? -1_000) > arrivedAtMs - 1_000
  return { status: isAway || isOverloaded ? 503 : 200, delayMs: ANSWER_MS }
}

/** The published batch, at half its size: one job in eight asks for a model that has been retired. */
const JOBS = 96
const JOB_WORKERS = 8
const DOOMED_EVERY = 8
const WORK: StepInput = { status: 200, delayMs: 40 }
const withDoomedJobs: ScheduleFunction = ({ call }) => (call % DOOMED_EVERY === 3 ? { status: 404, delayMs: 40 } : WORK)

/** Group J: budgets, herd, batch. */
export const load: readonly Row[] = [
  {
    id: 'BUD-01',
    guarantee: 'layers',
    title: 'Requests per call stay within the claimed budget during an outage',
    level: 'may',
    keyword: 'eng',
    source: 'Finagle, Envoy, .NET, gRPC A6',
    wrong: 'layers-multiply',
    appliesTo: needsAttempts,
    calls: ['GET'],
    anyMethod: true,
    play: planned(() => [[[503], { calls: 10, concurrency: 5, ...BOUNDED }]]),
  },
  {
    id: 'BUD-02',
    guarantee: 'layers',
    title: 'With an empty budget first tries still go out, and retries return as tokens refill',
    level: 'must',
    keyword: 'vendor',
    source: 'AWS, gRPC A6',
    wrong: 'budget-never-refilled',
    calls: ['GET'],
    anyMethod: true,
    appliesTo: needsBudget,
    play: planned((contract) => [[outage(contract), { calls: callsThrough(contract), maxEvents: 500_000 }]]),
  },
  {
    id: 'BUD-03',
    guarantee: 'layers',
    title: 'One call makes no more requests than its outermost layer promises',
    level: 'should',
    keyword: 'eng',
    source: 'eng, public reports',
    wrong: 'layers-multiply',
    appliesTo: needsAttempts,
    play: endless([503], ['reset']),
  },
  {
    id: 'BUD-04',
    guarantee: 'backoff',
    title: 'After an outage no tenth of a second brings back more than a quarter of the clients',
    level: 'should',
    keyword: 'eng',
    source: 'Brooker, exponential backoff and jitter',
    wrong: 'no-jitter',
    statistical: true,
    calls: ['GET'],
    anyMethod: true,
    appliesTo: ({ backoff }) =>
      declaredWidthMs(backoff, OUTAGE_MS) < LEAST_WIDTH_MS
        ? 'the contract declares waits that lie too close to each other'
        : null,
    play: planned((_contract, seed) => overSeeds(CLIENTS_FOR_WAVE, awayForASecond, seed)),
  },
  {
    id: 'BUD-05',
    guarantee: 'layers',
    title: 'A server below its capacity recovers soon after an outage',
    level: 'should',
    keyword: 'eng',
    source: 'Metastable failures in the wild, OSDI 2022',
    wrong: 'hedges-under-failure',
    calls: ['GET'],
    anyMethod: true,
    play: planned(() => [[underLoad, { calls: 200, concurrency: WORKERS, maxRequests: 700, maxEvents: 500_000 }]]),
  },
  {
    id: 'BUD-06',
    guarantee: 'layers',
    title: 'Doomed jobs do not hold up the others',
    level: 'should',
    keyword: 'eng',
    source: 'eng',
    wrong: 'dwells-on-404',
    calls: ['GET'],
    anyMethod: true,
    play: planned(() => [
      [withDoomedJobs, { calls: JOBS, concurrency: JOB_WORKERS }],
      [() => WORK, { calls: JOBS - JOBS / DOOMED_EVERY, concurrency: JOB_WORKERS }],
    ]),
  },
]
