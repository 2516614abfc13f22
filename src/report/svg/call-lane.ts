import type { CallRecord } from '../../trace/model.js'
import { describeOutcome } from '../call-rows.js'
import { formatMs } from '../text.js'
import { MARK_HEIGHT, markedGround, markText } from './attempt-lane.js'
import { LABEL_LEFT, PLOT, type Picture, TEXT_RIGHT } from './layout.js'
import { element, fitText, round, textElement, textWidth } from './xml.js'

const CALL_HEIGHT = 30

export const callHeight = (mark: string | undefined): number => CALL_HEIGHT + (mark === undefined ? 0 : MARK_HEIGHT)

/** One call: from its beginning to what became of it. */
export function drawCall(call: CallRecord, y: number, picture: Picture): { readonly under: string; readonly over: string } {
  const { scale, trial, endMs } = picture
  const mark = call.index === 0 ? picture.marks.get(0) : undefined
  const middle = y + CALL_HEIGHT / 2
  const { outcome } = call
  if (outcome.kind === 'unobserved') return { under: '', over: '' }
  const x = scale.toX(call.startedAtMs)
  const endX = scale.toX(call.settledAtMs ?? endMs)
  const isOpen = call.settledAtMs === null
  const says = describeOutcome(outcome)
  const text = isOpen ? says : `${says} · at ${formatMs(call.settledAtMs)}`
  const ending = isOpen
    ? element('path', { class: 'call', d: `M${round(endX)} ${middle}h24m-6 -5l6 5l-6 5` })
    : element('circle', { class: outcome.kind === 'resolved' ? 'good' : 'fault', cx: endX, cy: middle, r: 6 })
  const ring = element('circle', { class: 'ring', cx: endX, cy: middle, r: 11 })
  return {
    under: mark === undefined ? '' : markedGround(y, callHeight(mark)),
    over:
      textElement(trial.calls.length > 1 ? `call ${call.index + 1}` : 'the caller', LABEL_LEFT, middle + 4, 'ink strong') +
      element('path', { class: 'call', d: `M${round(x)} ${middle - 5}v10m0 -5H${round(endX)}` }) +
      ending +
      beside(text, endX + (isOpen ? 30 : 14), x, endX - 14, middle + 4) +
      (mark === undefined ? '' : ring + markText(mark, endX - 6, y + CALL_HEIGHT + 13)),
  }
}

/** To the right of the end, or to the left where there is more room. */
function beside(text: string, rightX: number, leftEdge: number, leftX: number, y: number): string {
  if (textWidth(text) > TEXT_RIGHT - rightX && leftX - leftEdge > TEXT_RIGHT - rightX) {
    return textElement(fitText(text, leftX - PLOT.left), leftX, y, 'ink strong halo', { 'text-anchor': 'end' })
  }
  return textElement(fitText(text, TEXT_RIGHT - rightX), rightX, y, 'ink strong halo')
}
