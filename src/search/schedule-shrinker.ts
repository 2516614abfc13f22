import { isFault, type Step, type StepInput } from '../schedule/model.js'
import { parseSchedule } from '../schedule/parse.js'
import { shortest } from '../schedule/print.js'
import type { Shrinker, Size } from './shrinking.js'
import { asStep, plainerSteps, sizeOfStep } from './step-shrinker.js'

export type StepList = readonly StepInput[]

function sizeOf(steps: StepList): Size {
  const sizes = steps.map(sizeOfStep)
  const parts = sizes[0]?.length ?? 0
  return [steps.length, ...Array.from({ length: parts }, (_, part) => sizes.reduce((total, size) => total + size[part]!, 0))]
}

/** Over at once, with nothing left of it: no client, and no caller, can give up in the middle. */
const isOverAtOnce = (step: Step): boolean =>
  isFault(step)
    ? ['reset', 'close', 'refuse', 'reset-early'].includes(step.fault) && !step.delayMs
    : step.stall === undefined &&
      step.stream === undefined &&
      step.truncate === undefined &&
      ![step.delayMs, step.bodyDelayMs, step.dripMs].some((ms) => ms !== undefined && ms > 0)

/**
 * A refused connection only where it was meant for an attempt. undici connects anew for a request that was aborted and then finds that there
 * is nothing to send: refused, that connection would look like an attempt of the client's.
 */
export const fair = (steps: StepList): StepList => {
  const firstSlow = steps.map(asStep).findIndex((step) => !isOverAtOnce(step))
  return steps.map((input, index) => {
    const step = asStep(input)
    const isLate = (firstSlow >= 0 && index > firstSlow) || !isOverAtOnce(step)
    const isMisleading = isLate && isFault(step) && step.fault === 'refuse'
    return isMisleading ? shortest({ ...step, fault: 'reset' }) : input
  })
}

/** Fewer steps first: one of them alone, a half, all but one, neighbours as one. Then one plainer step. */
function* simplify(steps: StepList): Iterable<StepList> {
  for (const candidate of simpler(steps)) yield fair(candidate)
}

function* simpler(steps: StepList): Iterable<StepList> {
  if (steps.length > 1) {
    const half = Math.ceil(steps.length / 2)
    yield* steps.map((step) => [step])
    yield steps.slice(0, half)
    yield steps.slice(half)
    yield* steps.map((_, index) => steps.toSpliced(index, 1))
    yield withoutNeighbours(steps)
    yield* oneForTwo(steps)
  }
  for (const [index, step] of steps.entries()) {
    for (const plainer of plainerSteps(step)) yield steps.with(index, plainer)
  }
}

/** [503, 429, 200] as [{ status: 503, repeat: 2 }, 200] and as [{ status: 429, repeat: 2 }, 200]: as many attempts meet fewer kinds of failure. */
function* oneForTwo(steps: StepList): Iterable<StepList> {
  const kinds = steps.map(asStep)
  for (const [index, step] of kinds.entries()) {
    const next = kinds[index + 1]
    if (next === undefined) continue
    const repeat = (step.repeat ?? 1) + (next.repeat ?? 1)
    yield steps.toSpliced(index, 2, shortest({ ...step, repeat }))
    yield steps.toSpliced(index, 2, shortest({ ...next, repeat }))
  }
}

/** [503, 503, 200] as [{ status: 503, repeat: 2 }, 200]: the same schedule in fewer steps. */
function withoutNeighbours(steps: StepList): StepList {
  const merged: Step[] = []
  for (const step of steps.map(asStep)) {
    const last = merged.at(-1)
    const { repeat = 1, ...rest } = step
    const { repeat: lastRepeat = 1, ...lastRest } = last ?? {}
    if (JSON.stringify(lastRest) === JSON.stringify(rest))
      merged[merged.length - 1] = { ...(rest as Step), repeat: repeat + lastRepeat }
    else merged.push(step)
  }
  return merged.map(shortest)
}

function accepts(value: unknown): value is StepList {
  if (!Array.isArray(value)) return false
  try {
    parseSchedule(value)
    return true
  } catch {
    return false
  }
}

/** Fewer steps, then plainer faults, then fewer options, then rounder numbers. */
export const scheduleShrinker: Shrinker<StepList> = { sizeOf, simplify, accepts }
