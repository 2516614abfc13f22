import type { Attempt, TrialRecord } from '../trace/model.js'
import { endOf, resends } from '../trace/operations.js'
import { attemptRows, PHASE, type Row } from './attempt-rows.js'
import { callRows, leftoverLines } from './call-rows.js'
import { clockLines } from './clock-rows.js'
import { columnsOf, formatDuration, formatMoment, oneLine, padColumns, plural, toAscii, truncate } from './text.js'

export interface TimelineOptions {
  /** Notes at attempts, by attempt number; 0 stands for the outcome of the first call. */
  readonly marks?: ReadonlyMap<number, string>
  /** Columns of the longest line. Default 100. */
  readonly width?: number
  /** Only ASCII characters. Default false. */
  readonly ascii?: boolean
}

/** A wait from here on is worth a line of its own. */
const LONG_GAP_MS = 1000
/** Attempts shown of a trace at most; of a longer one, the first and the last half of them and those with a mark. */
const ATTEMPTS_SHOWN = 40
const CLOSING_LINES_SHOWN = 5
const TIME_WIDTH = 9
const HEAD_WIDTH = 40
const DETAIL_WIDTH = 32

/** The last time that anything is known to have happened. */
export function endOfTrial({ attempts, calls }: TrialRecord): number {
  const attemptEnds = attempts.map((attempt) => endOf(attempt) ?? attempt.headersAtMs ?? attempt.arrivedAtMs)
  return Math.max(0, ...attemptEnds, ...calls.map(({ settledAtMs, startedAtMs }) => settledAtMs ?? startedAtMs))
}

function callLabelOf({ call }: Attempt, trial: TrialRecord): string | null {
  if (trial.calls.length < 2) return null
  return call === null ? 'call ?' : `call ${call + 1}`
}

function sortedRows(trial: TrialRecord, marks: ReadonlyMap<number, string>): Row[] {
  const endMs = endOfTrial(trial)
  const groups = [
    ...trial.attempts.map((attempt) => attemptRows(attempt, callLabelOf(attempt, trial))),
    ...trial.calls.map((call) => callRows(trial, call, endMs, call.index === 0 ? marks.get(0) : undefined)),
  ]
  // A line without a time stays with the one before it.
  const timed = groups.flatMap((group) =>
    group.map((row, index) => ({ row, atMs: group.slice(0, index + 1).findLast(({ atMs }) => atMs !== null)?.atMs ?? 0 })),
  )
  timed.sort((a, b) => a.atMs - b.atMs || a.row.attempt - b.row.attempt || a.row.phase - b.row.phase)
  return timed.map(({ row }) => (row.phase === PHASE.arrival ? { ...row, mark: marks.get(row.attempt) } : row))
}

/** Before a re-send that came late: how long the client waited. */
function withWaits(rows: readonly Row[], trial: TrialRecord): Row[] {
  const gaps = new Map(resends(trial).map(({ attempt, gapMs }) => [attempt.number, gapMs ?? 0]))
  return rows.flatMap((row) => {
    const gapMs = row.phase === PHASE.arrival ? (gaps.get(row.attempt) ?? 0) : 0
    if (gapMs < LONG_GAP_MS) return [row]
    return [{ atMs: null, attempt: row.attempt, phase: PHASE.arrival, head: `⋮  waited ${formatDuration(gapMs)}` }, row]
  })
}

function hiddenRow(hidden: readonly number[]): Row {
  const range = hidden.length === 1 ? `#${hidden[0]}` : `#${Math.min(...hidden)} to #${Math.max(...hidden)}`
  const head = `⋮  ${plural(hidden.length, 'attempt')} not shown (${range})`
  return { atMs: null, attempt: hidden[0]!, phase: PHASE.arrival, head }
}

/** In traces of parallel calls the lines of an attempt are apart: each is announced once, where it would have begun. */
function withoutMiddle(rows: readonly Row[], attemptCount: number, marks: ReadonlyMap<number, string>): Row[] {
  const half = ATTEMPTS_SHOWN / 2
  const isShown = (attempt: number) => attempt <= half || attempt > attemptCount - half || marks.has(attempt)
  const announced = new Set<number>()
  const shown: Row[] = []
  let hidden: number[] = []
  const announce = () => {
    if (hidden.length > 0) shown.push(hiddenRow(hidden))
    hidden = []
  }
  for (const row of rows) {
    if (isShown(row.attempt)) {
      announce()
      shown.push(row)
    } else if (!announced.has(row.attempt)) {
      announced.add(row.attempt)
      hidden.push(row.attempt)
    }
  }
  announce()
  return shown
}

/** Lines for the end: the first few of each kind, and how many more. */
function closingRows(trial: TrialRecord): Row[] {
  return [...shortened(leftoverLines(trial), 'left behind: '), ...shortened(clockLines(trial), 'and ')].map((head) => ({
    atMs: null,
    attempt: 0,
    phase: PHASE.outcome,
    head,
  }))
}

function shortened(lines: readonly string[], kind: string): string[] {
  if (lines.length <= CLOSING_LINES_SHOWN) return [...lines]
  return [...lines.slice(0, CLOSING_LINES_SHOWN), `${kind}${lines.length - CLOSING_LINES_SHOWN} more`]
}

interface Cells {
  readonly time: string
  readonly head: string
  readonly detail: string
  readonly mark: string
}

/** Columns: time to the right, then what happened, details, marks. Only lines that have a next cell are padded. */
function layOut(rows: readonly Cells[], width: number, ellipsis: string): string {
  const widest = (cell: (row: Cells) => string, of: readonly Cells[]) => Math.max(0, ...of.map((row) => columnsOf(cell(row))))
  const timeWidth = Math.max(
    TIME_WIDTH,
    widest(({ time }) => time, rows),
  )
  const followed = rows.filter(({ detail, mark }) => detail !== '' || mark !== '')
  const headWidth = Math.min(
    HEAD_WIDTH,
    widest(({ head }) => head, followed),
  )
  const detailWidth = Math.min(
    DETAIL_WIDTH,
    widest(({ detail }) => detail, rows),
  )
  const lines = rows.map(({ time, head, detail, mark }) => {
    const start = `${time.padStart(timeWidth)}  `
    if (detail === '' && mark === '') return start + head
    const shortHead = `${start}${padColumns(truncate(head, headWidth, ellipsis), headWidth)}   `
    if (mark === '') return shortHead + detail
    // The mark is what the picture is looked at for: details make room for it.
    const room = Math.max(0, Math.min(detailWidth, width - columnsOf(shortHead) - 2 - columnsOf(mark)))
    return `${shortHead}${padColumns(truncate(detail, room, ellipsis), room)}  ${mark}`
  })
  return lines.map((line) => truncate(line.trimEnd(), width, ellipsis)).join('\n')
}

/**
 * Draws a trial as text: one line per thing that happened on the wire, with its time since the trial began.
 *
 * @param trial The trial, or its record.
 * @param options.marks Notes shown at attempts, by number ("29 488 ms too early"); 0 is the outcome.
 * @param options.width Columns of the longest line. Default 100.
 * @param options.ascii Only ASCII characters, for terminals that have no others. Default false.
 * @example
 * console.log(renderTimeline(trial))
 * //      0 ms  #1 → POST /v1/chat   key k-1
 * //      0 ms  #1 ← 429             Retry-After: 30
 */
export function renderTimeline(trial: TrialRecord, options: TimelineOptions = {}): string {
  const { marks = new Map<number, string>(), width = 100, ascii = false } = options
  const rows = withoutMiddle(withWaits(sortedRows(trial, marks), trial), trial.attempts.length, marks)
  const spell = (text: string) => (ascii ? toAscii(text) : text)
  const cells = [...rows, ...closingRows(trial)].map(
    ({ atMs, head, detail = '', mark }): Cells => ({
      time: atMs === null ? '' : formatMoment(atMs),
      head: spell(head),
      detail: spell(oneLine(detail)),
      mark: mark === undefined ? '' : spell(`✗ ${oneLine(mark)}`),
    }),
  )
  return layOut(cells, width, spell('…'))
}
