import { type Check, checkOptions, flag, integer, milliseconds, object, positiveMs, requireOptions, share } from '../options.js'
import { type Resolved, resolveRuns, runChecks } from '../runs.js'
import type { BatchOptions, BatchSetting } from './model.js'
import { BATCH_STRATEGIES, batchStrategy } from './strategies.js'

const CHECKS: Record<keyof BatchOptions, Check> = {
  jobs: integer(1),
  workers: integer(1),
  retiredShare: share,
  transientRate: share,
  latencyMs: milliseconds,
  limit: object,
  preflight: flag,
  ...runChecks(BATCH_STRATEGIES),
}

const LIMIT_CHECKS = { fromMs: milliseconds, forMs: positiveMs }

export type ResolvedBatch = Resolved<BatchSetting>

/** Fills in the reference case and checks what was given. */
export function resolveBatch(place: string, options: BatchOptions): ResolvedBatch {
  checkOptions(place, options, CHECKS)
  const { jobs = 200, workers = 16, retiredShare = 0.155, transientRate = 0.06, latencyMs = 40 } = options
  const { limit, preflight = options.strategy === 'preflight' } = options
  if (limit !== undefined) {
    checkOptions(`${place}.limit`, limit, LIMIT_CHECKS)
    requireOptions(`${place}.limit`, limit, ['fromMs', 'forMs'], LIMIT_CHECKS)
  }
  const runs = resolveRuns(place, options, { strategies: BATCH_STRATEGIES, runs: 9, calls: jobs, make: batchStrategy })
  return {
    ...runs,
    setting: { jobs, workers, retiredShare, transientRate, latencyMs, limit: limit ?? null, preflight, ...runs.setting },
  }
}
