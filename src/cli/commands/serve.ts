import type { Command } from 'commander'
import { judge } from '../../guarantees/judge.js'
import type { Verdict } from '../../guarantees/model.js'
import { Redactor, redactTrial } from '../../probe/index.js'
import { withoutSecrets } from '../../probe/observed.js'
import { plural } from '../../report/text.js'
import { printSchedule } from '../../schedule/print.js'
import { DEDUP_MODES, type DedupMode, type Trial } from '../../trace/model.js'
import { type Serving, serve } from '../../trial/serve.js'
import type { ResetOn } from '../../trial/serve-control.js'
import { EXIT, type ExitCode, UsageError } from '../exit.js'
import { ensureWritable, writeWhole } from '../files.js'
import { readContract, readSchedule } from '../inputs.js'
import type { Io } from '../io.js'
import { liveLines } from '../live-lines.js'
import { command, integer, oneOf, several } from '../options.js'
import { type RedactFlags, redactionOf, withRedaction } from '../redaction.js'
import { exitOf, renderVerdicts } from '../verdicts.js'
import { type EndReason, ServeSession } from './serve-session.js'

/** The story of the README: a limit, an error, then fine. */
const DEFAULT_SCHEDULE = '[{"status":429,"retryAfter":1},500,200]'

interface ServeFlags extends RedactFlags {
  readonly port: number
  readonly contract?: string
  readonly preset?: string
  readonly calls?: number
  readonly idle?: number
  readonly dedup: DedupMode
  readonly keyHeader?: string
  readonly resetOn?: readonly string[]
  readonly out?: string
  readonly json?: boolean
}

/** `retrial serve`: the scripted server as a process, for clients in any language. */
export function addServe(program: Command, io: Io, done: (code: ExitCode) => void): void {
  const added = command(
    program,
    'serve',
    'play a schedule to a client in any language, in real time',
    `retrial serve '[{"status":429,"retryAfter":1},"reset",200]' --calls 1 --contract contract.json
curl -d '{}' -H 'Idempotency-Key: k1' http://127.0.0.1:8787/   # the client, in another terminal
curl http://127.0.0.1:8787/~retrial/trace                      # what the server saw
curl http://127.0.0.1:8787/~retrial/reset                      # begin anew`,
  )
    .argument('[schedule]', "JSON, a JSON file, a module, or '-' for standard input", DEFAULT_SCHEDULE)
    .option('-p, --port <port>', '0 for any free port', integer(0, 65_535), 8787)
    .option('--contract <file>', 'what the client promises (JSON or a module): judged at the end')
    .option('--preset <name>', 'start the contract from a preset')
    .option(
      '--calls <n>',
      'end after n calls were answered with a success; each meets the schedule from its first step',
      integer(1),
    )
    .option('--idle <ms>', 'end after this long without a request', integer(1))
    .option('--dedup <mode>', `how a known idempotency key is treated: ${DEDUP_MODES.join(', ')}`, oneOf(DEDUP_MODES), 'replay')
    .option('--key-header <name>', 'name of the key header (default: Idempotency-Key)')
    .option('--reset-on <path|header>', 'begin anew at a request for this /path, or at a new value of this header', several)
    .option('-o, --out <file>', 'save the trace when it ends')
  withRedaction(added).action(async (schedule: string, flags: ServeFlags) => done(await run(schedule, flags, io)))
}

function resetOnOf(given: readonly string[] = []): ResetOn {
  const wrong = given.find((text) => !/^(\/[^\s?#]*|[!#$%&'*+\-.^_`|~\w]+)$/.test(text))
  if (wrong !== undefined) throw new UsageError(`--reset-on: expected a /path or the name of a header, received '${wrong}'`)
  const paths = given.filter((text) => text.startsWith('/'))
  const headers = given.filter((text) => !text.startsWith('/'))
  const several = [paths, headers].find((names) => names.length > 1)
  if (several !== undefined)
    throw new UsageError(`--reset-on: expected one path and one header at most, received ${several.join(', ')}`)
  const [path, header] = [paths[0], headers[0]]
  return { ...(path === undefined ? {} : { path }), ...(header === undefined ? {} : { header }) }
}

async function run(given: string, flags: ServeFlags, io: Io): Promise<ExitCode> {
  const schedule = await readSchedule(given, io)
  const resetOn = resetOnOf(flags.resetOn)
  if (flags.out !== undefined) ensureWritable(flags.out, io)
  const isJudged = flags.contract !== undefined || flags.preset !== undefined
  const contract = isJudged ? await readContract(flags.contract, flags.preset, io) : null
  const redactor = new Redactor(redactionOf(flags))
  const print = (event: string, more: object) => flags.json && io.out(JSON.stringify({ event, ...more }))
  let serving: Serving | undefined
  const session = new ServeSession(
    { calls: flags.calls, idleMs: flags.idle, resetAfterSuccess: flags.calls !== undefined && flags.resetOn === undefined },
    () => serving?.reset(),
  )
  const undo = io.onInterrupt(() => session.interrupt())
  try {
    serving = await serve(schedule, {
      port: flags.port,
      dedup: flags.dedup,
      keyHeader: flags.keyHeader,
      resetOn,
      present: (trial) => redactTrial(trial, redactor),
      onRun: (trial) => {
        session.runs.push(trial)
        print('reset', { runs: session.runs.length })
        if (!flags.json) io.out('           begins anew')
      },
      onAttempt: (raw, change) => {
        const attempt = withoutSecrets(raw, redactor)
        if (flags.json)
          print('attempt', { change, number: attempt.number, method: attempt.method, path: attempt.path, result: attempt.result })
        else for (const line of liveLines(attempt, change)) io.out(line)
        session.onAttempt(raw, change)
      },
    })
    const plays = redactor.value(printSchedule(schedule)) as string | null
    print('listening', { url: serving.url, port: serving.port, schedule: plays })
    if (!flags.json) {
      io.out(`listening on ${serving.url}`)
      io.err(`plays ${plays ?? 'a function'}; Ctrl-C ends it`)
    }
    const reason = await session.ended
    const last = serving.trial()
    const trials = last.attempts.length > 0 ? [...session.runs, last] : session.runs
    return conclude(
      trials,
      contract === null || trials.length === 0 ? [] : judge(trials, contract),
      reason,
      contract !== null,
      redactor,
      flags,
      io,
    )
  } finally {
    undo()
    session.stop()
    await serving?.close()
  }
}

function conclude(
  trials: readonly Trial[],
  verdicts: readonly Verdict[],
  reason: EndReason,
  isJudged: boolean,
  redactor: Redactor,
  flags: ServeFlags,
  io: Io,
): ExitCode {
  const shown = trials.map((trial) => redactTrial(trial, redactor))
  const requests = trials.reduce((sum, { attempts }) => sum + attempts.length, 0)
  if (flags.out !== undefined) writeWhole(flags.out, `${JSON.stringify(shown)}\n`, io)
  if (flags.json) io.out(JSON.stringify({ event: 'end', reason, trials: shown, verdicts: redactor.value(verdicts) }))
  else {
    io.out(`ended (${reason}): ${plural(trials.length, 'run')}, ${plural(requests, 'request')}`)
    if (verdicts.length > 0) io.out(`\n${redactor.text(renderVerdicts(verdicts, shown))}`)
    if (flags.out !== undefined) io.err(`saved ${flags.out}; retrial show ${flags.out}`)
  }
  if (!isJudged) return EXIT.upheld
  if (requests === 0) io.err('inconclusive: no request came')
  return exitOf(verdicts)
}
