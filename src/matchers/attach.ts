import type { RunnerTestCase } from 'vitest'
import { judge } from '../guarantees/judge.js'
import type { Verdict } from '../guarantees/model.js'
import { resolveContract } from '../guarantees/resolve.js'
import { decisiveReasons } from '../report/failure.js'
import { renderFailureSvg } from '../report/failure-svg.js'
import type { RetrialMeta, RetrialTaskMeta } from '../report/meta.js'
import { isHeldBack, type TrialNote } from '../report/notes.js'
import { renderSvg, titleOf } from '../report/svg.js'
import type { Trial } from '../trace/model.js'
import { annotate } from './annotate.js'
import { blamed, textOf } from './blame.js'
import { currentTest } from './current-test.js'
import { isFinalFailure } from './last-try.js'

declare module 'vitest' {
  interface TaskMeta extends RetrialTaskMeta {}
}

/** Judgements remembered of one test at most: one that repeats a caught judgement for long is told by the last ones. */
const NOTES_KEPT = 100

/** What is known of one test. */
interface Record {
  /** Judgements that did not hold, the last one last; an asymmetric matcher judges again on a copy, for the diff. */
  readonly notes: Map<string, TrialNote>
  /** What happened last, a trial or a judgement: it explains an error that is nobody's. */
  last: Trial | TrialNote | null
  /** What is shown already: a test that is repeated ends several times. */
  readonly attached: Set<string>
}

/** A picture, with what the meta says beside it. */
interface Shown {
  readonly headline: string
  readonly svg: string
  readonly stack: string | undefined
  readonly meta: RetrialMeta
}

const records = new WeakMap<object, Record>()

function recordOf(test: object): Record {
  const known = records.get(test)
  if (known !== undefined) return known
  const fresh: Record = { notes: new Map(), last: null, attached: new Set() }
  records.set(test, fresh)
  return fresh
}

/** Remembers which test ran a trial; in a property it may be any of its runs, so none is. */
export function rememberTrial(trial: Trial): void {
  const test = currentTest()
  if (test !== undefined && !isHeldBack()) recordOf(test).last = trial
}

/**
 * Remembers a judgement that did not hold, for the test that it was made in; without a known test, for none. Whether it fails the test
 * is not known before the end: it may be caught, or repeated until it holds.
 */
export function rememberNote(note: TrialNote): void {
  const test = currentTest() ?? (note.task as RunnerTestCase | undefined)
  if (test === undefined) return
  const record = recordOf(test)
  const { notes } = record
  const identity = `${note.matcher} ${textOf(note)} ${note.trials[0]?.schedule}`
  // The first of equal ones knows its line.
  record.last = notes.get(identity) ?? note
  notes.delete(identity)
  notes.set(identity, record.last)
  const [oldest] = notes.keys()
  if (notes.size > NOTES_KEPT && oldest !== undefined) notes.delete(oldest)
}

/**
 * What is left to do when a test is over: one that failed shows a picture of each judgement that failed it, or, failed by something else,
 * of the trial it ran last. A test that passes carries none.
 */
export async function finishAttachments(test: RunnerTestCase): Promise<void> {
  const record = records.get(test)
  if (record === undefined || !isFinalFailure(test)) return
  const errors = test.result?.errors ?? []
  const shown = blamed([...record.notes.values()], errors, test.file.filepath).flatMap((note) => shownNote(note) ?? [])
  if (shown.length === 0 && record.last !== null) shown.push(...lastResort(record.last, errors[0]?.stack))
  const [first] = shown
  if (first !== undefined) test.meta.retrial ??= first.meta
  await Promise.all(shown.map((one) => attachOnce(test, one, record.attached)))
}

/** The same trial judged again, or in the next try of a test, has nothing new to show. */
async function attachOnce(test: RunnerTestCase, { headline, svg, stack, meta }: Shown, attached: Set<string>): Promise<void> {
  const identity = `${headline}\n${meta.schedule}`
  if (attached.has(identity)) return
  attached.add(identity)
  await annotate(test, headline, svg, stack)
}

function lastResort(last: Trial | TrialNote, stack: string | undefined): Shown[] {
  if ('verdict' in last) return [shownNote(last) ?? []].flat()
  return [{ headline: titleOf(last), svg: renderSvg(last), stack, meta: metaOf(last, alwaysJudged(last), null, null) }]
}

function shownNote({ matcher, verdict, trials, contract, stack }: TrialNote): Shown | null {
  const trial = trials[decisiveReasons(verdict)[0]?.trial ?? 0]
  const picture = renderFailureSvg(matcher, verdict, trials, contract)
  if (trial === undefined || picture === null) return null
  return { ...picture, stack, meta: metaOf(trial, [verdict], matcher, picture.headline) }
}

function metaOf(trial: Trial, verdicts: readonly Verdict[], matcher: string | null, headline: string | null): RetrialMeta {
  return {
    matcher,
    headline,
    client: trial.client.name,
    schedule: trial.schedule,
    verdicts: verdicts.map(({ guarantee, kind, reasons }) => ({
      guarantee,
      kind,
      text: reasons.find((reason) => reason.kind === kind)?.text ?? '',
    })),
    timeline: trial.timeline().split('\n'),
  }
}

/** What holds for every client, whatever it promises. */
const alwaysJudged = (trial: Trial): Verdict[] =>
  judge([trial], resolveContract({})).filter(({ kind }) => kind === 'pass' || kind === 'fail')
