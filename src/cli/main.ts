import { Command, CommanderError } from 'commander'
import picocolors from 'picocolors'
import { addBatch } from './commands/batch.js'
import { addCheck } from './commands/check.js'
import { addDiagnose } from './commands/diagnose.js'
import { addHerd } from './commands/herd.js'
import { addInit } from './commands/init.js'
import { addPreflight } from './commands/preflight.js'
import { addProbe } from './commands/probe.js'
import { addServe } from './commands/serve.js'
import { addShow } from './commands/show.js'
import { EXIT, type ExitCode } from './exit.js'
import type { Io } from './io.js'

const ABOUT = `Puts retry logic on trial: fails on purpose, on a schedule, and judges what the wire saw.`

const EPILOGUE = `
Exit codes:
  0 upheld   1 broken   2 usage or input error   3 inconclusive: what was to be judged did not happen`

const OVERVIEW = `${ABOUT}

  retrial check ./client.ts            judge an exported client by the whole catalogue
  retrial serve schedule.json          play a schedule to a client in any language
  retrial probe https://... -n 20      call a real endpoint gently, and record it
  retrial diagnose trace.json          read traces as a decision table
  retrial show trace.json              the timeline of a trace, as text or as a picture
  retrial batch, retrial herd          what retries do to a batch, and to a server
  retrial preflight --from src         which model ids are in use, and which of them are gone
  retrial init                         begin in a vitest project

For example, a server that limits, fails and recovers, and a judgement of whoever called it:

  retrial serve '[{"status":429,"retryAfter":1},500,200]' --preset strict --calls 1

retrial <command> --help tells more.`

/** Errors that speak for themselves: what they name is the user's to change. */
const EXPECTED = new Set([
  'UsageError',
  'ScheduleError',
  'ContractError',
  'TrialOptionsError',
  'ClientSetupError',
  'ProbeError',
  'TracesError',
  'TraceFormatError',
  'HarError',
  'PortError',
  'ExperimentOptionsError',
  'ExperimentError',
  'InventoryError',
])

function createProgram(io: Io, done: (code: ExitCode) => void, version: string): Command {
  const program = new Command('retrial')
    .description(ABOUT)
    .version(version, '-v, --version')
    .addHelpText('after', EPILOGUE)
    .showHelpAfterError('(add --help to see what there is)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text.trimEnd()),
      writeErr: (text) => io.err(text.trimEnd()),
    })
  for (const add of [addCheck, addServe, addProbe, addDiagnose, addShow, addBatch, addHerd, addPreflight, addInit])
    add(program, io, done)
  return program
}

/**
 * Runs the command line.
 *
 * @param argv what follows the name of the program
 * @returns the exit code; nothing is thrown
 */
export async function main(argv: readonly string[], io: Io, version: string): Promise<ExitCode> {
  if (argv.length === 0) {
    io.out(OVERVIEW)
    return EXIT.upheld
  }
  let code: ExitCode = EXIT.upheld
  try {
    await createProgram(
      io,
      (result) => {
        code = result
      },
      version,
    ).parseAsync(argv, { from: 'user' })
    return code
  } catch (error) {
    return failed(error, io)
  } finally {
    io.progress('')
  }
}

function failed(error: unknown, io: Io): ExitCode {
  // Help and version end this way as well.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.upheld : EXIT.usage
  const { red } = picocolors.createColors(io.color)
  const { name = '', message = String(error), stack = message } = error as Partial<Error>
  io.err(`${red('error')}: ${EXPECTED.has(name) ? message : stack}`)
  return EXIT.usage
}
