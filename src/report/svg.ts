import type { Attempt, TrialRecord } from '../trace/model.js'
import { describeOutcome } from './call-rows.js'
import { attemptNotes, drawAttempt, laneHeight } from './svg/attempt-lane.js'
import { AXIS_HEIGHT, drawAxis, drawLimits } from './svg/axis.js'
import { callHeight, drawCall } from './svg/call-lane.js'
import { LABEL_LEFT, type Layers, type Picture, type PictureOptions, pictureOf, TEXT_RIGHT, WIDTH } from './svg/layout.js'
import { drawLedger, ledgerHeight } from './svg/ledger-lane.js'
import { LEGEND_ROW_HEIGHT, legendOf } from './svg/legend.js'
import { HATCH, STYLE } from './svg/style.js'
import { wrapText } from './svg/text-width.js'
import { element, escapeXml, textElement } from './svg/xml.js'
import { formatMoment, plural, truncate } from './text.js'

export type { PictureOptions } from './svg/layout.js'

const TITLE_SIZE = 15
const HIDDEN_HEIGHT = 24
const DESCRIPTION_LENGTH = 2_000
/** Above the lanes: names of the lines that cross them. */
const LIMITS_HEIGHT = 16

/** Draws the lanes below one another, from `top`; returns where the last one ends. */
function drawLanes(picture: Picture, top: number, bottom: number): Layers {
  const drawn: Layers[] = []
  const lastOf = new Map<number, { attempt: Attempt; y: number }>()
  let y = top
  let previousNumber = 0
  for (const attempt of picture.shown) {
    const hidden = attempt.number - previousNumber - 1
    if (hidden > 0) {
      drawn.push(hiddenLane(previousNumber + 1, attempt.number - 1, y))
      y += HIDDEN_HEIGHT
      lastOf.clear()
    }
    drawn.push(drawAttempt(attempt, y, bottom, lastOf.get(attempt.operation), picture))
    lastOf.set(attempt.operation, { attempt, y })
    previousNumber = attempt.number
    y += laneHeight(picture.marks.get(attempt.number))
  }
  for (const call of picture.trial.calls.slice(0, picture.callsShown)) {
    drawn.push(drawCall(call, y, picture))
    y += callHeight(call, picture)
  }
  drawn.push(drawLedger(picture, y))
  return joinLayers(drawn)
}

const joinLayers = (layers: readonly Layers[]): Layers => ({
  ground: layers.map(({ ground }) => ground).join(''),
  spans: layers.map(({ spans }) => spans).join(''),
  marks: layers.map(({ marks }) => marks).join(''),
})

function hiddenLane(from: number, to: number, y: number): Layers {
  const range = from === to ? `#${from}` : `#${from} to #${to}`
  const text = `⋮  ${plural(to - from + 1, 'attempt')} not shown (${range})`
  return { ground: '', spans: '', marks: textElement(text, LABEL_LEFT, y + 16, 'soft') }
}

function lanesHeight(picture: Picture): number {
  const { shown, marks, trial, callsShown } = picture
  const holes = shown.filter(({ number }, i) => number - (shown[i - 1]?.number ?? 0) > 1).length
  const attempts = shown.reduce((sum, { number }) => sum + laneHeight(marks.get(number)), 0)
  const calls = trial.calls.slice(0, callsShown).reduce((sum, call) => sum + callHeight(call, picture), 0)
  return attempts + calls + ledgerHeight(picture) + holes * HIDDEN_HEIGHT
}

/** Headline of a trial of which nothing is said. */
export const titleOf = ({ client, attempts }: TrialRecord): string =>
  `${client.name}: ${plural(attempts.length, 'attempt')}${
    attempts.length === 0
      ? ''
      : `, ${attempts
          .slice(0, 8)
          .map(({ result }) => result)
          .join(', ')}`
  }`

/** The picture in words, for those who do not see it. */
function describe({ shown, marks, trial }: Picture, caption: string | undefined): string {
  const broken = (number: number) => (marks.has(number) ? `; broken: ${marks.get(number)}` : '')
  const attempts = shown.map(
    (attempt) =>
      `Attempt ${attempt.number} at ${formatMoment(attempt.arrivedAtMs)}: ${attemptNotes(attempt)}${broken(attempt.number)}.`,
  )
  const [call] = trial.calls
  const outcome =
    call === undefined || call.outcome.kind === 'unobserved' ? [] : [`The caller: ${describeOutcome(call.outcome)}${broken(0)}.`]
  return [...(caption === undefined ? [] : [`${caption}.`]), ...attempts, ...outcome].join(' ')
}

/**
 * Draws a trial as a picture: one bar per attempt on an axis of time that is broken where a wait is long, the windows of hints, waits,
 * deadline and abort, work that was applied, and the broken spot, ringed and captioned.
 *
 * @param trial The trial, or its record.
 * @param options.marks Notes at attempts, by number ("29 488 ms too early"); 0 is the outcome.
 * @param options.title Headline: what was broken, by which attempt.
 * @param options.caption The rule.
 * @param options.deadlineMs Promised by the client, ms after the call began.
 * @returns an SVG document of its own, below 20 kB, with a title and a description for screen readers.
 * @example
 * await writeFile('trial.svg', renderSvg(trial, { title: 'attempt 2 came too early', marks: new Map([[2, '29 488 ms too early']]) }))
 */
export function renderSvg(trial: TrialRecord, options: PictureOptions = {}): string {
  const picture = pictureOf(trial, options)
  const title = options.title ?? titleOf(trial)
  const textRoom = TEXT_RIGHT - LABEL_LEFT
  const titleLines = wrapText(title, textRoom, 3, { size: TITLE_SIZE, isBold: true })
  const captionLines = options.caption === undefined ? [] : wrapText(options.caption, textRoom, 3)
  const head = [
    ...titleLines.map((line, i) =>
      textElement(line, LABEL_LEFT, 28 + i * 20, 'ink', { 'font-size': TITLE_SIZE, 'font-weight': 700 }),
    ),
    ...captionLines.map((line, i) => textElement(line, LABEL_LEFT, 28 + titleLines.length * 20 + i * 16, 'soft')),
  ]
  const limitsTop = 20 + titleLines.length * 20 + captionLines.length * 16
  const top = limitsTop + LIMITS_HEIGHT
  const bottom = top + lanesHeight(picture) + 4
  const lanes = drawLanes(picture, top, bottom)
  const legend = legendOf(picture, LABEL_LEFT, bottom + AXIS_HEIGHT + 14)
  const height = bottom + AXIS_HEIGHT + (legend.rows === 0 ? 6 : 12 + legend.rows * LEGEND_ROW_HEIGHT)
  const frame = element('rect', { class: 'frame', x: 0.5, y: 0.5, width: WIDTH - 1, height: height - 1, rx: 8 })
  const { ground, spans, marks } = joinLayers([
    drawAxis(picture, top, bottom),
    lanes,
    { ground: '', spans: drawLimits(picture, limitsTop, bottom), marks: '' },
  ])
  const body = [frame, ...head, ground, spans, marks, legend.drawn]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" class="retrial-timeline">`,
    `<title>${escapeXml(truncate(title, DESCRIPTION_LENGTH / 8))}</title>`,
    `<desc>${escapeXml(truncate(describe(picture, options.caption), DESCRIPTION_LENGTH))}</desc>`,
    `<style>${STYLE}</style><defs>${HATCH}</defs>`,
    ...body.filter((part) => part !== ''),
    '</svg>',
    '',
  ].join('\n')
}
