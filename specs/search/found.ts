import { expect } from 'vitest'
import { sound, type WrongClient } from '../../fixtures/clients/index.js'
import type { Contract } from '../../src/guarantees/contract.js'
import { judge } from '../../src/guarantees/judge.js'
import type { Counterexample } from '../../src/search/model.js'
import { search } from '../../src/search/run.js'
import type { Client } from '../../src/trial/model.js'
import { runTrial } from '../../src/trial/run-trial.js'

export interface Row {
  readonly client: string
  readonly seed: number
  readonly runs: number
  readonly steps: number
  readonly elapsedMs: number
  readonly guarantee: string
  readonly schedule: string
}

/** The most steps that a reader should have to look at. */
const MAX_STEPS = 3

/**
 * Searches for the bug of a wrong client; it has to be found, in few steps, and to come again. The same run must not blame the sound client
 * that differs in nothing but the bug: then it is the contract, or the judge, that is wrong, and nothing was found.
 */
export async function expectFound(
  name: string,
  { client, contract, sound: sibling = sound['fetch-loop']! }: WrongClient,
  options: { readonly seed: number; readonly runs: number },
): Promise<Row> {
  const report = await search(client, contract, options)
  const where = `${name} with seed ${options.seed}`
  expect(report.counterexample, `${where} was not found in ${report.runs} runs`).not.toBeNull()
  const found = report.counterexample as Counterexample
  const { schedule, draw, broken, again, runsUntilFound } = found
  const which = `${where}: ${schedule} ${JSON.stringify(found.options)}`
  expect(again, `${which}: ${broken[0]?.reasons[0]?.text}`).toBe('same')
  expect(draw.schedule.length, which).toBeLessThanOrEqual(MAX_STEPS)
  expect(await brokenBy(sibling, contract, found), which).toEqual([])
  const guarantee = broken[0]?.guarantee ?? ''
  return {
    client: name,
    seed: options.seed,
    runs: runsUntilFound,
    steps: draw.schedule.length,
    elapsedMs: report.elapsedMs,
    guarantee,
    schedule,
  }
}

async function brokenBy(client: Client, contract: Contract, { trials, options }: Counterexample): Promise<readonly string[]> {
  const schedules = trials.map(({ schedule }) => JSON.parse(schedule as string))
  const again = []
  for (const schedule of schedules) again.push(await runTrial(client, schedule, options))
  return judge(again, contract).flatMap(({ kind, reasons }) => (kind === 'fail' ? [reasons[0]!.text] : []))
}
