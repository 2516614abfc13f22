import { appendFileSync, writeFileSync } from 'node:fs'
import { test } from 'vitest'
import { contract, sound, soundVariants, wrong } from '../../fixtures/clients/index.js'
import { renderSearch } from '../../src/search/render.js'
import { search } from '../../src/search/run.js'

test('sound', async () => {
  const seen = new Set<string>()
  const all = process.env.V
    ? Object.entries(soundVariants).map(([n, s]) => [n, s.client, s.contract] as const)
    : Object.entries(sound).map(([n, c]) => [n, (c as any).client ?? c, contract] as const)
  for (const [name, client, contract] of all)
    for (let seed = 1; seed <= Number(process.env.S ?? 3); seed++) {
      const r = await search(client as any, contract, {
        runs: Number(process.env.R ?? 300),
        seed,
        known: JSON.parse(process.env.K ?? '{}'),
      })
      const rule = String(r.counterexample?.broken[0]?.reasons[0]?.rule)
      console.log(name, seed, r.kind, r.runs, r.skipped, r.elapsedMs, r.unmet, rule)
      if (r.counterexample && !seen.has(rule)) console.log(renderSearch(r))
      seen.add(rule)
    }
}, 900_000)
