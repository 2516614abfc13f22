import { formatDuration, formatMs } from '../../report/text.js'
import type { Attempt } from '../../trace/model.js'
import { type ObservedRun, succeededAnswer } from '../observed-runs.js'
import { type Observation, seenIn } from './model.js'

/** Time-outs are "the same duration" within this share of their median, or this many ms; and a pattern from this many on. */
const SAME_SHARE = 0.1
const SAME_MS = 50
const RECURRING = 3
/** A hang-up this close to the caller's own abort is not the client's time-out. */
const ABORT_SLACK_MS = 250

interface TimeOut {
  readonly run: ObservedRun
  readonly attempt: Attempt
  readonly afterMs: number
}

function timeOutsOf(run: ObservedRun): TimeOut[] {
  const abortedAtMs = run.call?.abortedAtMs ?? null
  return run.attempts.flatMap((attempt) => {
    const { hungUpAtMs, arrivedAtMs, answerComplete } = attempt
    if (hungUpAtMs === null || answerComplete) return []
    const isAbort = abortedAtMs !== null && Math.abs(hungUpAtMs - abortedAtMs) <= ABORT_SLACK_MS
    return isAbort ? [] : [{ run, attempt, afterMs: hungUpAtMs - arrivedAtMs }]
  })
}

/** The largest group of time-outs that lie around one duration. */
function recurring(timeOuts: readonly TimeOut[]): readonly TimeOut[] {
  const groups = timeOuts.map(({ afterMs }) =>
    timeOuts.filter((other) => Math.abs(other.afterMs - afterMs) <= Math.max(SAME_MS, SAME_SHARE * afterMs)),
  )
  return groups.reduce((largest, group) => (group.length > largest.length ? group : largest), [])
}

const medianOf = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Three or more attempts were given up after one and the same time. */
export const timeoutBelowLatency: Observation = {
  id: 'timeout-below-latency',
  kind: 'act',
  observation: 'attempts were given up after one and the same time',
  interpretation: 'the time-out is below the real latency of the endpoint',
  action: 'raise the time-out of an attempt, not the number of attempts',
  find({ runs }) {
    const group = recurring(runs.flatMap(timeOutsOf))
    if (group.length < RECURRING) return null
    const afterMs = medianOf(group.map((one) => one.afterMs))
    const count = new Set(group.map(({ run }) => run)).size
    return {
      count,
      of: runs.length,
      observation: `attempts were given up after ${formatMs(afterMs)}, again and again`,
      evidence: `${group.length} attempts were given up after ${formatMs(afterMs)}, within ${formatMs(Math.max(SAME_MS, SAME_SHARE * afterMs))} of each other`,
    }
  },
}

/** Unsaid by type: clients name it in their error. */
const SAYS_DEADLINE = /deadline|budget|total time/i

function deadlineIn({ trial, call }: ObservedRun, deadlineMs: number | undefined): string | null {
  if (call === null) return null
  const { outcome, startedAtMs, settledAtMs } = call
  const limitMs = deadlineMs ?? trial.abortAtMs ?? undefined
  if (outcome.kind === 'unsettled') return 'it never settled'
  if (call.abortedAtMs !== null && trial.abortAtMs !== null)
    return `the caller's deadline of ${formatDuration(trial.abortAtMs)} ended it`
  if (outcome.kind === 'rejected') {
    const { name = '', message = '' } = outcome.error instanceof Error ? outcome.error : {}
    if (SAYS_DEADLINE.test(`${name} ${message}`)) return `it was rejected with ${name}: ${message}`
  }
  const tookMs = settledAtMs === null ? 0 : settledAtMs - startedAtMs
  return limitMs !== undefined && tookMs > limitMs
    ? `it settled after ${formatMs(tookMs)}, with a deadline of ${formatDuration(limitMs)}`
    : null
}

/** A call met its deadline at all: the sums of time-outs and waits are known beforehand. */
export const deadlineMet: Observation = {
  id: 'deadline-met',
  kind: 'act',
  observation: 'the deadline ended a call',
  interpretation: 'the arithmetic of the budget is wrong: attempts, time-outs and waits do not fit into the deadline',
  action: 'cut the attempts or raise the deadline, and say which; never both silently',
  find: ({ runs, contract }) => seenIn(runs, (run) => deadlineIn(run, contract.deadlineMs)),
}

/** The last third of the calls waits this much longer than the first, and at least that long; success latency may change by less. */
const GROWTH = 2
const LEAST_WAIT_MS = 100
const STILL = 1.3
const LEAST_CALLS = 9

interface Queued {
  readonly waitMs: number
  readonly latencyMs: number
}

function queued({ call, attempts }: ObservedRun): Queued[] {
  const last = attempts.at(-1)
  if (call === null || attempts[0] === undefined || last === undefined || !succeededAnswer(last)) return []
  return [
    { waitMs: attempts[0].arrivedAtMs - call.startedAtMs, latencyMs: (last.endedAtMs ?? last.arrivedAtMs) - last.arrivedAtMs },
  ]
}

/** Calls wait longer and longer for their first attempt, while the answers take as long as ever. */
export const queueGrowth: Observation = {
  id: 'queue-growth',
  kind: 'act',
  observation: 'calls waited longer and longer before their first attempt, while answers took as long as ever',
  interpretation: 'the queue in the client grows: latency and error rate of the answers do not show it',
  action: 'measure queue wait (submission to start), take doomed work out before it is queued, then add workers',
  find({ runs }) {
    const calls = runs.flatMap(queued)
    if (calls.length < LEAST_CALLS) return null
    const third = Math.floor(calls.length / 3)
    const [early, late] = [calls.slice(0, third), calls.slice(-third)]
    const waits = [early, late].map((part) => medianOf(part.map(({ waitMs }) => waitMs))) as [number, number]
    const latencies = [early, late].map((part) => medianOf(part.map(({ latencyMs }) => latencyMs))) as [number, number]
    const grew = waits[1] >= LEAST_WAIT_MS && waits[1] >= GROWTH * Math.max(waits[0], 1)
    if (!grew || latencies[1] > STILL * Math.max(latencies[0], 1)) return null
    return {
      count: late.filter(({ waitMs }) => waitMs >= GROWTH * Math.max(waits[0], 1)).length,
      of: calls.length,
      evidence: `the wait went from ${formatMs(waits[0])} to ${formatMs(waits[1])}, the answers from ${formatMs(latencies[0])} to ${formatMs(latencies[1])} (medians of the first and the last third)`,
    }
  },
}
