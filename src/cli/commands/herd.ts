import type { Command } from 'commander'
import {
  compareHerd,
  FLAKY_CASE,
  HERD_CASE,
  HERD_STRATEGIES,
  type HerdComparison,
  type HerdOptions,
  type HerdReport,
  type HerdStrategy,
  herd,
  METASTABLE_CASE,
  renderHerd,
} from '../../experiments/index.js'
import type { ExitCode } from '../exit.js'
import { readJson } from '../inputs.js'
import type { Io } from '../io.js'
import { command, integer, oneOf } from '../options.js'
import { type Experiment, type ExperimentFlags, runCases, withExperimentOptions } from './experiment.js'

const CASES: Readonly<Record<string, HerdOptions>> = { flaky: FLAKY_CASE, herd: HERD_CASE, metastable: METASTABLE_CASE }
/** The two situations that were published: with none of their flags given, both are run. */
const REFERENCE = ['flaky', 'herd']

interface HerdFlags extends ExperimentFlags<HerdStrategy> {
  readonly case?: string
  readonly clients?: number
  readonly requestsEach?: number
  readonly pause?: number
  readonly attemptTimeout?: number
  readonly server?: string
}

/** `retrial herd`: many clients and a server with finite capacity. */
export function addHerd(program: Command, io: Io, done: (code: ExitCode) => void): void {
  const own = command(
    program,
    'herd',
    'many clients against a server with finite capacity, in virtual time: which retry strategy survives',
    `retrial herd                       # the two reference tables: one client and a flaky server, ten that start together
retrial herd --case metastable     # load that stays after its trigger is gone
retrial herd --strategy fixed --strategy full-jitter --clients 50`,
  )
    .option('--case <name>', `the situation: ${Object.keys(CASES).join(', ')} (default: herd)`, oneOf(Object.keys(CASES)))
    .option('--clients <n>', 'clients (default: of the case)', integer(1))
    .option('--requests-each <n>', 'requests of each client (default: of the case)', integer(1))
    .option('--pause <ms>', 'between the requests of a client (default: of the case)', integer(0))
    .option('--attempt-timeout <ms>', 'of a built-in strategy (default: of the case)', integer(1))
    .option('--server <file>', 'another server, as JSON: { "capacity": 5, "serviceMs": 100, ... }')
  withExperimentOptions(own, HERD_STRATEGIES, 20).action(async (flags: HerdFlags) => done(await run(flags, io)))
}

/** What was given in place of the case's own. */
async function givenOptions(flags: HerdFlags, io: Io): Promise<HerdOptions> {
  const { clients, requestsEach, pause: pauseMs, attemptTimeout: attemptTimeoutMs } = flags
  const server = flags.server === undefined ? undefined : ((await readJson(flags.server, io)) as HerdOptions['server'])
  const given = { clients, requestsEach, pauseMs, attemptTimeoutMs, server }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

async function run(flags: HerdFlags, io: Io): Promise<ExitCode> {
  const { runs, seed, strategy: strategies = HERD_STRATEGIES } = flags
  const given = await givenOptions(flags, io)
  const isReference = flags.case === undefined && Object.keys(given).length === 0
  const names = isReference ? REFERENCE : [flags.case ?? 'herd']
  const cases = names.map((name) => ({ name: `--case ${name}`, options: { ...CASES[name], ...given, runs, seed } }))
  const experiment: Experiment<HerdOptions, HerdReport | HerdComparison> = {
    compare: (options) => compareHerd({ ...options, strategies }),
    judge: herd,
    render: renderHerd,
  }
  return runCases(experiment, cases, flags, io)
}
