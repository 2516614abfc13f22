import { afterAll, expect, test } from 'vitest'
import { contract, sound } from '../../fixtures/clients/index.js'
import { renderSearch } from '../../src/search/render.js'
import { search } from '../../src/search/run.js'
import { exposable } from './exposable.js'
import { expectFound, type Row } from './found.js'

const SEEDS = [1, 2]
const RUNS = 500
const SOUND_RUNS = 4_000
const HOUR_MS = 3_600_000

const rows: Row[] = []

test.each(exposable)('finds %s with every seed', { timeout: HOUR_MS }, async (name, client) => {
  for (const seed of SEEDS) rows.push(await expectFound(name, client, { seed, runs: RUNS }))
})

test.each(Object.entries(sound))('%s survives', { timeout: HOUR_MS }, async (_name, client) => {
  const report = await search(client, contract, { runs: SOUND_RUNS, seed: 1 })
  expect(report.counterexample === null ? '' : renderSearch(report)).toBe('')
  expect(report).toMatchObject({ kind: 'upheld', runs: SOUND_RUNS, unmet: [] })
})

afterAll(() => console.log(table()))

/** Runs to find, steps after shrinking, wall time: the median and the worst of all seeds. */
function table(): string {
  const line = (...cells: readonly (string | number)[]) =>
    cells.map((cell, index) => (index === 0 ? String(cell).padEnd(28) : String(cell).padStart(10))).join(' ')
  const lines = exposable.flatMap(([name]) => {
    const own = rows.filter(({ client }) => client === name)
    const sorted = (pick: (row: Row) => number) => own.map(pick).sort((a, b) => a - b)
    const median = (values: readonly number[]) => values[Math.floor(values.length / 2)] ?? 0
    const [runs, steps, times] = [sorted(({ runs }) => runs), sorted(({ steps }) => steps), sorted(({ elapsedMs }) => elapsedMs)]
    return own.length === 0
      ? []
      : [line(name, own.length, median(runs), runs.at(-1)!, steps.at(-1)!, median(times), times.at(-1)!)]
  })
  return [line('wrong client', 'seeds', 'runs p50', 'runs max', 'steps max', 'ms p50', 'ms max'), ...lines].join('\n')
}
