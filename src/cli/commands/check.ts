import { extname } from 'node:path'
import type { Command } from 'commander'
import type { ContractReport } from '../../contract/index.js'
import { renderSummary } from '../../contract/summary.js'
import { Redactor } from '../../probe/index.js'
import { resolveOptions } from '../../trial/options.js'
import { EXIT, type ExitCode, UsageError } from '../exit.js'
import { readContract, readJson } from '../inputs.js'
import type { Io } from '../io.js'
import { modulePath } from '../load-module.js'
import { command, integer, oneOf } from '../options.js'
import { type CheckRun, runCheck } from './check-run.js'
import { NO_CLIENT } from './check-spec.js'

interface CheckFlags {
  readonly contract?: string
  readonly preset?: string
  readonly method?: string
  readonly path?: string
  readonly seeds: number
  readonly transport: 'socket' | 'fetch'
  readonly strict?: boolean
  readonly stages?: readonly number[]
  readonly config?: string
  readonly loadTimeout: number
  readonly json?: boolean
}

const stages = (text: string): readonly number[] => text.split(',').map((stage) => integer(1, 5)(stage))

/** `retrial check`: the whole contract suite against an exported client, no spec file needed. */
export function addCheck(program: Command, io: Io, done: (code: ExitCode) => void): void {
  command(
    program,
    'check',
    'judge an exported client by the whole catalogue, without a spec file',
    'retrial check ./client.ts --preset openai --contract contract.json',
  )
    .argument(
      '<module>',
      'exports the client as `client` or by default, and its contract as `contract` if it likes (TypeScript too)',
    )
    .option('--contract <file>', 'what the client promises (JSON or a module); what is not promised is not judged')
    .option('--preset <name>', 'start the contract from a preset')
    .option('--strict', 'what is only advised fails, too')
    .option('--stages <list>', 'only these stages, such as 2,3', stages)
    .option('-X, --method <method>', 'only calls with this method (default: GET, POST with a key, POST without)')
    .option('--path <path>', 'of the calls')
    .option('--seeds <n>', 'runs of each case, with the seeds 1 to n', integer(1), 1)
    .option('--transport <name>', 'socket or fetch', oneOf(['socket', 'fetch']), 'socket')
    .option('--config <file>', 'a vite config, for a client that needs its aliases or plugins')
    .option('--load-timeout <ms>', 'give up when the module has not been loaded by then', integer(1), 60_000)
    .action(async (module: string, flags: CheckFlags) => done(await run(module, flags, io)))
}

async function run(name: string, flags: CheckFlags, io: Io): Promise<ExitCode> {
  const clientPath = modulePath(name, io)
  const contractFile = flags.contract
  const isJson = contractFile === undefined || extname(contractFile) === '.json'
  // Refuses a wrong contract before anything starts.
  if (isJson) await readContract(contractFile, flags.preset, io)
  // As every case would, but once.
  resolveOptions({ call: { method: flags.method?.toUpperCase(), path: flags.path } })
  const call = {
    ...(flags.method === undefined ? {} : { method: flags.method.toUpperCase() }),
    ...(flags.path === undefined ? {} : { path: flags.path }),
  }
  const outcome = await runCheck(
    {
      clientPath,
      clientName: name,
      contractPath: isJson ? null : modulePath(contractFile, io),
      contract: isJson && contractFile !== undefined ? ((await readJson(contractFile, io)) as object) : {},
      preset: flags.preset,
      call,
      seeds: Array.from({ length: flags.seeds }, (_, i) => i + 1),
      transport: flags.transport,
      strict: flags.strict ?? false,
      stages: flags.stages ?? [],
    },
    { config: flags.config === undefined ? undefined : modulePath(flags.config, io), loadTimeoutMs: flags.loadTimeout },
    io,
  )
  return conclude(name, outcome, flags, io)
}

/** Without a report, or with an error beside it, it is the set-up that failed, not the client. */
function conclude(name: string, { report, failures: found, setup, errors }: CheckRun, { json }: CheckFlags, io: Io): ExitCode {
  const missing = errors.find((message) => message.startsWith(NO_CLIENT))
  if (missing !== undefined) throw new UsageError(missing.slice(NO_CLIENT.length + 2))
  if (report === null || errors.length > 0)
    throw new UsageError(`cannot check ${name}: ${errors.join('\n') || 'vitest ran no case'}`)
  const { passed, failed, stale } = report.counts
  if (setup.length > 0 && passed + failed + stale === 0) throw new UsageError(`${name}: ${setup.join('\n')}`)
  // A client of the user's may send keys of the user's.
  const redactor = new Redactor()
  const failures = [...setup, ...found].map((message) => redactor.text(message))
  if (json) io.out(JSON.stringify(redactor.value({ ...report, failures })))
  else {
    for (const failure of failures) io.out(`${failure}\n`)
    io.out(redactor.text(renderSummary(report)))
  }
  return exitOfReport(report, failures.length)
}

/** Beside the cases there is one test: that every promise was met. */
export function exitOfReport({ counts }: Pick<ContractReport, 'counts'>, failures: number): ExitCode {
  if (counts.failed + counts.stale > 0) return EXIT.broken
  return failures > 0 || counts.passed === 0 ? EXIT.inconclusive : EXIT.upheld
}
