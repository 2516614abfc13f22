import type { WallClockStep } from './model.js'

/** Virtual wall time begins here: far enough from now that real time cannot be mistaken for it. */
export const VIRTUAL_EPOCH_MS = Date.UTC(2030, 0, 1)

/** How far Date is off the monotonic clock at a moment of the run. */
export const wallClockOffset = (offset: number | readonly WallClockStep[] = 0): ((nowMs: number) => number) => {
  if (typeof offset === 'number') return () => offset
  const steps = [...offset].sort((a, b) => a.atMs - b.atMs)
  return (nowMs) => steps.findLast(({ atMs }) => atMs <= nowMs)?.offsetMs ?? 0
}
