import type { Command } from 'commander'
import { Redactor, readTraces, redactTrial } from '../../probe/index.js'
import { renderSvg } from '../../report/svg.js'
import { renderTimeline } from '../../report/timeline.js'
import type { Trial } from '../../trace/model.js'
import { EXIT, type ExitCode, UsageError } from '../exit.js'
import { readInput, writeWhole } from '../files.js'
import type { Io } from '../io.js'
import { command, integer } from '../options.js'
import { type RedactFlags, redactionOf, withRedaction } from '../redaction.js'

interface ShowFlags extends RedactFlags {
  readonly svg?: boolean
  readonly ascii?: boolean
  readonly width: number
  readonly run?: number
  readonly out?: string
  readonly json?: boolean
}

/** `retrial show`: saved traces as timelines. */
export function addShow(program: Command, io: Io, done: (code: ExitCode) => void): void {
  const added = command(
    program,
    'show',
    'the timeline of saved traces, as text or as a picture',
    'retrial show retrial-probe.json --run 3 --svg -o run-3.svg',
  )
    .argument('<file>', "a saved trial, a probe's report, what `serve --json` printed, a HAR file; '-' for standard input")
    .option('--svg', 'a picture')
    .option('--ascii', 'only ASCII characters')
    .option('--width <columns>', 'of the longest line', integer(40), 100)
    .option('--run <n>', 'only this trace of the file, from 1', integer(1))
    .option('-o, --out <file>', 'write to a file')
  withRedaction(added).action(async (file: string, flags: ShowFlags) => done(await run(file, flags, io)))
}

async function run(file: string, flags: ShowFlags, io: Io): Promise<ExitCode> {
  const redaction = redactionOf(flags)
  const redactor = new Redactor(redaction)
  const all = readTraces(await readInput(file, io), file, redaction)
  if (flags.run !== undefined && flags.run > all.length)
    throw new UsageError(`--run: ${file} holds ${all.length} traces, received ${flags.run}`)
  if (flags.svg && flags.run === undefined && all.length > 1) {
    throw new UsageError(`--svg: ${file} holds ${all.length} traces, a picture is of one: choose it with --run`)
  }
  const chosen = (flags.run === undefined ? all : [all[flags.run - 1]!]).map((trial) => redactTrial(trial, redactor))
  const content = render(chosen, flags, flags.run ?? 1)
  if (flags.out === undefined) io.out(content)
  else {
    writeWhole(flags.out, `${content}\n`, io)
    io.err(`saved ${flags.out}`)
  }
  return EXIT.upheld
}

function render(trials: readonly Trial[], { svg, json, ascii, width }: ShowFlags, first: number): string {
  if (json) return JSON.stringify(trials)
  if (svg) return renderSvg(trials[0]!)
  const texts = trials.map((trial) => renderTimeline(trial, { width, ascii }))
  return texts
    .map((text, i) => (texts.length === 1 ? text : `trace ${first + i} (${trials[i]!.client.name})\n${text}`))
    .join('\n\n')
}
