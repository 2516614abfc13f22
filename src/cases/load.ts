import { successesToRefill } from '../guarantees/budget.js'
import type { Contract } from '../guarantees/contract.js'
import { CLIENTS_FOR_WAVE, OUTAGE_MS } from '../guarantees/second-wave.js'
import type { ScheduleFunction } from '../schedule/model.js'
import type { Row } from './model.js'
import { BOUNDED, each, endless, overSeeds, planned } from './play.js'
import { declaredWidthMs, needsAttempts } from './promises.js'

const FLEET = 'not supported yet: it takes a fleet of clients; see herd()'
const BATCH = 'not supported yet: it takes a batch of jobs; see batch()'

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
    wrong: 'layers-multiply',
    unsupported: FLEET,
    play: each([503]),
  },
  {
    id: 'BUD-06',
    guarantee: 'layers',
    title: 'Doomed jobs do not hold up the others',
    level: 'should',
    keyword: 'eng',
    source: 'eng',
    wrong: 'retries-404',
    unsupported: BATCH,
    play: each([404]),
  },
]
