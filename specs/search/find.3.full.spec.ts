import { expect, test } from 'vitest'
import { RUNS, SEEDS } from '../../fixtures/search/table.js'
import { expectFound, partOf } from './expect-found.js'

test.each(partOf(3, 4))('finds %s with every seed', { timeout: 300_000 }, async (name, client) => {
  for (const seed of SEEDS) expect(await expectFound(name, client, { seed, runs: RUNS })).not.toBeNull()
})
