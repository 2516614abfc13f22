import type { CallRecord, Outcome, TrialRecord } from '../trace/model.js'
import { PHASE, type Row } from './attempt-rows.js'
import { formatMs, oneLine, plural } from './text.js'

const PREVIEW_WIDTH = 40

/** The resolved value in a few words, where it has some: a Response or a stream says nothing. */
function preview(value: unknown): string {
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype
  if (typeof value !== 'string' && typeof value !== 'number' && !isPlain) return ''
  try {
    const text = JSON.stringify(value)
    return text.length > PREVIEW_WIDTH ? `${text.slice(0, PREVIEW_WIDTH)}…` : text
  } catch {
    return ''
  }
}

function describeError(error: unknown): string {
  if (error instanceof Error) return error.message === '' ? error.name : `${error.name}: ${error.message}`
  return preview(error) || String(error)
}

/** What became of a call, in a few words. */
export function describeOutcome(outcome: Exclude<Outcome, { kind: 'unobserved' }>): string {
  switch (outcome.kind) {
    case 'resolved':
      return `resolved ${outcome.status ?? preview(outcome.value)}`.trimEnd()
    case 'rejected':
      return `rejected ${describeError(outcome.error)}${outcome.phase === 'body' ? ' (while reading the body)' : ''}`
    case 'unsettled':
      return `UNSETTLED ${outcome.reason}`
    default:
      return outcome satisfies never
  }
}

/** The last attempt of a call until then, before everything had settled; 0 for none. */
function lastOf(trial: TrialRecord, call: CallRecord, untilMs: number): number {
  const own = trial.attempts.filter((attempt) => attempt.call === call.index && attempt.arrivedAtMs <= untilMs)
  return own.findLast(({ afterSettling }) => !afterSettling)?.number ?? 0
}

function abortRow(trial: TrialRecord, call: CallRecord, label: string): Row | null {
  if (call.abortedAtMs === null) return null
  const atMs = call.abortedAtMs
  const byDeadline = trial.abortAtMs !== null && atMs - call.startedAtMs >= trial.abortAtMs
  const head = `${label}caller aborted${byDeadline ? ` (deadline ${formatMs(trial.abortAtMs)})` : ''}`
  return { atMs, attempt: lastOf(trial, call, atMs), phase: PHASE.abort, head }
}

/** What became of one call, as lines. `endMs` is where a call that never settled is shown. */
export function callRows(trial: TrialRecord, call: CallRecord, endMs: number, mark: string | undefined): Row[] {
  const { outcome } = call
  if (outcome.kind === 'unobserved') return []
  const label = trial.calls.length > 1 ? `call ${call.index + 1} ` : ''
  const atMs = call.settledAtMs ?? endMs
  const attempt = lastOf(trial, call, atMs)
  const phase = PHASE.outcome
  const pending = outcome.kind === 'unsettled' ? outcome.pending : []
  const rows: (Row | null)[] = [
    abortRow(trial, call, label),
    { atMs, attempt, phase, head: `${label}${oneLine(describeOutcome(outcome))}`, mark },
    ...pending.map((what): Row => ({ atMs: null, attempt, phase, head: `  waits for ${oneLine(what)}` })),
  ]
  return rows.filter((row) => row !== null)
}

/** What outlived the calls, as lines for the end. */
export function leftoverLines({ leftovers }: TrialRecord): string[] {
  const { timers, abortListeners, unreadAnswers, unhandledRejections } = leftovers
  const held = timers.filter(({ refed, byUserCode }) => refed && byUserCode)
  const lines = [
    ...held.map(({ dueAtMs, origin }) => `timer due at ${formatMs(dueAtMs)}: ${origin}`),
    ...abortListeners.map((origin) => `listener on the signal: ${origin}`),
    ...unhandledRejections.map((error) => `unhandled rejection: ${describeError(error)}`),
  ]
  if (unreadAnswers.length > 0) lines.push(plural(unreadAnswers.length, 'answer nobody read', 'answers nobody read'))
  return lines.map((line) => `left behind: ${oneLine(line)}`)
}
