import { test } from 'vitest'
import { appendFileSync } from 'node:fs'
import { exposable } from './exposable.js'
import { search } from '../../src/search/run.js'
import { renderSearch } from '../../src/search/render.js'
test('all', { timeout: 3_000_000 }, async () => {
  for (const seed of [8, 9, 14, 15, 16, 17, 18, 19]) for (const [name, {client, contract}] of exposable) {
    const r = await search(client, contract, { seed, runs: 500 })
    if (r.counterexample?.again !== 'same') appendFileSync('/tmp/flake.log', `=== ${name} ${seed} ${r.counterexample?.again}\n${renderSearch(r).slice(0, 4000)}\n`)
    appendFileSync('/tmp/h.log', `${name} ${seed} ${r.counterexample?.runsUntilFound}\n`)
  }
})
