import type { Contract } from '../guarantees/contract.js'
import type { ScheduleFunction, Step } from '../schedule/model.js'
import type { TrialOptions } from '../trial/model.js'
import type { Row } from './model.js'
import { BOUNDED, each, endless, longAnswer, type Plan, planned } from './play.js'
import { endsHangs, enforced, longestCallMs, needsAbort, needsDeadline, promisesDeadline } from './promises.js'

const HOUR_MS = 3_600_000

/** More than socket and client buffer together: a body that is not read shows. */
const LARGE = 'x'.repeat(2 ** 20)

const CANCELLATION = 'Azure Core guidelines, cancellation'
const ABORT_MS: TrialOptions = { abortAtMs: 300 }

/** Schedules under the deadline, which the harness enforces where the contract leaves that to the caller. */
const timed = (contract: Contract, ...schedules: readonly (readonly (Step | 'hang' | 503)[])[]): readonly Plan[] =>
  schedules.map((schedule) => [schedule, { ...BOUNDED, ...enforced(contract) }])

/** How long before the deadline the last answer comes. */
const LAST_ANSWER_MS = 20

/** Each 503 takes nearly as long as an attempt may, and the last one ends so late that no wait fits any more. */
function untilTooLate({ deadlineMs = 0, attemptTimeoutMs = Number.POSITIVE_INFINITY }: Contract): ScheduleFunction {
  return ({ arrivedAtMs }) => {
    const lastMs = Math.max(0, deadlineMs - arrivedAtMs - LAST_ANSWER_MS)
    return { status: 503, delayMs: Math.floor(Math.min(lastMs, 0.9 * attemptTimeoutMs)) }
  }
}

/** A share of the deadline that an attempt may take without running into its own time-out. */
function shareMs({ deadlineMs = 0, attemptTimeoutMs = Number.POSITIVE_INFINITY }: Contract, share: number): number {
  return Math.round(Math.min(deadlineMs * share, attemptTimeoutMs / 2))
}

/** Group D: deadline, time-out, cancellation. */
export const deadline: readonly Row[] = [
  {
    id: 'DDL-01',
    guarantee: 'deadline',
    title: 'A server that never answers, or never recovers, is given up on by the deadline',
    level: 'must',
    keyword: 'eng',
    source: 'Azure Core guidelines, cancellation',
    wrong: 'hangs-for-ever',
    appliesTo: needsDeadline,
    play: planned((contract) =>
      timed(contract, ['hang'], [503], [{ status: 200, delayMs: Math.round((contract.deadlineMs ?? 0) * 0.9) }]),
    ),
  },
  {
    id: 'DDL-02',
    guarantee: 'deadline',
    title: 'With a time-out per attempt the whole call takes at most its attempts and waits together',
    level: 'may',
    keyword: 'eng',
    source: 'eng',
    wrong: 'deadline-per-attempt',
    appliesTo: (contract) =>
      longestCallMs(contract) === null
        ? 'the contract does not promise a time-out per attempt, a number of attempts and a backoff'
        : null,
    contractFor: (contract) => ({ ...contract, deadlineBy: 'client', deadlineMs: longestCallMs(contract) ?? undefined }),
    play: each(['hang']),
  },
  {
    id: 'DDL-03',
    guarantee: 'deadline',
    title: 'A backoff that does not fit into what is left ends the call at once',
    level: 'should',
    keyword: 'eng',
    source: 'MongoDB specification, gRPC',
    wrong: 'wait-not-clipped',
    appliesTo: needsDeadline,
    play: planned((contract) => [[untilTooLate(contract), { ...BOUNDED, ...enforced(contract) }]]),
  },
  {
    id: 'DDL-04',
    guarantee: 'abort',
    title: 'A caller who aborts during a wait is heard within 100 ms, and nothing more is sent',
    level: 'must',
    keyword: 'MUST',
    source: CANCELLATION,
    wrong: 'abort-ignored-in-wait',
    appliesTo: needsAbort,
    play: planned(() => [
      [[{ status: 503, retryAfter: 4 }], ABORT_MS],
      [[{ status: 503, delayMs: 50 }], { abort: 'during-wait' }],
    ]),
  },
  {
    id: 'DDL-05',
    guarantee: 'abort',
    title: 'A caller who aborts during an attempt, or its body, is heard within 100 ms, and nothing more is sent',
    level: 'must',
    keyword: 'MUST',
    source: CANCELLATION,
    wrong: 'abort-ignored-in-attempt',
    appliesTo: needsAbort,
    play: planned(() => [
      [['hang'], ABORT_MS],
      [[{ status: 200, delayMs: 1_000 }], ABORT_MS],
      [[longAnswer({ stall: 'body' })], ABORT_MS],
      [[503, { status: 200, delayMs: 1_000 }], { abort: { onAttempt: 2 } }],
    ]),
  },
  {
    id: 'DDL-06',
    guarantee: 'abort',
    title: 'A signal that is aborted already means that nothing is sent',
    level: 'must',
    keyword: 'MUST',
    source: CANCELLATION,
    wrong: 'starts-though-aborted',
    appliesTo: needsAbort,
    play: planned(() => [[[200], { abort: 'before-call' }]]),
  },
  {
    id: 'DDL-07',
    guarantee: 'deadline',
    title: 'A body that stalls does not hold the call beyond its deadline',
    level: 'should',
    keyword: 'eng',
    source: 'public report (nock#506)',
    wrong: 'timer-stops-at-headers',
    appliesTo: needsDeadline,
    promised: promisesDeadline,
    play: planned((contract) => timed(contract, [longAnswer({ stall: 'body', apply: false })])),
  },
  {
    id: 'DDL-08',
    guarantee: 'deadline',
    title: 'A body that drips for ever does not hold the call beyond its deadline',
    level: 'must',
    keyword: 'eng',
    source: 'eng',
    wrong: 'drip-resets-timer',
    appliesTo: needsDeadline,
    play: planned((contract) => timed(contract, [{ status: 200, dripMs: 100, endless: true, apply: false }])),
  },
  {
    id: 'DDL-09',
    guarantee: 'deadline',
    title: 'A wall clock that is set back during the call does not move its deadline',
    level: 'should',
    keyword: 'eng',
    source: 'eng',
    wrong: 'wall-clock-deadline',
    appliesTo: needsDeadline,
    promised: promisesDeadline,
    play: planned((contract) => {
      const delayMs = shareMs(contract, 0.1)
      const schedule = [{ status: 503, delayMs }, 'hang'] as const
      return [[schedule, { ...enforced(contract), wallClockOffsetMs: [{ atMs: Math.floor(delayMs / 2), offsetMs: -HOUR_MS }] }]]
    }),
  },
  {
    id: 'DDL-10',
    guarantee: 'leftovers',
    title: 'A call that settled leaves no attempt, timer, listener, unread answer or rejection behind',
    level: 'must',
    keyword: 'eng',
    source: 'eng, public report (openai-node#2580)',
    wrong: 'timer-left',
    play: async (run, contract, seed) => [
      ...(await endless([200], [404], [{ status: 503, body: LARGE }], ['reset'], [503, 200])(run, contract, seed)),
      ...(endsHangs(contract) ? await endless(['hang'], [longAnswer({ stall: 'body' })])(run, contract, seed) : []),
    ],
  },
]
