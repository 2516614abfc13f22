import { measureFleet, queueWaitP95 } from '../../guarantees/fleet/measure.js'
import { type Metrics, separations, spreadsOf } from '../compare.js'
import { ExperimentError, type Fleet, type FleetRunRecord, runFleet } from '../fleet/run-fleet.js'
import { requireStrategies } from '../runs.js'
import { median, percentile } from '../stats.js'
import { type Job, makeJobs } from './jobs.js'
import {
  BATCH_METRICS,
  type BatchComparison,
  type BatchFigures,
  type BatchMetric,
  type BatchOptions,
  type BatchReport,
  type Movement,
} from './model.js'
import { type ResolvedBatch, resolveBatch } from './options.js'
import { createModelList, preflight } from './preflight.js'
import { BatchServerModel, generatePath, MODELS_PATH } from './server-model.js'
import { BATCH_STRATEGIES, type BatchStrategy } from './strategies.js'

/** How much a metric has to move to be called moved (catalogue, BUD-06), and in how many runs. */
const MOVED_RATIO = 1.3
const MOVED_SHARE = 0.95
const COMPARED: Metrics<BatchFigures> = Object.fromEntries(
  BATCH_METRICS.map((metric) => [metric, (run: BatchFigures) => run[metric]]),
)
/** A batch ends long before: the list is fetched once. */
const LIST_TTL_MS = 600_000

/**
 * Runs a batch of jobs through a pool of workers against a server that has retired some of the models, in virtual time; and the same batch
 * without the doomed jobs, which shows what they cost everybody else.
 *
 * @param options jobs, workers, shares, latency in milliseconds, `strategy` or `client`; the defaults are the reference case
 * @returns every figure as median, min and max over the runs; the same options give the same figures
 * @throws ExperimentOptionsError naming the option; ClientSetupError for a client that is none; ExperimentError when no request came
 * @example
 * const report = await batch({ jobs: 200, workers: 16, strategy: 'naive' })
 * report.queueWaitP95Ms.median // the metric that moves first
 */
export async function batch(options: BatchOptions): Promise<BatchReport> {
  return runBatch(resolveBatch('batch(options)', options))
}

/**
 * Runs the same batches with several strategies, the same faults for each, and says which metrics tell them apart.
 *
 * @param options as for `batch`, with `strategies` (default: all) in place of `strategy`
 * @throws ExperimentOptionsError naming the option
 * @example
 * const { reports } = await compareBatch({ jobs: 120, workers: 4 })
 */
export async function compareBatch({
  strategies = BATCH_STRATEGIES,
  ...options
}: Omit<BatchOptions, 'strategy' | 'client'> & {
  readonly strategies?: readonly BatchStrategy[]
} = {}): Promise<BatchComparison> {
  const reports: BatchReport[] = []
  requireStrategies('compareBatch(options)', strategies, BATCH_STRATEGIES)
  const plans = strategies.map((strategy) => resolveBatch('compareBatch(options)', { ...options, strategy }))
  for (const plan of plans) reports.push(await runBatch(plan))
  return { kind: 'batch-comparison', reports, separations: separations(reports, COMPARED) }
}

async function runBatch({ setting, client, onProgress }: ResolvedBatch): Promise<BatchReport> {
  const figures: BatchFigures[] = []
  const twins: BatchFigures[] = []
  const runs = []
  const dropped = new Set<string>()
  for (const [i, seed] of setting.seeds.entries()) {
    const jobs = makeJobs(setting.jobs, setting.retiredShare, seed)
    const withDoomed = await runOnce({ setting, client }, seed, jobs, dropped)
    const without = await runOnce(
      { setting, client },
      seed,
      jobs.filter(({ doomed }) => !doomed),
      new Set(),
    )
    figures.push(figuresOf(withDoomed))
    twins.push(figuresOf(without))
    const { calls, attempts } = withDoomed
    // Without a doomed job there is nothing that the others could have waited for.
    const twinQueueWaitP95Ms = jobs.some(({ doomed }) => doomed) ? queueWaitP95(without.calls) : null
    runs.push(measureFleet({ seed, clients: 1, calls, attempts, outage: null, twinQueueWaitP95Ms }))
    onProgress?.(i + 1, setting.seeds.length, client.name)
  }
  return {
    kind: 'batch',
    client: client.name,
    options: setting,
    ...spreadsOf(BATCH_METRICS, figures),
    dropped: [...dropped].sort(),
    twin: spreadsOf(BATCH_METRICS, twins),
    movements: BATCH_METRICS.map((metric) => movementOf(metric, figures, twins)),
    figures,
    fleet: { kind: 'batch', client: client.name, runs },
  }
}

function runOnce(
  { setting, client }: Pick<ResolvedBatch, 'setting' | 'client'>,
  seed: number,
  jobs: readonly Job[],
  dropped: Set<string>,
): Promise<FleetRunRecord> {
  const model = new BatchServerModel(seed, setting)
  const plan = { seed, transport: setting.transport, client, calls: setting.jobs, model }
  return runFleet(plan, async (fleet) => {
    const accepted = setting.preflight ? await acceptedJobs(fleet, jobs, dropped) : jobs
    await work(fleet, accepted, setting.workers)
  })
}

async function acceptedJobs(fleet: Fleet, jobs: readonly Job[], dropped: Set<string>): Promise<readonly Job[]> {
  const load = async () => {
    const answer = await fleet.ask(0, MODELS_PATH)
    if (answer.ok) return ((await answer.json()) as { models: string[] }).models
    throw new ExperimentError(
      `GET ${MODELS_PATH} was answered ${answer.status}: the preflight needs a server without a limit at 0 ms`,
    )
  }
  const list = createModelList({ load, ttlMs: LIST_TTL_MS, clock: fleet.clock })
  const models = jobs.map(({ model }) => model)
  const refused = new Set((await preflight(models, list)).dropped)
  for (const id of refused) dropped.add(id)
  return jobs.filter(({ model }) => !refused.has(model))
}

/** All jobs are submitted at once and taken in order by whichever worker is free. */
async function work(fleet: Fleet, jobs: readonly Job[], workers: number): Promise<void> {
  const live = await fleet.create(0)
  const queue = jobs.map((job) => ({ job, record: fleet.submit(job.index, 0) }))
  let next = 0
  const worker = async () => {
    while (next < queue.length) {
      const { job, record } = queue[next++]!
      const body = JSON.stringify({ model: job.model, input: `job ${job.index + 1}` })
      await fleet.perform(live, record, { method: 'POST', path: generatePath(job.model), body })
    }
  }
  await Promise.all(Array.from({ length: Math.min(workers, queue.length) }, worker))
}

function figuresOf({ calls, attempts, endedAtMs }: FleetRunRecord): BatchFigures {
  const latencies = calls.filter(({ succeeded }) => succeeded).map(({ startedAtMs, settledAtMs }) => settledAtMs! - startedAtMs!)
  return {
    wallMs: endedAtMs,
    upstream: attempts.length,
    notFound: attempts.filter(({ result }) => result === 404).length,
    succeeded: latencies.length,
    submitted: calls.length,
    successRate: latencies.length / calls.length,
    successP50Ms: percentile(latencies, 0.5),
    successP95Ms: percentile(latencies, 0.95),
    queueWaitP95Ms: queueWaitP95(calls),
    amplification: attempts.filter(({ call }) => call !== null).length / calls.length,
  }
}

function movementOf(metric: BatchMetric, figures: readonly BatchFigures[], twins: readonly BatchFigures[]): Movement {
  const ratios = figures.map((run, i) => ratioOf(run[metric], twins[i]![metric]))
  const needed = MOVED_SHARE * ratios.length
  const up = ratios.filter((ratio) => ratio > MOVED_RATIO).length
  const down = ratios.filter((ratio) => ratio < 1 / MOVED_RATIO).length
  return { metric, ratio: median(ratios), moved: up >= needed || down >= needed }
}

/** Nothing and nothing are equal: no 404 with and none without is no movement. */
const ratioOf = (a: number, b: number): number => (a === b ? 1 : a / b)
