import { test } from 'vitest'
import { appendFileSync } from 'node:fs'
import { exposable } from './exposable.js'
import { search } from '../../src/search/run.js'
import { renderSearch } from '../../src/search/render.js'
const HARD = ['new-key-after-conflict','retries-404','junk-as-year','timer-overflow','refused-is-final','budget-never-refilled','reads-prose','counter-reset-on-connect','cut-gzip-accepted','shared-counter']
test('all', { timeout: 3_000_000 }, async () => {
  for (const seed of [1,2,3,4,5,6,7,8]) for (const [name, {client, contract}] of exposable.filter(([n]) => HARD.includes(n))) {
    const r = await search(client, contract, { seed, runs: 500 })
    if (r.counterexample && r.counterexample?.again !== 'same') appendFileSync('/tmp/flake.log', `=== ${name} ${seed} ${r.counterexample?.again}\n${renderSearch(r).slice(0, 4000)}\n`)
    appendFileSync('/tmp/h.log', `${name} ${seed} ${r.counterexample?.runsUntilFound ?? 999}\n`)
  }
})
