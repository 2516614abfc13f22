import { expect, test } from 'vitest'
import { contract, sound } from '../../fixtures/clients/index.js'
import { killRow, takesTurns } from '../../fixtures/kill-matrix/row.js'
import { seedsTo } from './support.js'

const STATISTICS = ['BKO-04', 'BKO-06', 'BKO-08', 'BUD-04']

// Statistics take tens of seeds at once: they are played with every tenth.
test.each(Object.entries(sound))('%s fails nothing in 40 runs with different seeds', async (_name, client) => {
  const failures: string[] = []
  for (const seed of seedsTo(40)) {
    const skips = seed % 10 === 0 ? undefined : ({ id }: { id: string }) => STATISTICS.includes(id)
    const { failedCases } = await killRow(client, contract, { seeds: [1_000 * seed], skips, skipsCall: takesTurns(seed, []) })
    failures.push(...failedCases.map((id) => `seed ${1_000 * seed}: ${id}`))
  }
  expect(failures).toEqual([])
})
