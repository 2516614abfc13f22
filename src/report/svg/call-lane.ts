import type { CallRecord, Outcome } from '../../trace/model.js'
import { describeOutcome } from '../call-rows.js'
import { formatMoment } from '../text.js'
import { MARK_HEIGHT, markedGround, markText } from './attempt-lane.js'
import { LABEL_LEFT, type Layers, type Picture, TEXT_RIGHT } from './layout.js'
import { element, fitText, round, textElement, textWidth } from './xml.js'

const CALL_HEIGHT = 30
const SECOND_LINE_HEIGHT = 16
const STRONG = { isBold: true }
const NOTHING: Layers = { ground: '', spans: '', marks: '' }

const markOf = ({ index }: CallRecord, { marks }: Picture): string | undefined => (index === 0 ? marks.get(0) : undefined)

function textOf({ outcome, settledAtMs }: CallRecord): string {
  if (outcome.kind === 'unobserved') return ''
  const says = describeOutcome(outcome)
  return settledAtMs === null ? says : `${says} · at ${formatMoment(settledAtMs)}`
}

/** An answer that says no is not a success, though the client was content with it. */
function outcomeClass(outcome: Outcome): string {
  if (outcome.kind !== 'resolved') return 'fault'
  return (outcome.status ?? 200) < 400 ? 'good' : 'refused'
}

const textX = ({ settledAtMs }: CallRecord, { scale, endMs }: Picture): number =>
  settledAtMs === null ? scale.toX(endMs) + 30 : scale.toX(settledAtMs) + 14

const isBelow = (call: CallRecord, picture: Picture): boolean =>
  textX(call, picture) + textWidth(textOf(call), STRONG) > TEXT_RIGHT

export function callHeight(call: CallRecord, picture: Picture): number {
  if (call.outcome.kind === 'unobserved') return 0
  const mark = markOf(call, picture) === undefined ? 0 : MARK_HEIGHT
  return CALL_HEIGHT + (isBelow(call, picture) ? SECOND_LINE_HEIGHT : 0) + mark
}

/** One call: from its beginning to what became of it. */
export function drawCall(call: CallRecord, y: number, picture: Picture): Layers {
  const { outcome } = call
  if (outcome.kind === 'unobserved') return NOTHING
  const { scale, trial, endMs } = picture
  const mark = markOf(call, picture)
  const middle = y + CALL_HEIGHT / 2
  const x = scale.toX(call.startedAtMs)
  const endX = scale.toX(call.settledAtMs ?? endMs)
  const ending =
    call.settledAtMs === null
      ? element('path', { class: 'call', d: `M${round(endX)} ${middle}h24m-6 -5l6 5l-6 5` })
      : element('circle', { class: outcomeClass(outcome), cx: endX, cy: middle, r: 6 })
  const ring = element('circle', { class: 'ring', cx: endX, cy: middle, r: 11 })
  const markY = y + callHeight(call, picture) - 9
  return {
    ground: mark === undefined ? '' : markedGround(y, callHeight(call, picture)),
    spans: '',
    marks:
      textElement(trial.calls.length > 1 ? `call ${call.index + 1}` : 'the caller', LABEL_LEFT, middle + 4, 'ink strong') +
      element('path', { class: 'call', d: `M${round(x)} ${middle - 5}v10m0 -5H${round(endX)}` }) +
      lateSpan(call, middle, picture) +
      ending +
      outcomeText(call, middle, picture) +
      (mark === undefined ? '' : ring + markText(mark, endX - 6, markY)),
  }
}

/** What lies beyond the deadline. */
function lateSpan(call: CallRecord, y: number, { scale, deadlineAtMs, endMs }: Picture): string {
  const settledAtMs = call.settledAtMs ?? endMs
  if (deadlineAtMs === null || settledAtMs <= deadlineAtMs + 1) return ''
  return element('path', { class: 'bad-line', d: `M${round(scale.toX(deadlineAtMs))} ${y}H${round(scale.toX(settledAtMs))}` })
}

/** Beside the end, or below the line when it is long. */
function outcomeText(call: CallRecord, y: number, picture: Picture): string {
  const text = textOf(call)
  if (!isBelow(call, picture)) return textElement(text, textX(call, picture), y + 4, 'ink strong halo')
  const fitted = fitText(text, TEXT_RIGHT - LABEL_LEFT, STRONG)
  return textElement(fitted, TEXT_RIGHT, y + 22, 'ink strong halo', { 'text-anchor': 'end' })
}
