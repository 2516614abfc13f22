import type { TrialOptions } from '../trial/model.js'
import { resolveOptions, TrialOptionsError } from '../trial/options.js'
import { numberSize, rounder } from './numbers.js'
import type { Shrinker, Size } from './shrinking.js'

/** How a client is called in one run: the third argument of `runTrial`. */
export type TrialPlan = Pick<
  TrialOptions,
  'call' | 'calls' | 'concurrency' | 'abort' | 'abortAtMs' | 'dedup' | 'wallClockOffsetMs' | 'seed'
>

const isAborted = ({ abort, abortAtMs }: TrialPlan): boolean => abort !== undefined || abortAtMs !== undefined
const wallSteps = ({ wallClockOffsetMs }: TrialPlan) => (typeof wallClockOffsetMs === 'object' ? wallClockOffsetMs : [])

/** Aborts, then calls, then the oddities of the world, then what is asked for, then how round the numbers are. */
function sizeOf(plan: TrialPlan): Size {
  const { call = {}, calls = 1, concurrency = 1, seed = 1, abortAtMs = 0, abort, dedup } = plan
  const odd = Number(dedup !== undefined) + Number(plan.wallClockOffsetMs !== undefined) * (1 + wallSteps(plan).length)
  const numbers = [abortAtMs, ...wallSteps(plan).flatMap(({ atMs, offsetMs }) => [atMs, offsetMs])].map(numberSize)
  const sum = (part: number) => numbers.reduce((total, size) => total + size[part]!, 0)
  return [
    Number(isAborted(plan)) + (typeof abort === 'object' ? abort.onAttempt : 0),
    calls + concurrency,
    odd,
    Object.keys(call).length + JSON.stringify(call).length / 1_000,
    sum(0),
    sum(1),
    Number(seed !== 1),
  ]
}

function* simplify(plan: TrialPlan): Iterable<TrialPlan> {
  const { abort, abortAtMs, calls = 1, concurrency = 1, call = {} } = plan
  const without = (...names: (keyof TrialPlan)[]): TrialPlan =>
    Object.fromEntries(Object.entries(plan).filter(([name]) => !names.includes(name as keyof TrialPlan)))
  if (isAborted(plan)) yield without('abort', 'abortAtMs')
  yield without('calls', 'concurrency')
  if (calls > 2) yield { ...plan, calls: 2, concurrency: Math.min(2, concurrency) }
  for (const fewer of rounder(calls)) if (fewer > 2) yield { ...plan, calls: fewer, concurrency: Math.min(fewer, concurrency) }
  if (concurrency > 1) yield without('concurrency')
  yield without('dedup')
  yield without('wallClockOffsetMs')
  yield without('call')
  for (const name of Object.keys(call)) {
    yield { ...plan, call: Object.fromEntries(Object.entries(call).filter(([key]) => key !== name)) }
  }
  if (typeof abort === 'object') yield { ...plan, abort: { onAttempt: 1 } }
  if (abortAtMs !== undefined) for (const ms of rounder(abortAtMs)) yield { ...plan, abortAtMs: ms }
  yield* simplerWallClock(plan)
  yield without('seed')
}

function* simplerWallClock(plan: TrialPlan): Iterable<TrialPlan> {
  const steps = wallSteps(plan)
  for (const [index, step] of steps.entries()) {
    for (const atMs of rounder(step.atMs)) yield { ...plan, wallClockOffsetMs: steps.with(index, { ...step, atMs }) }
    for (const offsetMs of rounder(step.offsetMs)) yield { ...plan, wallClockOffsetMs: steps.with(index, { ...step, offsetMs }) }
  }
}

function accepts(value: unknown): value is TrialPlan {
  try {
    resolveOptions(value as TrialOptions)
    return true
  } catch (error) {
    if (error instanceof TrialOptionsError) return false
    throw error
  }
}

/** No abort, then one call, then the plainest call, then round numbers. */
export const planShrinker: Shrinker<TrialPlan> = { sizeOf, simplify, accepts }
