import { expect, test } from 'vitest'
import { contract, sound, wrong } from '../../fixtures/clients/index.js'
import { holesOf, killRow, skipsHeavy, takesTurns } from '../../fixtures/kill-matrix/row.js'
import type { Case } from '../../src/cases/model.js'
import type { GuaranteeId } from '../../src/guarantees/model.js'
import { seedsTo } from './support.js'

/** The guarantees of the first three stages that every client is asked for, and the plainest bugs against them. */
const GUARANTEES: readonly GuaranteeId[] = [
  'permanence',
  'transience',
  'hint',
  'deadline',
  'dedup',
  'key',
  'unsafe-replay',
  'body',
  'attempts',
]
const BUGS = [
  ...[
    'hint-ignored',
    'hint-as-milliseconds',
    'date-ignored',
    'only-imf-date',
    'hint-only-on-429',
    'early-cap',
    'jitter-under-hint',
  ],
  ...['timer-overflow', 'junk-as-year', 'retries-404', 'retries-400', 'retries-422', 'never-retries'],
  ...[
    'attempt-not-clipped',
    'wait-not-clipped',
    'timer-stops-at-headers',
    'new-key-per-attempt',
    'key-dropped-on-resend',
    'no-key',
  ],
  ...['empty-second-body', 'keyless-replay', 'one-attempt-too-many'],
]
const SEEDS = seedsTo(20)

const isOther = ({ guarantee }: Case): boolean => !GUARANTEES.includes(guarantee)

/** One of two halves: on 20 seeds each bug is caught by its own guarantee and by no unrelated one; a sound client fails nothing. */
export function holdSeeds(half: 0 | 1): void {
  const own = <T>(entries: readonly T[]): T[] => entries.filter((_, position) => position % 2 === half)

  test.each(own(BUGS))('%s is caught on 20 seeds, and by no unrelated guarantee', async (name) => {
    const one = wrong[name]!
    const isHeavy = skipsHeavy(one)
    for (const seed of SEEDS) {
      const row = await killRow(one.client, one.contract, {
        seeds: [seed],
        skips: (candidate) => isOther(candidate) || isHeavy(candidate),
        skipsCall: takesTurns(seed, [one.breaks, ...(one.alsoBreaks ?? [])]),
      })
      expect(holesOf(one, row), `seed ${seed}`).toEqual([])
    }
  })

  test.each(own(Object.entries(sound)))('%s fails nothing on 20 seeds', async (_name, client) => {
    for (const seed of SEEDS) {
      const { failedCases } = await killRow(client, contract, { seeds: [seed], skips: isOther, skipsCall: takesTurns(seed, []) })
      expect(failedCases, `seed ${seed}`).toEqual([])
    }
  })
}
