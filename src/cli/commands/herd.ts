import type { Command } from 'commander'
import {
  compareHerd,
  FLAKY_CASE,
  HERD_CASE,
  HERD_STRATEGIES,
  type HerdOptions,
  type HerdStrategy,
  herd,
  METASTABLE_CASE,
  type ReportFormat,
  renderHerd,
} from '../../experiments/index.js'
import { EXIT, type ExitCode } from '../exit.js'
import { writeWhole } from '../files.js'
import { readJson } from '../inputs.js'
import type { Io } from '../io.js'
import { loadClient } from '../load-module.js'
import { command, integer, oneOf, severalOf } from '../options.js'

const CASES: Readonly<Record<string, HerdOptions>> = { herd: HERD_CASE, flaky: FLAKY_CASE, metastable: METASTABLE_CASE }

interface HerdFlags {
  readonly case: string
  readonly clients?: number
  readonly requestsEach?: number
  readonly pause?: number
  readonly attemptTimeout?: number
  readonly server?: string
  readonly runs: number
  readonly seed: number
  readonly strategy?: readonly string[]
  readonly client?: string
  readonly format: ReportFormat
  readonly out?: string
  readonly json?: boolean
}

/** `retrial herd`: many clients and a server with finite capacity. */
export function addHerd(program: Command, io: Io, done: (code: ExitCode) => void): void {
  command(
    program,
    'herd',
    'many clients against a server with finite capacity, in virtual time: which retry strategy survives',
    `retrial herd                       # 10 clients × 20 requests, all starting together: every strategy
retrial herd --case flaky          # one client, 200 requests, a server that is away now and then
retrial herd --strategy fixed --strategy full-jitter --clients 50`,
  )
    .option('--case <name>', `the situation: ${Object.keys(CASES).join(', ')}`, oneOf(Object.keys(CASES)), 'herd')
    .option('--clients <n>', 'clients (default: of the case)', integer(1))
    .option('--requests-each <n>', 'requests of each client (default: of the case)', integer(1))
    .option('--pause <ms>', 'between the requests of a client (default: of the case)', integer(0))
    .option('--attempt-timeout <ms>', 'of a built-in strategy (default: of the case)', integer(1))
    .option('--server <file>', 'another server, as JSON: { "capacity": 5, "serviceMs": 100, ... }')
    .option('--runs <n>', 'seeds', integer(1), 20)
    .option('--seed <n>', 'of the first run', integer(0), 1)
    .option('--strategy <name>', `one of ${HERD_STRATEGIES.join(', ')}; several, or all of them`, severalOf(HERD_STRATEGIES))
    .option('--client <module>', 'a client of your own, exported as `client` or by default')
    .option('--format <format>', 'table, markdown, json or svg', oneOf(['table', 'markdown', 'json', 'svg']), 'table')
    .option('-o, --out <file>', 'write to a file')
    .action(async (flags: HerdFlags) => done(await run(flags, io)))
}

async function optionsOf(flags: HerdFlags, io: Io): Promise<HerdOptions> {
  const { clients, requestsEach, pause: pauseMs, attemptTimeout: attemptTimeoutMs, runs, seed } = flags
  const own = { clients, requestsEach, pauseMs, attemptTimeoutMs }
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  const server = flags.server === undefined ? {} : { server: (await readJson(flags.server, io)) as HerdOptions['server'] }
  return { ...CASES[flags.case], ...given, ...server, runs, seed }
}

async function run(flags: HerdFlags, io: Io): Promise<ExitCode> {
  const options = await optionsOf(flags, io)
  const onProgress = (done: number, of: number, label: string) => io.progress(`${label}: run ${done} of ${of}`)
  const strategies = (flags.strategy ?? HERD_STRATEGIES) as readonly HerdStrategy[]
  const result =
    flags.client === undefined
      ? await compareHerd({ ...options, strategies, onProgress })
      : await herd({ ...options, client: await loadClient(flags.client, io), onProgress })
  io.progress('')
  const content = renderHerd(result, flags.json ? 'json' : flags.format)
  if (flags.out === undefined) io.out(content)
  else writeWhole(flags.out, `${content}\n`, io)
  return EXIT.upheld
}
