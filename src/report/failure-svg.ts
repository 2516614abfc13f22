import type { Contract } from '../guarantees/contract.js'
import type { Verdict } from '../guarantees/model.js'
import type { Trial } from '../trace/model.js'
import { decisiveReasons, headline, marksFor } from './failure.js'
import { renderSvg } from './svg.js'

/** A picture is passed on to people who do not know the short forms. */
const SOURCES: Readonly<Record<string, string>> = { eng: 'engineering judgement', suite: 'judgement of this suite' }

/** The picture of a judgement, and its headline for where only text is shown. */
export interface FailurePicture {
  readonly headline: string
  readonly svg: string
}

/**
 * Draws the trial that explains a verdict, with its broken spot. The picture of what `renderFailure` says in words.
 *
 * @param contract What the trials were judged by: its deadline and the hints that it promises to respect are drawn.
 * @returns null when no trial has anything to say about it
 */
export function renderFailureSvg(
  matcher: string,
  verdict: Verdict,
  trials: readonly Trial[],
  contract: Contract = {},
): FailurePicture | null {
  const reasons = decisiveReasons(verdict)
  const [reason] = reasons
  const trial = trials[reason?.trial ?? 0]
  if (trial === undefined) return null
  const title = reason === undefined ? matcher : headline(matcher, verdict, reason.text)
  const caption =
    reason === undefined
      ? undefined
      : `${reason.rule} (${reason.level}): ${reason.requirement} · ${SOURCES[reason.source] ?? reason.source}`
  const svg = renderSvg(trial, {
    title,
    caption,
    marks: reason === undefined || verdict.kind !== 'fail' ? undefined : shownMarks(reason.trial, reasons),
    deadlineMs: verdict.guarantee === 'deadline' ? contract.deadlineMs : undefined,
    hintHeaders: contract.retryAfter?.headers,
  })
  return { headline: title, svg }
}

/** A rule without a note for the timeline is marked all the same: by what was received instead. */
function shownMarks(trial: number, reasons: Verdict['reasons']): ReadonlyMap<number, string> {
  const marks = marksFor(trial, reasons)
  const [reason] = reasons
  if (marks.size > 0 || reason === undefined) return marks
  return new Map([[reason.attempt ?? 0, reason.received ?? reason.text]])
}
