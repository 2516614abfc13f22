import { expect, test } from 'vitest'
import { contract, sound, soundVariants } from '../../fixtures/clients/index.js'
import { outcomesOf } from './support.js'

const clients = [
  ...Object.entries(sound).map(([name, client]) => [name, { client, contract }] as const),
  ...Object.entries(soundVariants),
]

test.each(clients)('%s fails no case of the catalogue', { timeout: 120_000 }, async (_name, { client, contract: promised }) => {
  expect(await outcomesOf(client, promised, 'fail')).toEqual([])
})
