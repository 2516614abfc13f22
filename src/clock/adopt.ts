import { adoptTimer, TICK_CALLBACK, timerState } from './hooks/timeout.js'
import type { Kernel, NodeTimer } from './kernel.js'

/** undici counts its coarse timers with one timer of this period, which it keeps for the life of the process. */
const TICK_PERIODS_MS = [499, 500]

/** Who made a tick is not to be seen any more, but known. */
const CREATION = { stack: `    at ${TICK_CALLBACK} (node:internal/deps/undici/undici:1:1)` }

/** Guards against a list that somebody changes while we walk along it. */
const MAX_NEIGHBOURS = 1000

/**
 * Makes undici's tick virtual if it ticks in real time: because undici was used before the hooks were in place, or between two runs.
 * Otherwise a headersTimeout of 300 s would never come. Timers of one duration share a circular list, so a probe sees its neighbours.
 *
 * @returns how many were adopted
 */
export const adoptTicks = (kernel: Kernel): number => {
  const ticks = TICK_PERIODS_MS.flatMap((periodMs) => ticksInRealTime(kernel, periodMs))
  for (const tick of ticks) {
    const state = timerState(tick) ?? adoptTimer(kernel, tick)
    state.creation = CREATION
    tick.refresh()
  }
  return ticks.length
}

const ticksInRealTime = (kernel: Kernel, periodMs: number): NodeTimer[] => {
  const probe = kernel.inRealTime(() => kernel.real.setTimeout(() => {}, periodMs)) as NodeTimer
  const ticks: NodeTimer[] = []
  let neighbour = probe._idleNext
  for (let i = 0; neighbour !== null && neighbour !== probe && i < MAX_NEIGHBOURS; i++) {
    if (neighbour instanceof probe.constructor && neighbour._onTimeout?.name === TICK_CALLBACK) ticks.push(neighbour)
    neighbour = neighbour._idleNext
  }
  kernel.real.clearTimeout(probe)
  return ticks
}
