import { describe, expect, test } from 'vitest'
import { contract, sound, soundVariants } from '../../fixtures/clients/index.js'
import { exposable } from '../../fixtures/search/exposable.js'
import { expectToSurvive } from './survive.js'

test('every sound client is searched', () => {
  expect(Object.keys(sound).sort()).toEqual(['fetch-loop', 'five-stage', 'node-http', 'p-retry'])
})

test.each(Object.entries(soundVariants))('%s survives', { timeout: 300_000 }, async (_name, { client, contract: promised }) => {
  await expectToSurvive(client, promised, { runs: 2_000, seed: 2 })
})

describe('where `should` counts too', () => {
  test.each(Object.entries(sound))('%s survives', { timeout: 300_000 }, async (_name, client) => {
    await expectToSurvive(client, { ...contract, strict: true }, { runs: 1_000, seed: 3 })
  })
})

describe('without the bug, by the contract of the client that has it', () => {
  const twins = exposable.flatMap(([name, wrong]) =>
    wrong.sound === undefined ? [] : [[name, wrong.sound, wrong.contract] as const],
  )
  test.each(twins)('%s survives', { timeout: 300_000 }, async (_name, client, promised) => {
    await expectToSurvive(client, promised, { runs: 1_000, seed: 4 })
  })
})
