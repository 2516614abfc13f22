// Loaded by vitest before a test file: the clock has to see every timer from the first on.
import './clock/index.js'
import { afterEach, expect } from 'vitest'
import { MatcherUsageError } from './matchers/errors.js'
import { forgottenJudgements } from './matchers/open.js'
import { matchers } from './matchers/registry.js'

export type { RetrialMatchers } from './matchers/types.js'

expect.extend(matchers)

// A forgotten `await` would let a failing judgement of a client go green.
afterEach(async () => {
  const forgotten = await forgottenJudgements()
  if (forgotten.length > 0) {
    throw new MatcherUsageError(
      `${forgotten.join(', ')} ${forgotten.length === 1 ? 'was' : 'were'} not awaited: write await expect(client).${forgotten[0]}(...)`,
    )
  }
})
