import type { Reason, Verdict } from '../guarantees/model.js'
import type { JsonValue } from '../schedule/model.js'
import type { Trial } from '../trace/model.js'
import { formatNumber, oneLine, toAscii, truncate, wrap } from './text.js'
import { renderTimeline, type TimelineOptions } from './timeline.js'

const LABEL_WIDTH = 9
const RULES_NAMED = 6
const WIDTH = 100
/** A longer schedule cannot be read, and hides what stands above it. */
const SCHEDULE_SHOWN = 2_000
const VALUE_INDENT = ' '.repeat(LABEL_WIDTH + 3)

const line = (label: string, text: string) => `  ${label.padEnd(LABEL_WIDTH)} ${text}`

/** The reasons that made the verdict what it is, the binding ones first. */
export function decisiveReasons({ kind, reasons }: Verdict): Reason[] {
  const decisive = reasons.filter((reason) => reason.kind === kind)
  return [...decisive.filter(({ level }) => level === 'must'), ...decisive.filter(({ level }) => level !== 'must')]
}

/** The first line of a judgement: what was broken, by which attempt. */
export function headline(matcher: string, { kind }: Verdict, text: string): string {
  switch (kind) {
    case 'fail':
      return `${matcher}: ${text}`
    case 'inconclusive':
      return `inconclusive: ${text}`
    case 'not-applicable':
      return `not applicable: ${text}`
    case 'pass':
      return `${matcher}: kept: ${text}`
    default:
      return kind satisfies never
  }
}

function otherRules([main, ...others]: readonly Reason[]): string | null {
  const rules = [...new Set(others.map(({ rule }) => rule))].filter((rule) => rule !== main?.rule)
  if (rules.length === 0) return null
  const named = rules.slice(0, RULES_NAMED).join(', ')
  return `and ${rules.length} more: ${named}${rules.length > RULES_NAMED ? ', …' : ''}`
}

function explanation(reason: Reason, verdict: Verdict, matcher: string, trialCount: number, width: number): string[] {
  const { rule, level, requirement, source, expected, received, trial } = reason
  const others = otherRules(decisiveReasons(verdict))
  const lines = [
    verdict.kind === 'fail' ? null : line('matcher', matcher),
    ruleLine(`${rule} (${level}): ${requirement}`, source, width),
    expected === undefined ? null : line('expected', oneLine(expected)),
    received === undefined ? null : line('received', oneLine(received)),
    trialCount > 1 ? line('trial', `${trial + 1} of ${trialCount}`) : null,
    others === null ? null : line('', others),
  ]
  return lines.filter((text) => text !== null).map((text) => wrap(text, width, VALUE_INDENT))
}

/** The source goes with its rule, or as a whole to the line below it. */
function ruleLine(rule: string, source: string, width: number): string {
  const text = line('rule', `${rule} · ${source}`)
  return text.length <= width ? text : `${line('rule', rule)}\n${VALUE_INDENT}${source}`
}

/** Notes for the timeline of one trial, by attempt number; 0 for the outcome. */
export function marksFor(trialIndex: number, reasons: readonly Reason[]): Map<number, string> {
  const marks = new Map<number, string>()
  for (const { trial, attempt, mark } of reasons) {
    const at = attempt ?? 0
    if (trial === trialIndex && mark !== undefined && !marks.has(at)) marks.set(at, mark)
  }
  return marks
}

/** The third argument of `runTrial` that differs from the default, as far as the record knows it. */
function replayOptions(trial: Trial): Record<string, JsonValue> {
  const options: Record<string, JsonValue> = {}
  const call: Record<string, JsonValue> = {}
  const [first] = trial.calls
  if (first && first.method !== 'POST') call.method = first.method
  if (first && first.path !== '/') call.path = first.path
  if (first && first.idempotencyKey === null && ['POST', 'PATCH'].includes(first.method)) call.idempotencyKey = 'none'
  if (Object.keys(call).length > 0) options.call = call
  if (trial.calls.length > 1) options.calls = trial.calls.length
  if (trial.seed !== 1) options.seed = trial.seed
  if (trial.clock !== 'virtual') options.clock = trial.clock
  if (trial.transport === 'fetch') options.transport = trial.transport
  if (trial.ledger.dedup !== 'replay') options.dedup = trial.ledger.dedup
  if (trial.keyHeader !== 'idempotency-key') options.keyHeader = trial.keyHeader
  if (trial.abortAtMs !== null) options.abortAtMs = trial.abortAtMs
  return options
}

function shownSchedule({ schedule }: Trial): string {
  if (schedule === null) return 'the schedule is a function: run the trial again with the options'
  if (schedule.length <= SCHEDULE_SHOWN) return schedule
  const whole = `all ${formatNumber(schedule.length)} characters stand in trial.schedule and in JSON reports`
  return `${truncate(schedule, SCHEDULE_SHOWN)}\n${VALUE_INDENT}cut: ${whole}`
}

function replay(trial: Trial, options: Record<string, JsonValue>): string[] {
  const lines = [line('replay', shownSchedule(trial))]
  if (Object.keys(options).length > 0) lines.push(line('options', JSON.stringify(options)))
  return lines
}

export interface FailureOptions extends Omit<TimelineOptions, 'marks'> {
  readonly replay?: Record<string, JsonValue>
}

/**
 * The text of a judgement: what was broken and by which attempt; the rule and its source; expected and received; the timeline; how to
 * replay it.
 *
 * @param matcher Name of the matcher, 'toHonorRetryAfter'; 'not.toHonorRetryAfter' for the negated form.
 * @param trials The judged trials, in the order that the reasons number them.
 * @param options.width Columns of the longest line, but for the schedule at the end: it is there to be pasted. Default 100.
 * @param options.ascii Only ASCII characters. Default false.
 * @param options.replay The third argument of `runTrial`. Default: what the record tells of it; not how many calls there were at once.
 * @example
 * renderFailure('toHonorRetryAfter', verdict, [trial])
 * // toHonorRetryAfter: attempt 2 came 512 ms after a 429 that asked for 30 s ...
 */
export function renderFailure(matcher: string, verdict: Verdict, trials: readonly Trial[], options: FailureOptions = {}): string {
  const reasons = decisiveReasons(verdict)
  const [reason] = reasons
  if (reason === undefined) return `${headline(matcher, verdict, `${verdict.guarantee}: no trial had anything to say about it`)}`
  const { width = WIDTH, ascii = false } = options
  const lines = [
    wrap(headline(matcher, verdict, oneLine(reason.text)), width, '  '),
    '',
    ...explanation(reason, verdict, matcher, trials.length, width),
  ]
  const head = ascii ? lines.map(toAscii) : lines
  const trial = trials[reason.trial]
  if (trial === undefined) return head.join('\n')
  const timeline = renderTimeline(trial, { ...options, marks: marksFor(reason.trial, reasons) })
  return [...head, '', timeline, '', ...replay(trial, options.replay ?? replayOptions(trial))].join('\n')
}
