import type { Command } from 'commander'
import {
  BATCH_STRATEGIES,
  type BatchStrategy,
  batch,
  compareBatch,
  type ReportFormat,
  renderBatch,
} from '../../experiments/index.js'
import { EXIT, type ExitCode } from '../exit.js'
import { writeWhole } from '../files.js'
import type { Io } from '../io.js'
import { loadClient } from '../load-module.js'
import { command, integer, oneOf, severalOf, share } from '../options.js'

interface BatchFlags {
  readonly jobs: number
  readonly workers: number
  readonly retired: number
  readonly transient: number
  readonly latency: number
  readonly runs: number
  readonly seed: number
  readonly strategy?: readonly string[]
  readonly client?: string
  readonly format: ReportFormat
  readonly out?: string
  readonly json?: boolean
}

/** `retrial batch`: what jobs with a retired model do to all the others. */
export function addBatch(program: Command, io: Io, done: (code: ExitCode) => void): void {
  command(
    program,
    'batch',
    'jobs of which some are doomed, through a pool of workers, in virtual time',
    `retrial batch                              # 200 jobs, 16 workers, 31 doomed: every strategy
retrial batch --jobs 120 --workers 4       # fewer workers make it worse
retrial batch --client ./client.ts         # a client of your own`,
  )
    .option('--jobs <n>', 'jobs of the batch', integer(1), 200)
    .option('--workers <n>', 'jobs under way at once', integer(1), 16)
    .option('--retired <share>', 'share of the jobs whose model is gone: 404 for ever', share, 0.155)
    .option('--transient <share>', 'share of the requests that get a 503', share, 0.06)
    .option('--latency <ms>', 'of a success', integer(0), 40)
    .option('--runs <n>', 'seeds', integer(1), 9)
    .option('--seed <n>', 'of the first run', integer(0), 1)
    .option('--strategy <name>', `one of ${BATCH_STRATEGIES.join(', ')}; several, or all of them`, severalOf(BATCH_STRATEGIES))
    .option('--client <module>', 'a client of your own, exported as `client` or by default')
    .option('--format <format>', 'table, markdown, json or svg', oneOf(['table', 'markdown', 'json', 'svg']), 'table')
    .option('-o, --out <file>', 'write to a file')
    .action(async (flags: BatchFlags) => done(await run(flags, io)))
}

async function run(flags: BatchFlags, io: Io): Promise<ExitCode> {
  const { jobs, workers, retired: retiredShare, transient: transientRate, latency: latencyMs, runs, seed } = flags
  const options = { jobs, workers, retiredShare, transientRate, latencyMs, runs, seed }
  const onProgress = (done: number, of: number, label: string) => io.progress(`${label}: run ${done} of ${of}`)
  const strategies = (flags.strategy ?? BATCH_STRATEGIES) as readonly BatchStrategy[]
  const result =
    flags.client === undefined
      ? await compareBatch({ ...options, strategies, onProgress })
      : await batch({ ...options, client: await loadClient(flags.client, io), onProgress })
  io.progress('')
  const content = renderBatch(result, flags.json ? 'json' : flags.format)
  if (flags.out === undefined) io.out(content)
  else writeWhole(flags.out, `${content}\n`, io)
  return EXIT.upheld
}
