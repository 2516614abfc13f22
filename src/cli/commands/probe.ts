import type { Command } from 'commander'
import { diagnose, mostTelling, type ProbeOptions, type ProbeReport, probe, scheduleFile } from '../../probe/index.js'
import { renderDecisionTable } from '../../report/decision-table.js'
import { formatDuration } from '../../report/text.js'
import { EXIT, type ExitCode } from '../exit.js'
import { ensureWritable, readInput, writeWhole } from '../files.js'
import { readContract } from '../inputs.js'
import type { Io } from '../io.js'
import { loadClient } from '../load-module.js'
import { command, integer, several } from '../options.js'
import { type RedactFlags, redactionOf, withRedaction } from '../redaction.js'
import { type RequestFlags, requestOf } from './probe-request.js'
import { probeText, runLine } from './probe-text.js'

interface ProbeFlags extends RequestFlags, RedactFlags {
  readonly runs: number
  readonly concurrency: 1 | 2
  readonly deadline: number
  readonly maxRequests?: number
  readonly maxPause: number
  readonly keyHeader?: string
  readonly allowHost?: readonly string[]
  readonly ca?: string
  readonly insecure?: boolean
  readonly yes?: boolean
  readonly contract?: string
  readonly preset?: string
  readonly saveSchedule?: string
  /** `false` for --no-out. */
  readonly out: string | false
  readonly json?: boolean
}

/** `retrial probe`: a client against a real endpoint, through a recording proxy. */
export function addProbe(program: Command, io: Io, done: (code: ExitCode) => void): void {
  const added = command(
    program,
    'probe',
    'call a real endpoint gently, record what goes over the wire, and read it as a decision table',
    `retrial probe http://127.0.0.1:8787/v1/chat -n 20 -d '{"prompt":"hi"}' --client ./client.ts --save-schedule seen.json
retrial probe https://api.example.com/v1/models -n 20 -H "Authorization: Bearer $TOKEN" --yes`,
  )
    .argument('<url>', 'http or https')
    .option(
      '--client <module>',
      'exports the client as `client` or by default; without it a built-in one without known faults is used',
    )
    .option('-n, --runs <n>', 'calls to make; one proves nothing', integer(1), 20)
    .option('-c, --concurrency <n>', 'calls under way at once: 1 or 2', integer(1, 2), 1)
    .option('-X, --method <method>', 'default: GET, or POST with a body')
    .option('-H, --header <line>', "'Name: value'; may be given several times", several)
    .option('-d, --data <body>', "the body; '@file' reads it from a file")
    .option('--request <file>', 'method, headers, body and idempotencyKey as JSON')
    .option('--key <key>', "idempotency key of a POST or PATCH: 'auto' (a new one for each call), 'none', or the key")
    .option('--key-header <name>', 'name of the key header (default: Idempotency-Key)')
    .option('--deadline <ms>', 'of one call', integer(1), 10_000)
    .option('--max-requests <n>', 'ceiling over the whole probe, retries included (default: 5 for each run)', integer(1))
    .option('--max-pause <ms>', 'the longest Retry-After that is waited out between runs', integer(0), 120_000)
    .option('--allow-host <host:port>', 'a further host that the client may connect to', several)
    .option('--ca <file>', 'certificates (PEM) to trust')
    .option('--insecure', 'do not check the certificate')
    .option('-y, --yes', 'real requests to a host that is not this machine are meant')
    .option('--contract <file>', 'what the client promises: sharpens the decision table')
    .option('--preset <name>', 'start the contract from a preset')
    .option('-o, --out <file>', 'where the report is saved, after every run', 'retrial-probe.json')
    .option('--no-out', 'do not save the report')
    .option('--save-schedule <file>', 'what the endpoint did to the most eventful call, as a schedule for specs')
  withRedaction(added).action(async (url: string, flags: ProbeFlags) => done(await run(url, flags, io)))
}

async function run(target: string, flags: ProbeFlags, io: Io): Promise<ExitCode> {
  const { baseURL, call } = await requestOf(target, flags, io)
  // Before the endpoint is asked anything: what it answers is not to be lost.
  for (const name of [flags.out, flags.saveSchedule]) if (typeof name === 'string') ensureWritable(name, io)
  const contract = await readContract(flags.contract, flags.preset, io)
  const client = flags.client === undefined ? null : await loadClient(flags.client, io)
  const ca = flags.ca === undefined ? undefined : await readInput(flags.ca, io)
  const controller = new AbortController()
  const undo = io.onInterrupt(() => controller.abort())
  const options: ProbeOptions = {
    baseURL,
    call,
    runs: flags.runs,
    concurrency: flags.concurrency,
    deadlineMs: flags.deadline,
    maxRequests: flags.maxRequests,
    maxPauseMs: flags.maxPause,
    keyHeader: flags.keyHeader,
    allowHosts: flags.allowHost,
    ca,
    insecure: flags.insecure,
    yes: flags.yes,
    redact: redactionOf(flags),
    signal: controller.signal,
    onRun: (report) => afterRun(report, flags, io),
    onPause: (waitMs) => io.err(`  the endpoint asked for a pause of ${formatDuration(Math.ceil(waitMs / 1000) * 1000)}`),
  }
  try {
    return conclude(await probe(client, options), flags, contract, io)
  } catch (error) {
    throw withYes(error)
  } finally {
    undo()
  }
}

/** The API's options have other names here. */
function withYes(error: unknown): unknown {
  if (error instanceof Error) {
    error.message = error.message
      .replace(/^options\.yes: expected true/, '--yes is needed')
      .replace('give the certificate with `ca`, or `insecure: true`', 'give the certificate with --ca, or --insecure')
      .replace('`insecure: true`', '--insecure')
      .replace(/^ca: /, '--ca: ')
      .replace(/^options\.allowHosts/, '--allow-host')
      .replace('goes into allowHosts', 'is allowed with --allow-host')
  }
  return error
}

const save = (report: ProbeReport, { out }: ProbeFlags, io: Io): void => {
  if (out !== false) writeWhole(out, `${JSON.stringify(report)}\n`, io)
}

function afterRun(report: ProbeReport, flags: ProbeFlags, io: Io): void {
  save(report, flags, io)
  if (flags.json) io.progress(`run ${report.trials.length} of ${report.runs}`)
  else io.out(runLine(report.trials.at(-1)!, report.trials.length))
}

function conclude(report: ProbeReport, flags: ProbeFlags, contract: Parameters<typeof diagnose>[1], io: Io): ExitCode {
  const table = diagnose(report.trials, contract)
  const telling = mostTelling(report.trials)
  save(report, flags, io)
  if (flags.saveSchedule !== undefined && telling !== undefined) {
    writeWhole(flags.saveSchedule, `${JSON.stringify(scheduleFile(telling, report.target), null, 2)}\n`, io)
  }
  if (flags.json) io.out(JSON.stringify({ ...(report.toJSON() as object), decisions: table.rows }))
  else {
    io.out(`\n${probeText(report)}\n\n${renderDecisionTable(table)}`)
    if (flags.out !== false) io.err(`\nsaved ${flags.out}; retrial show ${flags.out}`)
    if (flags.saveSchedule !== undefined && telling !== undefined) {
      io.err(`saved ${flags.saveSchedule}; retrial serve ${flags.saveSchedule}`)
    }
  }
  if (table.rows.some(({ kind }) => kind === 'broken')) return EXIT.broken
  return report.trials.length < report.runs ? EXIT.inconclusive : EXIT.upheld
}
