import { defineClient } from 'retrial'
import { contractWithBudget } from '../../fixtures/clients/core/budget.js'
import { contractWithoutDeadline } from '../../fixtures/clients/core/contract.js'
import { budgetOf, retryLoop, soundPolicy } from '../../fixtures/clients/core/loop.js'
import { attemptsExactly } from '../../src/guarantees/attempts.js'
import type { Contract } from '../../src/guarantees/contract.js'
import { fleetOfTrial } from '../../src/guarantees/fleet/of-trial.js'
import { judgeQueueWait } from '../../src/guarantees/fleet/queue-wait.js'
import type { ScheduleFunction } from '../../src/schedule/model.js'
import type { Trial } from '../../src/trace/model.js'
import type { Call } from '../../src/trial/model.js'
import { counting, unsetIsFour } from './clients.js'
import { attempts, bug, GET, promised, type Report, soundLoop, variant } from './model.js'

const MANY = 1_100
const enduring = defineClient('enduring', (call: Call) =>
  retryLoop(call, { ...soundPolicy, maxAttempts: MANY, startBudget: budgetOf(Number.POSITIVE_INFINITY) }),
)
const enduringContract: Contract = { ...contractWithoutDeadline, maxAttempts: MANY }

/** Every call meets one failure, then success. */
const failsOnce: ScheduleFunction = ({ call }, history) => (history.some((before) => before.call === call) ? 200 : 503)
const perCall = (trials: readonly Trial[]) =>
  trials.map(({ calls, attempts: made }) => calls.map(({ index }) => made.filter(({ call }) => call === index).length))
const queueWait = (trials: readonly Trial[]) => judgeQueueWait(fleetOfTrial(trials[0]!), { p95Ms: 1_000 })
const lastStart = (trials: readonly Trial[]) => trials.map(({ calls }) => calls.at(-1)?.startedAtMs)

const countsRight = (retries: number): Report => ({
  id: `A37.${retries}`,
  says: `${retries} retries are taken for another number of attempts`,
  schedules: [[504]],
  options: GET,
  contract: { maxAttempts: retries + 1 },
  judgedBy: (trials, own) => attemptsExactly(retries + 1).judge(trials, own),
  sound: counting(retries + 1),
  right: attempts,
  is: [retries + 1],
  faulty: unsetIsFour(retries),
  breaks: 'BKO-02',
})

/** Counting, arithmetic of waits, what is left behind, and what layers and workers make of it. */
export const counts: readonly Report[] = [
  {
    id: 'A36',
    says: 'one counter for all calls',
    schedules: [failsOnce],
    options: { ...GET, calls: 8, concurrency: 1 },
    judgedBy: 'isolation',
    sound: soundLoop,
    right: perCall,
    is: [[2, 2, 2, 2, 2, 2, 2, 2]],
    faulty: bug('shared-counter'),
    breaks: 'ISO-01',
  },
  ...[0, 1, 2, 5].map(countsRight),
  {
    id: 'A38',
    says: 'the exponent runs over and the wait vanishes',
    schedules: [[503]],
    options: { ...GET, maxVirtualMs: 86_400_000, maxRequests: 2 * MANY },
    contract: enduringContract,
    judgedBy: 'backoff',
    sound: enduring,
    // 1 099 waits, all of them 2 s from the fourth on.
    right: ([trial]) => [trial!.gapsMs.length, new Set(trial!.gapsMs.slice(4)).size, trial!.gapsMs.at(-1)],
    is: [MANY - 1, 1, 2_000],
    faulty: bug('exponent-overflow'),
    breaks: 'BKO-05',
  },
  {
    id: 'A42',
    says: 'a timer outlives the call',
    schedules: [[200]],
    judgedBy: 'leftovers',
    sound: soundLoop,
    right: ([trial]) => trial!.leftovers.timers.filter(({ byUserCode, refed }) => byUserCode && refed),
    is: [],
    faulty: bug('timer-left'),
    breaks: 'DDL-10',
  },
  {
    id: 'A42b',
    says: 'a side promise rejects and nobody looks',
    schedules: [[503, 200]],
    judgedBy: 'leftovers',
    sound: soundLoop,
    right: ([trial]) => trial!.leftovers.unhandledRejections,
    is: [],
    faulty: bug('rejection-unobserved'),
    breaks: 'DDL-10',
  },
  {
    id: 'C05',
    says: 'the first call that runs out of retries leaves none for the next',
    schedules: [[429]],
    options: { ...GET, calls: 2 },
    judgedBy: 'isolation',
    sound: soundLoop,
    right: perCall,
    is: [[5, 5]],
    faulty: bug('shared-counter'),
    breaks: 'ISO-01',
  },
  {
    id: 'C07',
    says: 'the promised budget is not there',
    schedules: [[500]],
    options: { ...GET, calls: 100 },
    contract: contractWithBudget,
    judgedBy: 'layers',
    sound: variant('keeps-retry-budget'),
    // A hundred first tries and ten tokens.
    right: attempts,
    is: [110],
    faulty: soundLoop,
    breaks: 'BUD-02',
  },
  {
    id: 'C08',
    says: 'layers multiply',
    schedules: [[429], Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'reset' : 502))],
    options: GET,
    contract: { ...promised, strict: true },
    judgedBy: 'layers',
    sound: soundLoop,
    right: attempts,
    is: [5, 5],
    faulty: bug('layers-multiply'),
    breaks: 'BUD-03',
  },
  {
    id: 'C10',
    says: 'a job that is bound to fail holds up those behind it',
    schedules: [({ call }) => (call === 0 ? 404 : 200)],
    options: { ...GET, calls: 20 },
    judgedBy: queueWait,
    sound: soundLoop,
    right: lastStart,
    is: [0],
    faulty: bug('retries-404'),
    breaks: 'BUD-06',
  },
  {
    id: 'C11',
    says: 'workers sleep through Retry-After',
    schedules: [({ call }) => (call < 2 ? { status: 429, retryAfter: 300 } : 200)],
    options: { ...GET, calls: 22, concurrency: 2 },
    judgedBy: queueWait,
    // The call fails at once with the wait on its error, so that its job can be queued again with a due time.
    sound: variant('gives-up-above-cap'),
    right: lastStart,
    is: [0],
    faulty: variant('waits-out-long-hints'),
    breaks: 'BUD-06',
  },
]
