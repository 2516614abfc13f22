import type * as fc from 'fast-check'
import { type NoteBox, noteTrial, withNoteBox } from '../report/notes.js'

/**
 * A plugin for fast-check: of all the runs of a failing property, only the counterexample is attached to the test. Importing
 * 'retrial/property' installs it; `fc.assert` and `test.prop` then need nothing else.
 */
export const attachMinimalRun: fc.UniversalPlugin = () => {
  const box: NoteBox = { last: null }
  return {
    decorateRun: (run) => (value) => withNoteBox(box, () => run(value)),
    // The last run that failed is the counterexample. Without a note this must not be asynchronous: the property may be synchronous.
    onAllRunsComplete: ({ failed }) => {
      if (failed && box.last !== null) noteTrial(box.last)
    },
  }
}
