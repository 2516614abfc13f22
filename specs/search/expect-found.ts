import { expect } from 'vitest'
import type { WrongClient } from '../../fixtures/clients/core/wrong-client.js'
import { exposable } from '../../fixtures/search/exposable.js'
import { findBug } from '../../fixtures/search/finding.js'

/** The bug of a wrong client is found on a seed, in every respect that `findBug` looks at. */
export async function expectFound(name: string, wrong: WrongClient, options: { readonly seed: number; readonly runs: number }) {
  const { finding, problems } = await findBug(name, wrong, options)
  expect(problems).toEqual([])
  return finding
}

/** Every n-th wrong client: files of specs share them out among the workers. */
export const partOf = (index: number, count: number) => exposable.filter((_, at) => at % count === index - 1)
