import { test } from 'vitest'
import { appendFileSync } from 'node:fs'
import { wrong, sound, soundVariants, contract } from '../../fixtures/clients/index.js'
import { search } from '../../src/search/run.js'
import { renderSearch } from '../../src/search/render.js'
test('all', { timeout: 3_000_000 }, async () => {
  const { client, contract: k } = wrong['counter-reset-on-connect']!
  for (const seed of [1,2,3,4,5,6]) {
    const r = await search(client, k, { seed, runs: 500 })
    appendFileSync('/tmp/h.log', `counter ${seed} ${r.counterexample?.runsUntilFound ?? 999} ${r.elapsedMs} ${r.counterexample?.schedule}\n`)
  }
  const all = [...Object.entries(sound).map(([n, c]) => [n, c, contract] as const), ...Object.entries(soundVariants).map(([n, s]) => [n, s.client, s.contract] as const)]
  for (const [n, c, kk] of all) { const r = await search(c, kk, { seed: 31, runs: n in sound ? 1500 : 400 }); appendFileSync('/tmp/h.log', `${n} ${r.kind} ${r.runs} ${r.elapsedMs} ${r.unmet} ${r.counterexample ? '\n'+renderSearch(r).slice(0,2500) : ''}\n`) }
})
