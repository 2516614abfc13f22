import { expect } from 'vitest'
import type { WrongClient } from '../../fixtures/clients/index.js'
import type { SearchReport } from '../../src/search/model.js'
import { search } from '../../src/search/run.js'

export interface Row {
  readonly client: string
  readonly seed: number
  readonly runs: number
  readonly steps: number
  readonly elapsedMs: number
  readonly schedule: string
}

/** The most steps that a reader should have to look at. */
const MAX_STEPS = 3

/** Searches for the bug of a wrong client; it has to be found for what it is, in few steps, and to come again. */
export async function expectFound(name: string, { client, contract, breaks, alsoBreaks = [] }: WrongClient, options: { seed: number; runs: number }): Promise<Row> {
  const report = await search(client, contract, options)
  const found = report.counterexample
  const where = `${name} with seed ${options.seed}`
  expect(found, `${where} was not found in ${report.runs} runs`).not.toBeNull()
  const { schedule, draw, broken, again, runsUntilFound } = found as NonNullable<SearchReport['counterexample']>
  expect([breaks, ...alsoBreaks], `${where}: ${schedule}`).toContain(broken[0]?.guarantee)
  expect(draw.schedule.length, `${where}: ${schedule}`).toBeLessThanOrEqual(MAX_STEPS)
  expect(again, `${where}: ${schedule} ${JSON.stringify(draw.plan)}`).toBe('same')
  return { client: name, seed: options.seed, runs: runsUntilFound, steps: draw.schedule.length, elapsedMs: report.elapsedMs, schedule }
}
