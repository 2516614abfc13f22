import { test } from 'vitest'
import { contract, sound } from '../../fixtures/clients/index.js'
import { expectToSurvive } from './survive.js'

// On sockets: it does not send through fetch.
test('node-http survives 20,000 runs', { timeout: 600_000 }, async () => {
  await expectToSurvive(sound['node-http']!, contract, { runs: 20_000, seed: 1 })
})
