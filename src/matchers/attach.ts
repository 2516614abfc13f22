import type { RunnerTestCase } from 'vitest'
import { judge } from '../guarantees/judge.js'
import type { Verdict } from '../guarantees/model.js'
import { resolveContract } from '../guarantees/resolve.js'
import { renderFailureSvg } from '../report/failure-svg.js'
import type { RetrialMeta, RetrialTaskMeta } from '../report/meta.js'
import { isHeldBack, type TrialNote } from '../report/notes.js'
import { renderSvg, titleOf } from '../report/svg.js'
import type { Trial } from '../trace/model.js'
import { currentTest } from './current-test.js'
import { withStack } from './stack.js'

declare module 'vitest' {
  interface TaskMeta extends RetrialTaskMeta {}
}

/** What is known of one test. */
interface Record {
  lastTrial: Trial | null
  meta: RetrialMeta | null
  /** What the pictures show that are already there: an asymmetric matcher is evaluated again on a copy, for the diff. */
  readonly attached: Set<string>
  readonly pending: Promise<unknown>[]
}

const records = new WeakMap<object, Record>()

function recordOf(test: object): Record {
  const known = records.get(test)
  if (known !== undefined) return known
  const fresh: Record = { lastTrial: null, meta: null, attached: new Set(), pending: [] }
  records.set(test, fresh)
  return fresh
}

/** Remembers which test ran a trial; in a property it may be any of its runs, so none is. */
export function rememberTrial(trial: Trial): void {
  const test = currentTest()
  if (test !== undefined && !isHeldBack()) recordOf(test).lastTrial = trial
}

/** Attaches the picture of a failing judgement to the test that it was made in; without a known test, to none. */
export function attachNote(note: TrialNote): void {
  const test = currentTest() ?? (note.task as RunnerTestCase | undefined)
  const trial = trialOf(note)
  if (test === undefined || trial === undefined) return
  const { matcher, verdict, trials, contract } = note
  const picture = renderFailureSvg(matcher, verdict, trials, contract)
  if (picture === null) return
  const record = recordOf(test)
  const identity = `${picture.headline}\n${trial.schedule}`
  if (record.attached.has(identity)) return
  record.attached.add(identity)
  record.meta ??= metaOf(trial, [verdict], matcher, picture.headline)
  record.pending.push(annotate(test, picture.headline, picture.svg, note.stack))
}

const trialOf = ({ verdict: { kind, reasons }, trials }: TrialNote): Trial | undefined =>
  trials[reasons.find((reason) => reason.kind === kind)?.trial ?? 0]

/**
 * vitest takes the line of an annotation from a stack that it captures itself, at once; a judgement of a client has by then long left the
 * line that asked for it.
 */
async function annotate(test: RunnerTestCase, headline: string, svg: string, stack: string | undefined): Promise<void> {
  const attachment = { contentType: 'image/svg+xml', body: svg, bodyEncoding: 'utf-8' } as const
  try {
    await asIfRunning(test, () => withStack(stack, () => test.context.annotate(headline, 'retrial', attachment)))
  } catch {
    // A runner that takes no annotation any more: the message and the meta have the timeline as text.
  }
}

/** vitest refuses annotations of a test that has failed, though `expect.soft` goes on after that, and `afterEach` is still to come. */
function asIfRunning<T>({ result }: RunnerTestCase, fn: () => T): T {
  if (result === undefined) return fn()
  const { state } = result
  result.state = 'run'
  try {
    return fn()
  } finally {
    result.state = state
  }
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

/**
 * What is left to do when the body of a test is over: annotations reach reporters only if they are waited for, and a failing test says
 * what its trial saw, whichever assertion failed.
 */
export async function finishAttachments(test: RunnerTestCase): Promise<void> {
  const record = records.get(test)
  if (record === undefined) return
  const { lastTrial } = record
  if (test.result?.state === 'fail' && record.meta === null && lastTrial !== null) {
    record.meta = metaOf(lastTrial, alwaysJudged(lastTrial), null, null)
    record.pending.push(annotate(test, titleOf(lastTrial), renderSvg(lastTrial), test.result.errors?.[0]?.stack))
  }
  await Promise.all(record.pending.splice(0))
  if (test.result?.state === 'fail' && record.meta !== null) test.meta.retrial = record.meta
}

/** What holds for every client, whatever it promises. */
const alwaysJudged = (trial: Trial): Verdict[] =>
  judge([trial], resolveContract({})).filter(({ kind }) => kind === 'pass' || kind === 'fail')
