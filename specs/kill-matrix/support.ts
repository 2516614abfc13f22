import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contract, sound, soundVariants, wrong } from '../../fixtures/clients/index.js'
import { keptLine, renderLine } from '../../fixtures/kill-matrix/render.js'
import { holesOf, type KillRow, killRow, skipsHeavy, takesTurns } from '../../fixtures/kill-matrix/row.js'
import { allCases } from '../../src/cases/index.js'
import type { Case } from '../../src/cases/model.js'
import { flawsOf } from './failure-text.js'

export const PARTS = 4

/** Cases whose wrong client has to promise something else to be asked, or is not declared to consume streams: specs/cases/wrong.spec.ts. */
export const ASKED_ELSEWHERE: readonly string[] = ['CLS-09', 'CLS-14', 'CLS-16', 'STR-01', 'STR-05', 'STR-06', 'STR-07']

const kept = readFileSync(new URL('../../fixtures/KILL-MATRIX.md', import.meta.url), 'utf8')
const part = <T>(entries: readonly T[], index: number): T[] => entries.filter((_, position) => position % PARTS === index)

export const soundOnes = [
  ...Object.entries(sound).map(([name, client]) => [name, { client, contract }] as const),
  ...Object.entries(soundVariants),
]

/** Statistics and loads are judged in specs/cases; here they would only take time. */
const skips = skipsHeavy({ breaks: 'permanence', caseId: '' })

const namedBy = (name: string): Case[] =>
  allCases.filter((row) => row.wrong === name && !row.informational && row.unsupported === undefined)

/** The cases that name this client as the one that they fail, `should` counting as `must`. */
function expectCasesBroken(name: string, { broken }: KillRow): void {
  const ids = broken.map(({ case: row }) => row.id)
  const missed = namedBy(name).filter(({ id }) => !ids.includes(id) && !ASKED_ELSEWHERE.includes(id))
  expect(missed.map(({ id }) => id)).toEqual([])
}

const expectTexts = ({ broken }: KillRow): void =>
  expect(broken.filter(({ verdict }) => verdict.kind === 'fail').flatMap(flawsOf)).toEqual([])

/**
 * The short form: each client with a planted bug is failed by its own guarantee, by its own case, and by every case that names it, in a text
 * that says all there is to know; a sound client fails nothing.
 */
export function holdOwn(index: number): void {
  test.each(part(Object.entries(wrong), index))('%s is caught by its own guarantee and cases', async (name, one) => {
    const row = await killRow(one.client, one.contract, {
      skips: (asked) => asked.guarantee !== one.breaks && asked.id !== one.caseId && asked.wrong !== name,
    })
    expect(row.verdicts[one.breaks]).toBe('fail')
    expect(row.failedCases).toContain(one.caseId)
    expectCasesBroken(name, row)
    expectTexts(row)
  })

  // The first one is played every case, with every method, in specs/cases/sound.spec.ts.
  test.each(part(soundOnes.slice(1), index))(
    '%s, which is sound, fails nothing',
    async (name, { client, contract: promised }) => {
      const turn = soundOnes.findIndex(([other]) => other === name)
      const { failedCases } = await killRow(client, promised, { skips, skipsCall: takesTurns(turn, []) })
      expect(failedCases).toEqual([])
    },
  )
}

/**
 * The long form: on every seed each client is failed by its own guarantee and case, on the first one by no unrelated guarantee either, and
 * as the kept matrix says.
 */
export function holdMatrix(index: number, seeds: readonly number[]): void {
  const [first] = seeds
  test.each(part(Object.entries(wrong), index))(
    '%s is caught by its own guarantee and case, and by no other',
    async (name, one) => {
      const isOwn = ({ id, guarantee }: Case) => guarantee === one.breaks || id === one.caseId
      const isHeavy = skipsHeavy(one)
      for (const seed of seeds) {
        const isCross = seed === first
        const row = await killRow(one.client, one.contract, {
          seeds: [seed],
          skips: isCross ? isHeavy : (asked) => !isOwn(asked),
        })
        expect(holesOf(one, row), `seed ${seed}`).toEqual([])
        if (isCross) expect(renderLine({ name, wrong: one, row })).toBe(keptLine(kept, name))
        expectTexts(row)
      }
    },
  )

  test.each(part(soundOnes, index))('%s fails nothing, as the matrix says', async (name, { client, contract: promised }) => {
    const row = await killRow(client, promised, { seeds: [first!] })
    expect(row.failedCases).toEqual([])
    expect(renderLine({ name, wrong: null, row })).toBe(keptLine(kept, name))
  })
}

/** So many runs of a sound client, each with a seed of its own; a case is played with one method a run, in turn. */
export async function expectSound([, { client, contract: promised }]: (typeof soundOnes)[number], runs: number): Promise<void> {
  const failures: string[] = []
  for (const turn of seedsTo(runs)) {
    const seed = 1_000 * turn
    const row = await killRow(client, promised, {
      seeds: [seed],
      // Statistics take tens of seeds at once, loads hundreds of calls: they are played with every tenth.
      skips: turn % 10 === 0 ? undefined : skips,
      skipsCall: takesTurns(turn, []),
    })
    failures.push(...row.failedCases.map((id) => `seed ${seed}: ${id}`))
  }
  expect(failures).toEqual([])
}

export const seedsTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1)
