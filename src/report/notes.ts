import { AsyncLocalStorage } from 'node:async_hooks'
import type { Contract } from '../guarantees/contract.js'
import type { Verdict } from '../guarantees/model.js'
import type { Trial } from '../trace/model.js'

/** A judgement worth attaching to the test that it was made in. */
export interface TrialNote {
  readonly matcher: string
  readonly trials: readonly Trial[]
  /** What was broken; under `.not`, what was kept. */
  readonly verdict: Verdict
  /** What the trials were judged by. */
  readonly contract?: Contract
  /** The test of the runner; unknown inside asymmetric matchers and some concurrent tests. */
  readonly task: unknown
  /** The stack where the judgement was asked for, if that has been left since. */
  readonly stack?: string
}

/** Holds back what the runs of a property note, so that only the last, the minimal one, is told. */
export interface NoteBox {
  last: TrialNote | null
}

const boxes = new AsyncLocalStorage<NoteBox>()
let listener: ((note: TrialNote) => void) | null = null

/** Whoever attaches pictures and data to failing tests listens here; there is one listener. */
export const onTrialNote = (listen: ((note: TrialNote) => void) | null): void => {
  listener = listen
}

/** Called by a matcher before it fails. */
export function noteTrial(note: TrialNote): void {
  const box = boxes.getStore()
  if (box === undefined) listener?.(note)
  // A run that says nothing is skipped by the property: it must not displace the one that failed.
  else if (['fail', 'pass'].includes(note.verdict.kind) || box.last === null) box.last = note
}

/** Runs `fn`, keeping what it notes in the box. */
export const withNoteBox = <T>(box: NoteBox, fn: () => T): T => boxes.run(box, fn)

/** Whether this is one of many runs of a property, most of which are not worth showing. */
export const isHeldBack = (): boolean => boxes.getStore() !== undefined
