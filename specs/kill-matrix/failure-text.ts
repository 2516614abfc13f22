import type { CaseResult } from '../../src/cases/model.js'
import { decisiveReasons, renderFailure } from '../../src/report/failure.js'

const COLUMNS = 100
const LINES_BEFORE_TIMELINE = 10
const TIMELINE_LINE = /^ *\d[\d ]* ms {2}/
/** There to be pasted, however long. */
const PASTED = /^ {2}(replay|options) {3}/

/** What is missing from the text of a failing case, or wrong with its shape; empty when a reader has all that is needed. */
export function flawsOf({ case: row, call, verdict, trials }: CaseResult): string[] {
  const name = `${row.id} (${call})`
  const text = renderFailure(name, verdict, trials)
  const lines = text.split('\n')
  const [reason] = decisiveReasons(verdict)
  if (reason === undefined) return [`${name}: no reason`]
  const head = lines.slice(
    0,
    lines.findIndex((line) => TIMELINE_LINE.test(line)),
  )
  const about = head.join(' ').replace(/\s+/g, ' ')
  const marked = lines.some((line) => line.includes(`#${reason.attempt} `) && line.includes('✗'))
  const checks: [string, boolean][] = [
    ['its name', text.startsWith(`${name}: `)],
    ['its rule', about.includes(`rule ${reason.rule} (${reason.level}): ${reason.requirement}`)],
    ['its source', reason.source !== '' && about.includes(reason.source)],
    ['what was expected', reason.expected !== undefined && about.includes(' expected ')],
    ['what was received', reason.received !== undefined && about.includes(' received ')],
    ['the attempt', reason.attempt === null || marked || reason.text.includes(`ttempt ${reason.attempt}`)],
    ['the timeline', head.length > 0 && lines.some((line) => /#1 +→/.test(line))],
    ['how to replay it', lines.some((line) => line.startsWith('  replay   '))],
    [`at most ${LINES_BEFORE_TIMELINE} lines before the timeline`, head.length <= LINES_BEFORE_TIMELINE],
    [`at most ${COLUMNS} columns`, lines.every((line) => line.length <= COLUMNS || PASTED.test(line))],
  ]
  return checks.flatMap(([what, holds]) => (holds ? [] : [`${name} lacks ${what}:\n${text}`]))
}
