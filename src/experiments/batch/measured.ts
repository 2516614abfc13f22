import type { BatchMetric, BatchSetting } from './model.js'
import type { BatchStrategy } from './strategies.js'

type Band = readonly [low: number, high: number]

/** The figures that were measured for a strategy, each from the smallest to the largest of three runs. */
export type MeasuredBands = Readonly<Record<Extract<BatchMetric, 'wallMs' | 'upstream' | 'queueWaitP95Ms'>, Band>>

/** How far a median in virtual time, which has no cost of scheduling, may lie outside of what was measured in real time. */
export const MEASURED_TOLERANCE = 0.15

interface Measured {
  readonly jobs: number
  readonly workers: number
  readonly bands: Readonly<Record<BatchStrategy, MeasuredBands>>
}

/** A thread pool over loopback in real time, three runs of each. */
const MEASURED: readonly Measured[] = [
  {
    jobs: 200,
    workers: 16,
    bands: {
      naive: { wallMs: [8_400, 9_300], upstream: [302, 310], queueWaitP95Ms: [4_400, 5_200] },
      classified: { wallMs: [1_200, 2_100], upstream: [210, 215], queueWaitP95Ms: [590, 760] },
      preflight: { wallMs: [1_100, 1_900], upstream: [177, 188], queueWaitP95Ms: [520, 760] },
    },
  },
  {
    jobs: 120,
    workers: 4,
    bands: {
      naive: { wallMs: [18_300, 19_900], upstream: [181, 189], queueWaitP95Ms: [14_700, 15_900] },
      classified: { wallMs: [1_200, 2_700], upstream: [121, 132], queueWaitP95Ms: [1_100, 2_400] },
      preflight: { wallMs: [1_700, 2_700], upstream: [106, 111], queueWaitP95Ms: [1_300, 2_100] },
    },
  },
]

/** What was measured for such a batch; null for one that was not. */
export function measuredBands(setting: BatchSetting): Readonly<Record<string, MeasuredBands>> | null {
  const { jobs, workers, retiredShare, transientRate, latencyMs, limit } = setting
  const isReference = retiredShare === 0.155 && transientRate === 0.06 && latencyMs === 40 && limit === null
  return (isReference && MEASURED.find((one) => one.jobs === jobs && one.workers === workers)?.bands) || null
}

/** Whether a median lies in a band, widened by the tolerance. */
export const isNear = (median: number, [low, high]: Band): boolean =>
  median >= low * (1 - MEASURED_TOLERANCE) && median <= high * (1 + MEASURED_TOLERANCE)
