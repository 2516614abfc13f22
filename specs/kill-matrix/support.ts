import { expect, test } from 'vitest'
import { contract, sound, soundVariants, wrong } from '../../fixtures/clients/index.js'
import { holesOf, killRow, skipsStatistics, takesTurns } from '../../fixtures/kill-matrix/row.js'

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

/** The long form: every client against every guarantee, each seed a matrix of its own; no unrelated guarantee fails. */
export function holdMatrix(index: number, seeds: readonly number[]): void {
  test.each(part(Object.entries(wrong), index))(
    '%s is caught by its own guarantee and case, and by no other',
    async (_name, one) => {
      for (const seed of seeds) {
        const skipsCall = takesTurns(seed, [one.breaks, ...(one.alsoBreaks ?? [])])
        const row = await killRow(one.client, one.contract, { seeds: [seed], skips: skipsStatistics(one), skipsCall })
        expect(holesOf(one, row), `seed ${seed}`).toEqual([])
      }
    },
  )

  test.each(part(soundOnes, index))('%s, which is sound, fails nothing', async (_name, { client, contract: promised }) => {
    for (const seed of seeds) {
      const { failedCases } = await killRow(client, promised, { seeds: [seed], skips })
      expect(failedCases, `seed ${seed}`).toEqual([])
    }
  })
}

export const seedsTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1)
