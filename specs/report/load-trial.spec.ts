import { expect, test } from 'vitest'
import { loadTrial } from '../../src/report/load-trial.js'
import { trialOf } from '../support/make-trial.js'

test('a saved trial draws the same timeline as the one that was saved', () => {
  const trial = trialOf({
    attempts: [
      { status: 429, headers: { 'Retry-After': '30' } },
      { at: 512, fault: 'reset', ledger: 'new' },
      { at: 30_000, status: 200 },
    ],
  })
  expect(loadTrial(JSON.parse(JSON.stringify(trial))).timeline()).toBe(trial.timeline())
})
