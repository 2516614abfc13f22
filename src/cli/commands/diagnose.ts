import type { Command } from 'commander'
import { diagnose, Redactor, readTraces, redactTrial } from '../../probe/index.js'
import { renderDecisionTable } from '../../report/decision-table.js'
import type { Trial } from '../../trace/model.js'
import { EXIT, type ExitCode } from '../exit.js'
import { readInput } from '../files.js'
import { readContract } from '../inputs.js'
import type { Io } from '../io.js'
import { command } from '../options.js'
import { type RedactFlags, redactionOf, withRedaction } from '../redaction.js'

interface DiagnoseFlags extends RedactFlags {
  readonly contract?: string
  readonly preset?: string
  readonly markdown?: boolean
  readonly ascii?: boolean
  readonly json?: boolean
}

/** `retrial diagnose`: traces as a decision table. */
export function addDiagnose(program: Command, io: Io, done: (code: ExitCode) => void): void {
  const added = command(
    program,
    'diagnose',
    'read traces as a decision table: what was seen, what it means, what to do',
    'retrial diagnose retrial-probe.json',
  )
    .argument('<files...>', "saved trials, a probe's report, what `serve --json` printed, HAR files; '-' for standard input")
    .option('--contract <file>', 'what the client promises (JSON or a module)')
    .option('--preset <name>', 'start the contract from a preset')
    .option('--markdown', 'a Markdown table')
    .option('--ascii', 'only ASCII characters')
  withRedaction(added).action(async (files: readonly string[], flags: DiagnoseFlags) => done(await run(files, flags, io)))
}

async function run(files: readonly string[], flags: DiagnoseFlags, io: Io): Promise<ExitCode> {
  const contract = await readContract(flags.contract, flags.preset, io)
  const redaction = redactionOf(flags)
  const redactor = new Redactor(redaction)
  const trials: Trial[] = []
  for (const file of files) trials.push(...readTraces(await readInput(file, io), file, redaction))
  const table = diagnose(
    trials.map((trial) => redactTrial(trial, redactor)),
    contract,
  )
  io.out(
    flags.json
      ? JSON.stringify(table, null, 2)
      : renderDecisionTable(table, { format: flags.markdown ? 'markdown' : 'text', ascii: flags.ascii }),
  )
  return table.rows.some(({ kind }) => kind === 'broken') ? EXIT.broken : EXIT.upheld
}
