import { attemptRows } from '../report/attempt-rows.js'
import { formatMoment, oneLine } from '../report/text.js'
import type { AttemptChange } from '../server/model.js'
import type { Attempt } from '../trace/model.js'

const TIME_WIDTH = 9
const HEAD_WIDTH = 26

/** What a change of an attempt adds to the picture of a trace, as lines. */
export function liveLines(attempt: Attempt, change: AttemptChange): readonly string[] {
  if (change === 'headers') return []
  const rows = attemptRows(attempt, null)
  const news = change === 'arrived' ? rows.slice(0, 1) : rows.slice(1)
  return news.map(({ atMs, head, detail = '' }) =>
    `${formatMoment(atMs ?? 0).padStart(TIME_WIDTH)}  ${detail === '' ? head : `${head.padEnd(HEAD_WIDTH)}  ${oneLine(detail)}`}`.trimEnd(),
  )
}
