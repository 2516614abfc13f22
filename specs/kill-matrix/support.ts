import { expect, test } from 'vitest'
import { contract, sound, soundVariants, wrong } from '../../fixtures/clients/index.js'
import { holesOf, killRow, skipsStatistics } from '../../fixtures/kill-matrix/row.js'
import type { Case } from '../../src/cases/model.js'

export const PARTS = 4

const part = <T>(entries: readonly T[], index: number): T[] => entries.filter((_, position) => position % PARTS === index)

const soundOnes = [
  ...Object.entries(sound).map(([name, client]) => [name, { client, contract }] as const),
  ...Object.entries(soundVariants),
]

/** Statistics are judged with other seeds in specs/cases; here they would only take time. */
const skips = skipsStatistics({ breaks: 'permanence', caseId: '' })

/** The short form: each client with a planted bug is failed by its own guarantee and its own case; a sound client fails nothing. */
export function holdOwn(index: number): void {
  test.each(part(Object.entries(wrong), index))('%s is caught by its own guarantee and case', async (_name, one) => {
    const row = await killRow(one.client, one.contract, {
      skips: ({ id, guarantee }) => guarantee !== one.breaks && id !== one.caseId,
    })
    expect(row.verdicts[one.breaks]).toBe('fail')
    expect(row.failedCases).toContain(one.caseId)
  })

  test.each(part(soundOnes, index))('%s, which is sound, fails nothing', async (_name, { client, contract: promised }) => {
    const { failedCases } = await killRow(client, promised, { skips })
    expect(failedCases).toEqual([])
  })
}

/**
 * The long form: on every seed each client is failed by its own guarantee and case, on the first one by no unrelated guarantee either; a
 * sound client fails nothing.
 */
export function holdMatrix(index: number, seeds: readonly number[]): void {
  const [first] = seeds
  test.each(part(Object.entries(wrong), index))(
    '%s is caught by its own guarantee and case, and by no other',
    async (_name, one) => {
      const isOwn = ({ id, guarantee }: Case) => guarantee === one.breaks || id === one.caseId
      const isStatistical = skipsStatistics(one)
      for (const seed of seeds) {
        const skips = seed === first ? isStatistical : (row: Case) => !isOwn(row)
        const row = await killRow(one.client, one.contract, { seeds: [seed], skips })
        expect(holesOf(one, row), `seed ${seed}`).toEqual([])
      }
    },
  )
}

export const seedsTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1)
