import { test } from 'vitest'
import { contract, sound } from '../../fixtures/clients/index.js'
import { expectToSurvive } from './survive.js'

test.each(['fetch-loop', 'p-retry', 'five-stage'])('%s survives 20,000 runs', { timeout: 600_000 }, async (name) => {
  await expectToSurvive(sound[name]!, contract, { runs: 20_000, seed: 1 })
})
