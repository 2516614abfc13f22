import type { ClockOptions } from './model.js'

/** A clock was asked for with options that it cannot follow. */
export class ClockOptionsError extends Error {
  override readonly name = 'ClockOptionsError'
}

const LIMITS = ['maxVirtualMs', 'maxEvents', 'realStallMs', 'deadlockGraceMs'] as const

/** @throws {ClockOptionsError} naming the option, the value and what is allowed. */
export const assertClockOptions = (options: ClockOptions): void => {
  for (const name of LIMITS) {
    const value = options[name]
    if (value !== undefined && !(value >= 0))
      throw new ClockOptionsError(`clock option ${name}: expected a number from 0 on, got ${value}`)
  }
  if (options.seed !== undefined && options.seed !== null && !Number.isInteger(options.seed)) {
    throw new ClockOptionsError(`clock option seed: expected an integer or null, got ${options.seed}`)
  }
  const { wallClockOffsetMs = 0 } = options
  const offsets =
    typeof wallClockOffsetMs === 'number' ? [wallClockOffsetMs] : wallClockOffsetMs.flatMap((step) => [step.atMs, step.offsetMs])
  const bad = offsets.find((offset) => !Number.isFinite(offset))
  if (bad !== undefined) throw new ClockOptionsError(`clock option wallClockOffsetMs: expected finite milliseconds, got ${bad}`)
}
