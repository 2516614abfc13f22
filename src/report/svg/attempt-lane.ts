import { isFault } from '../../schedule/model.js'
import type { Attempt } from '../../trace/model.js'
import { endOf } from '../../trace/operations.js'
import { attemptRows, PHASE } from '../attempt-rows.js'
import { formatDuration } from '../text.js'
import { LABEL_LEFT, type Layers, type Picture, PLOT, TEXT_RIGHT, WIDTH } from './layout.js'
import { fitText, textWidth, wrapText } from './text-width.js'
import { diamond, element, round, textElement } from './xml.js'

const BAR_HEIGHT = 16
const BAR_MIN_PX = 7
const WINDOWS_FOLLOWED = 2
export const LANE_HEIGHT = 40
export const MARK_HEIGHT = 22
const MARK_FACE = { size: 13, isBold: true }
const SMALL = { size: 11 }
const STRONG = { isBold: true }

export const laneHeight = (mark: string | undefined): number => LANE_HEIGHT + (mark === undefined ? 0 : MARK_HEIGHT)

/** The ground of a lane in which something was broken. */
export const markedGround = (y: number, height: number): string =>
  element('rect', { class: 'bad-ground', x: 0, y, width: WIDTH, height }) +
  element('rect', { class: 'bad', x: 0, y, width: 5, height })

/** What was broken, in words, below the spot. */
export function markText(mark: string, x: number, y: number): string {
  const text = `✗ ${fitText(mark, TEXT_RIGHT - LABEL_LEFT - 20, MARK_FACE)}`
  const overflows = x + textWidth(text, MARK_FACE) > TEXT_RIGHT
  return overflows ? textElement(text, TEXT_RIGHT, y, 'bad mark', { 'text-anchor': 'end' }) : textElement(text, x, y, 'bad mark')
}

/** What an attempt came to, in words: '429 · Retry-After: 30', 'reset (after the work was applied)'. */
export function attemptNotes(attempt: Attempt): string {
  const told = attemptRows(attempt, null).filter((row) => row.what !== undefined)
  const notes = told.map(
    ({ what, detail, phase }) =>
      `${what}${detail ? `${phase === PHASE.answer ? ' · ' : ' '}${detail.replaceAll('  ', ' · ')}` : ''}`,
  )
  const extra = [!attempt.requestComplete && 'request broke off', attempt.afterSettling && 'after the call had settled']
  const text = [...notes, ...extra].filter(Boolean).join(' · ')
  return text === '' ? 'no answer' : text
}

/** Colours tell success from refusal from fault; the words beside the bar say the same. */
function barClass({ status, step, answerComplete }: Attempt): string {
  if (status === null || (step !== null && isFault(step)) || !answerComplete) return 'fault'
  return status >= 200 && status < 400 ? 'good' : 'refused'
}

interface Place {
  readonly x: number
  readonly endX: number
  /** Middle of the bar. */
  readonly y: number
}

function placeOf(attempt: Attempt, y: number, { scale, endMs }: Picture): Place {
  const x = scale.toX(attempt.arrivedAtMs)
  return { x, endX: Math.max(x + BAR_MIN_PX, scale.toX(endOf(attempt) ?? endMs)), y: y + LANE_HEIGHT / 2 }
}

function name(attempt: Attempt, previous: Attempt | undefined, { trial }: Picture, y: number): string {
  const { number, method, path, idempotencyKey, call } = attempt
  const callNote = trial.calls.length < 2 ? null : call === null ? 'call ?' : `call ${call + 1}`
  const isOther = previous !== undefined && previous.idempotencyKey !== idempotencyKey
  const key = idempotencyKey === null ? (isOther ? 'no key' : null) : `${isOther ? 'other key' : 'key'} ${idempotencyKey}`
  const detail = [callNote, key].filter((note) => note !== null).join(' · ')
  const room = PLOT.left - LABEL_LEFT - 9
  const head = fitText(`#${number} ${method} ${path}`, room, STRONG)
  if (detail === '') return textElement(head, LABEL_LEFT, y + 4, 'ink strong')
  return (
    textElement(head, LABEL_LEFT, y - 3, 'ink strong') +
    textElement(
      fitText(detail, room, { ...SMALL, isBold: isOther }),
      LABEL_LEFT,
      y + 12,
      isOther ? 'ink small strong' : 'soft small',
    )
  )
}

const NO_WAIT = { line: '', words: '' }

/** From the end of the attempt before it: how long the client waited. */
function waitBefore(previous: Attempt, previousY: number, attempt: Attempt, { x, y }: Place, picture: Picture) {
  const endedAtMs = endOf(previous)
  if (endedAtMs === null || endedAtMs > attempt.arrivedAtMs) return NO_WAIT
  const from = Math.max(picture.scale.toX(endedAtMs), picture.scale.toX(previous.arrivedAtMs) + BAR_MIN_PX / 2)
  const line = element('path', {
    class: 'wait',
    d: `M${round(from)} ${round(previousY + BAR_HEIGHT / 2 + 1)}V${round(y)}H${round(Math.max(from, x - 2))}`,
  })
  const duration = formatDuration(attempt.arrivedAtMs - endedAtMs)
  const text = [`waited ${duration}`, duration].find((candidate) => textWidth(candidate, SMALL) < x - from - 8)
  if (text === undefined) return { line, words: '' }
  return { line, words: textElement(text, (from + x) / 2, y - 5, 'soft small halo', { 'text-anchor': 'middle' }) }
}

/** The time in which nobody may come back. */
function hintSpan(attempt: Attempt, place: Place, pictureBottom: number, { hints, scale }: Picture): string {
  const hint = hints.get(attempt.number)
  if (hint === undefined) return ''
  const x = scale.toX(hint.opensAtMs)
  const closeX = scale.toX(hint.closesAtMs)
  const top = place.y - BAR_HEIGHT / 2 - 4
  // A few windows are followed down to the axis; many would cover one another.
  const bottom = hints.size <= WINDOWS_FOLLOWED ? pictureBottom : top + BAR_HEIGHT + 8
  return (
    element('rect', { class: 'hint-below', x, y: top, width: closeX - x, height: bottom - top }) +
    element('rect', { fill: 'url(#rt-hatch)', x, y: top, width: closeX - x, height: BAR_HEIGHT + 8 }) +
    element('path', { class: 'hint-end', d: `M${round(closeX)} ${round(top)}V${round(bottom)}` })
  )
}

/** In a window that has not closed: how much is missing. */
function missingSpan(attempt: Attempt, { x, y }: Place, picture: Picture): string {
  const closes = picture.shown
    .filter(({ number, operation }) => number < attempt.number && operation === attempt.operation)
    .flatMap(({ number }) => picture.hints.get(number)?.closesAtMs ?? [])
  const closeX = picture.scale.toX(Math.max(0, ...closes))
  if (closeX - x < BAR_MIN_PX) return ''
  const lineY = y + BAR_HEIGHT / 2 + 7
  return element('path', {
    class: 'bad-line',
    d: `M${round(x)} ${round(lineY)}H${round(closeX)}m-5 -4l5 4l-5 4M${round(x)} ${round(lineY - 4)}v8`,
  })
}

function bar(attempt: Attempt, { x, endX, y }: Place): string {
  const top = y - BAR_HEIGHT / 2
  const shape = element('rect', { class: barClass(attempt), x, y: top, width: endX - x, height: BAR_HEIGHT, rx: 2 })
  const isBroken = barClass(attempt) === 'fault'
  const cross = element('path', { class: 'broken', d: `M${round(endX - 3)} ${round(y - 5)}l8 10m0 -10l-8 10` })
  const isApplied = attempt.ledger === 'new' || attempt.ledger === 'duplicate'
  return shape + (isBroken ? cross : '') + (isApplied ? diamond(x, top - 1) : '')
}

/** To the right of the bar, in two lines if it has to be; to the left where there is more room. */
function outcomeText(attempt: Attempt, { x, endX, y }: Place): string {
  const notes = attemptNotes(attempt)
  const start = endX + 9
  const roomRight = TEXT_RIGHT - start
  const roomLeft = x - PLOT.left - 9
  const isLeft = textWidth(notes, STRONG) > roomRight && roomLeft > roomRight
  const lines = wrapText(notes, isLeft ? roomLeft : roomRight, 2, STRONG)
  const firstY = lines.length === 1 ? y + 4 : y - 3
  const anchor = isLeft ? { 'text-anchor': 'end' } : {}
  return lines.map((line, i) => textElement(line, isLeft ? x - 9 : start, firstY + i * 14, 'ink strong halo', anchor)).join('')
}

/** One attempt: its name, the wait before it, its bar, what it came to, and what was broken by it. */
export function drawAttempt(
  attempt: Attempt,
  y: number,
  bottom: number,
  previous: { readonly attempt: Attempt; readonly y: number } | undefined,
  picture: Picture,
): Layers {
  const place = placeOf(attempt, y, picture)
  const mark = picture.marks.get(attempt.number)
  const ring = { x: place.x - 5, y: place.y - 13, width: place.endX - place.x + 10, height: 26, rx: 5 }
  const broken =
    mark === undefined
      ? ''
      : element('rect', { class: 'ring', ...ring }) +
        missingSpan(attempt, place, picture) +
        markText(mark, place.x, y + LANE_HEIGHT + 13)
  const wait =
    previous === undefined ? NO_WAIT : waitBefore(previous.attempt, previous.y + LANE_HEIGHT / 2, attempt, place, picture)
  return {
    ground: mark === undefined ? '' : markedGround(y, laneHeight(mark)),
    // The line of the wait passes below the words of the lane it comes from.
    spans: hintSpan(attempt, place, bottom, picture) + wait.line,
    marks:
      wait.words +
      name(attempt, previous?.attempt, picture, place.y) +
      bar(attempt, place) +
      outcomeText(attempt, place) +
      broken,
  }
}
