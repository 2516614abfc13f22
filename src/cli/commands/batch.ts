import type { Command } from 'commander'
import {
  BATCH_STRATEGIES,
  type BatchComparison,
  type BatchOptions,
  type BatchReport,
  type BatchStrategy,
  batch,
  compareBatch,
  renderBatch,
} from '../../experiments/index.js'
import type { ExitCode } from '../exit.js'
import type { Io } from '../io.js'
import { command, integer, share } from '../options.js'
import { type Experiment, type ExperimentFlags, runCases, withExperimentOptions } from './experiment.js'

interface BatchFlags extends ExperimentFlags<BatchStrategy> {
  readonly jobs?: number
  readonly workers?: number
  readonly retired: number
  readonly transient: number
  readonly latency: number
}

/** The two batches that were measured: with none of their flags given, both are run. */
const REFERENCE = [
  { jobs: 200, workers: 16 },
  { jobs: 120, workers: 4 },
] as const

/** `retrial batch`: what jobs with a retired model do to all the others. */
export function addBatch(program: Command, io: Io, done: (code: ExitCode) => void): void {
  const own = command(
    program,
    'batch',
    'jobs of which some are doomed, through a pool of workers, in virtual time',
    `retrial batch                              # the two reference tables: 200 jobs and 16 workers, 120 and 4
retrial batch --jobs 500 --workers 8       # another batch
retrial batch --client ./client.ts         # a client of your own`,
  )
    .option('--jobs <n>', 'jobs of the batch (default: 200)', integer(1))
    .option('--workers <n>', 'jobs under way at once (default: 16)', integer(1))
    .option('--retired <share>', 'share of the jobs whose model is gone: 404 for ever', share, 0.155)
    .option('--transient <share>', 'share of the requests that get a 503', share, 0.06)
    .option('--latency <ms>', 'of a success', integer(0), 40)
  withExperimentOptions(own, BATCH_STRATEGIES, 9).action(async (flags: BatchFlags) => done(await run(flags, io)))
}

function run(flags: BatchFlags, io: Io): Promise<ExitCode> {
  const { jobs, workers, retired: retiredShare, transient: transientRate, latency: latencyMs, runs, seed } = flags
  const strategies = flags.strategy ?? BATCH_STRATEGIES
  const sizes = jobs === undefined && workers === undefined ? REFERENCE : [{ jobs: jobs ?? 200, workers: workers ?? 16 }]
  const cases = sizes.map((size) => ({
    name: `--jobs ${size.jobs} --workers ${size.workers}`,
    options: { ...size, retiredShare, transientRate, latencyMs, runs, seed },
  }))
  const experiment: Experiment<BatchOptions, BatchReport | BatchComparison> = {
    compare: (options) => compareBatch({ ...options, strategies }),
    judge: batch,
    render: renderBatch,
  }
  return runCases(experiment, cases, flags, io)
}
