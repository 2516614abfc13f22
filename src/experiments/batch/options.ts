import { userClient } from '../fleet/client.js'
import { type FleetClient, type Progress, TRANSPORTS } from '../fleet/model.js'
import { transportFor } from '../fleet/transport.js'
import {
  anything,
  type Check,
  callable,
  checkOptions,
  ExperimentOptionsError,
  flag,
  integer,
  milliseconds,
  object,
  oneOf,
  positiveMs,
  requireOptions,
  seed,
  share,
} from '../options.js'
import type { BatchOptions, BatchSetting } from './model.js'
import { BATCH_STRATEGIES, batchStrategy } from './strategies.js'

const CHECKS: Record<keyof BatchOptions, Check> = {
  jobs: integer(1),
  workers: integer(1),
  retiredShare: share,
  transientRate: share,
  latencyMs: milliseconds,
  limit: object,
  strategy: oneOf(BATCH_STRATEGIES),
  client: anything,
  preflight: flag,
  seed,
  runs: integer(1),
  transport: oneOf(TRANSPORTS),
  onProgress: callable,
}

const LIMIT_CHECKS = { fromMs: milliseconds, forMs: positiveMs }

export interface ResolvedBatch {
  readonly setting: BatchSetting
  readonly client: FleetClient
  readonly onProgress: Progress | undefined
}

/** Fills in the reference case and checks what was given. */
export function resolveBatch(place: string, options: BatchOptions): ResolvedBatch {
  checkOptions(place, options, CHECKS)
  const { jobs = 200, workers = 16, retiredShare = 0.155, transientRate = 0.06, latencyMs = 40 } = options
  const { limit, strategy, client, preflight = strategy === 'preflight', seed: first = 1, runs = 9 } = options
  if (limit !== undefined) {
    checkOptions(`${place}.limit`, limit, LIMIT_CHECKS)
    requireOptions(`${place}.limit`, limit, ['fromMs', 'forMs'], LIMIT_CHECKS)
  }
  if ((strategy === undefined) === (client === undefined)) {
    throw new ExperimentOptionsError(
      `${place}: give either strategy (${BATCH_STRATEGIES.map((name) => `'${name}'`).join(', ')}) or client`,
    )
  }
  const transport = options.transport ?? transportFor(client !== undefined, jobs)
  const seeds = Array.from({ length: runs }, (_, i) => first + i)
  return {
    setting: { jobs, workers, retiredShare, transientRate, latencyMs, limit: limit ?? null, preflight, transport, seeds },
    client: client === undefined ? batchStrategy(strategy!) : userClient(client),
    onProgress: options.onProgress,
  }
}
