import { isFault } from '../schedule/model.js'
import { HINT_NAMES, hintOf, RETRY_INFO } from '../trace/hints.js'
import type { Attempt, LedgerMark } from '../trace/model.js'
import { formatDuration, formatNumber, oneLine } from './text.js'

/** The order of what happens at one and the same millisecond of an attempt. */
export const PHASE = { arrival: 0, answer: 1, fault: 2, abort: 3, end: 4, outcome: 5 } as const

/** One line of a timeline before it is laid out. */
export interface Row {
  /** null: a line that belongs to the one before it. */
  readonly atMs: number | null
  /** The attempt it belongs to or follows: sorts, and decides what is left out of a long trace. */
  readonly attempt: number
  readonly phase: number
  readonly head: string
  /** What the head says without the number of the attempt: for a picture, where that is a label of its own. */
  readonly what?: string
  readonly detail?: string
  /** What was broken here. */
  readonly mark?: string
}

const LEDGER_NOTES: Readonly<Record<LedgerMark, string | null>> = {
  none: null,
  new: 'applied',
  replay: 'dedup: first result again',
  'in-progress': 'work still in progress',
  reject: 'key already used',
  mismatch: 'known key, other body',
  duplicate: 'DUPLICATE WORK',
}

const APPLIED_AGAIN = 'applied again: the key had expired'

const isSuccess = (status: number | null) => status !== null && status >= 200 && status <= 299

/** That a plain success was applied needs no words; that a failure was, does. */
function ledgerNote({ ledger, status, keyExpired }: Attempt): string | null {
  if (keyExpired) return APPLIED_AGAIN
  return ledger === 'new' && isSuccess(status) ? null : LEDGER_NOTES[ledger]
}

const join = (parts: readonly (string | null | undefined | false)[]): string => parts.filter(Boolean).join('  ')

/** 'retry-after' as people write it: 'Retry-After'. */
const titleCase = (name: string) =>
  name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())

function hintNotes(attempt: Attempt): string[] {
  return HINT_NAMES.flatMap((name) => {
    const hint = hintOf(attempt, { headers: [name] })
    if (hint === null) return []
    const isPlaced = hint.kind === 'date' && hint.waitMs !== null
    return `${name === RETRY_INFO ? 'RetryInfo' : titleCase(name)}: ${isPlaced ? `in ${formatDuration(hint.waitMs)} (${hint.raw})` : hint.raw}`
  })
}

function arrivalRow(attempt: Attempt, callLabel: string | null): Row {
  const { number, method, path, idempotencyKey, requestComplete, afterSettling, arrivedAtMs } = attempt
  const detail = join([
    callLabel,
    idempotencyKey !== null && `key ${idempotencyKey}`,
    !requestComplete && 'request broke off',
    afterSettling && 'after settling',
  ])
  return {
    atMs: arrivedAtMs,
    attempt: number,
    phase: PHASE.arrival,
    head: `#${number} → ${oneLine(`${method} ${path}`)}`,
    detail,
  }
}

function answerRow(attempt: Attempt): Row | null {
  const { number, status, headersAtMs, endedAtMs, arrivedAtMs } = attempt
  if (status === null) return null
  return {
    atMs: headersAtMs ?? endedAtMs ?? arrivedAtMs,
    attempt: number,
    phase: PHASE.answer,
    head: `#${number} ← ${status}`,
    what: String(status),
    detail: join([...hintNotes(attempt), ledgerNote(attempt)]),
  }
}

/** For an attempt without an answer. */
function afterWork({ ledger, keyExpired }: Attempt): string {
  if (keyExpired) return `(after the work was ${APPLIED_AGAIN})`
  return ledger === 'new' || ledger === 'duplicate' ? '(after the work was applied)' : ''
}

function faultRow(attempt: Attempt): Row | null {
  const { number, step, status, arrivedAtMs, endedAtMs, hungUpAtMs } = attempt
  if (step === null || !isFault(step)) return null
  // A fault that never ends shows where it began; the client's hang-up has a line of its own.
  const lasts = hungUpAtMs !== null || endedAtMs === null
  return {
    atMs: lasts ? arrivedAtMs : endedAtMs,
    attempt: number,
    phase: PHASE.fault,
    head: `#${number} ✗ ${step.fault}`,
    what: step.fault,
    detail: status === null ? afterWork(attempt) : '',
  }
}

function endRow(attempt: Attempt): Row | null {
  const { number, status, step, headersAtMs, endedAtMs, hungUpAtMs, answerComplete, answerBody } = attempt
  const isPlayedFault = step !== null && isFault(step)
  const row = (atMs: number, what: string, detail = ''): Row => {
    return { atMs, attempt: number, phase: PHASE.end, head: `#${number} ✗ ${what}`, what, detail }
  }
  if (hungUpAtMs !== null) return row(hungUpAtMs, 'client hung up', isPlayedFault ? '' : afterWork(attempt))
  if (endedAtMs === null || status === null || isPlayedFault) return null
  if (!answerComplete) return row(endedAtMs, 'body cut', `after ${formatNumber(answerBody.length)} bytes`)
  if (headersAtMs === null || endedAtMs <= headersAtMs) return null
  return { atMs: endedAtMs, attempt: number, phase: PHASE.end, head: `#${number} ← end of body` }
}

/** What happened to one attempt, as lines. */
export function attemptRows(attempt: Attempt, callLabel: string | null): Row[] {
  const rows = [arrivalRow(attempt, callLabel), answerRow(attempt), faultRow(attempt), endRow(attempt)]
  return rows.filter((row) => row !== null)
}
