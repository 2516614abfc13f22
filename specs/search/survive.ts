import { expect } from 'vitest'
import type { Contract } from '../../src/guarantees/contract.js'
import { renderSearch } from '../../src/search/render.js'
import { search } from '../../src/search/run.js'
import type { Client } from '../../src/trial/model.js'

/** No run of a search breaks anything, and everything that is promised was met. */
export async function expectToSurvive(
  client: Client,
  contract: Contract,
  options: { readonly runs: number; readonly seed: number },
) {
  const report = await search(client, contract, options)
  expect(report.counterexample === null ? '' : renderSearch(report)).toBe('')
  expect(report).toMatchObject({ kind: 'upheld', runs: options.runs, unmet: [] })
}
