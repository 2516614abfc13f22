import { formatDuration } from '../text.js'
import { LABEL_LEFT, type Layers, type Picture, PLOT, TEXT_RIGHT } from './layout.js'
import { textWidth } from './text-width.js'
import { element, round, textElement } from './xml.js'

export const AXIS_HEIGHT = 30
const SMALL = { size: 11, isBold: true }

interface Tick {
  readonly atMs: number
  readonly classes: string
}

/** What the eye looks for comes first: there is no room for every time. */
function wantedTicks({ shown, hints, marks, trial, deadlineAtMs, callsShown }: Picture): Tick[] {
  const marked = shown.filter(({ number }) => marks.has(number))
  const settled = trial.calls.slice(0, callsShown).flatMap(({ settledAtMs }) => settledAtMs ?? [])
  return [
    ...[...hints.values()].map(({ closesAtMs }) => ({ atMs: closesAtMs, classes: 'hint-ink small strong' })),
    ...(deadlineAtMs === null ? [] : [{ atMs: deadlineAtMs, classes: 'limit-ink small strong' }]),
    ...marked.map(({ arrivedAtMs }) => ({ atMs: arrivedAtMs, classes: 'bad small strong' })),
    ...[0, ...settled, ...shown.map(({ arrivedAtMs }) => arrivedAtMs)].map((atMs) => ({ atMs, classes: 'soft small' })),
  ]
}

/** The axis with its breaks, and the times that found room. */
export function drawAxis(picture: Picture, top: number, y: number): Layers {
  const { scale } = picture
  const taken: { from: number; to: number }[] = []
  const ticks: string[] = []
  const grid: string[] = []
  for (const { atMs, classes } of wantedTicks(picture)) {
    const label = formatDuration(atMs)
    const x = scale.toX(atMs)
    const half = textWidth(label, SMALL) / 2 + 3
    if (taken.some(({ from, to }) => x + half > from && x - half < to)) continue
    taken.push({ from: x - half, to: x + half })
    ticks.push(textElement(label, x, y + 18, classes, { 'text-anchor': 'middle' }))
    grid.push(element('path', { class: 'grid', d: `M${round(x)} ${top}V${y + 4}` }))
  }
  const breaks = scale.breaks.map(
    (x) =>
      element('rect', { class: 'ground', x: x - 4, y: y - 4, width: 8, height: 8 }) +
      element('path', { class: 'axis', d: `M${round(x - 6)} ${y + 5}l5 -10m3 10l5 -10` }),
  )
  const line = element('path', { class: 'axis', d: `M${PLOT.left} ${y}H${PLOT.right + 8}` })
  return { ground: '', spans: grid.join(''), marks: line + breaks.join('') + ticks.join('') }
}

/** A line from top to bottom: the deadline, the caller's abort. */
export function drawLimits({ scale, deadlineAtMs, trial, callsShown }: Picture, top: number, bottom: number): string {
  const limits: { atMs: number; text: string }[] = []
  const aborts = trial.calls.slice(0, callsShown).flatMap(({ abortedAtMs }) => abortedAtMs ?? [])
  if (deadlineAtMs !== null) limits.push({ atMs: deadlineAtMs, text: `deadline ${formatDuration(deadlineAtMs)}` })
  const isDeadline = (atMs: number) => deadlineAtMs !== null && Math.abs(atMs - deadlineAtMs) <= 1
  for (const atMs of aborts) if (!isDeadline(atMs)) limits.push({ atMs, text: `caller aborted at ${formatDuration(atMs)}` })
  const taken: { from: number; to: number }[] = []
  return limits.map(({ atMs, text }) => drawLimit(text, scale.toX(atMs), top, bottom, taken)).join('')
}

/** The line always, its name on the side where there is room for it. */
function drawLimit(text: string, x: number, top: number, bottom: number, taken: { from: number; to: number }[]): string {
  const line = element('path', { class: 'limit', d: `M${round(x)} ${top}V${bottom}` })
  const width = textWidth(text, SMALL)
  const isFree = ({ from, to }: { from: number; to: number }) =>
    from > LABEL_LEFT && to < TEXT_RIGHT && !taken.some((other) => from < other.to && to > other.from)
  const right = { from: x + 5, to: x + 5 + width }
  const left = { from: x - 5 - width, to: x - 5 }
  const place = [right, left].find(isFree)
  if (place === undefined) return line
  taken.push(place)
  const anchor = place === left ? { 'text-anchor': 'end' } : {}
  return line + textElement(text, place === left ? x - 5 : x + 5, top + 10, 'limit-ink small strong halo', anchor)
}
