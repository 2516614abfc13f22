// Loaded by vitest before a test file: the clock has to see every timer from the first on.
import './clock/index.js'
import { afterEach, aroundEach, expect } from 'vitest'
import { withinTest } from './clock/index.js'
import { finishAttachments, rememberNote, rememberTrial } from './matchers/attach.js'
import { withTest } from './matchers/current-test.js'
import { MatcherUsageError } from './matchers/errors.js'
import { forgottenJudgements } from './matchers/open.js'
import { matchers } from './matchers/registry.js'
import { onTrialNote } from './report/notes.js'
import { onTrialFinished } from './trial/finished.js'

export { showInReport } from './matchers/show-in-report.js'
export type { RetrialMatchers } from './matchers/types.js'
export type { RetrialMeta, RetrialTaskMeta, ShownTable } from './report/meta.js'

expect.extend(matchers)
onTrialNote(rememberNote)
onTrialFinished(rememberTrial)

aroundEach(async (runTest, { task, signal }) => {
  await withinTest(task.name, signal, () => withTest(task, runTest))
  // Not before the fixtures are gone: a server that is closed with them tells what it saw.
  await finishAttachments(task)
})

/** The hook's own time-out would be armed in the virtual time of the forgotten judgement and pass at once. */
const NO_TIMEOUT = 0

afterEach(async () => {
  const forgotten = await forgottenJudgements()
  // A forgotten `await` would let a failing judgement of a client go green.
  if (forgotten.length > 0) {
    throw new MatcherUsageError(
      `${forgotten.join(', ')} ${forgotten.length === 1 ? 'was' : 'were'} not awaited: write await expect(client).${forgotten[0]}(...)`,
    )
  }
}, NO_TIMEOUT)
