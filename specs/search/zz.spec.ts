import { test } from 'vitest'
import { appendFileSync } from 'node:fs'
import { exposable } from './exposable.js'
import { expectFound } from './found.js'
test('all', { timeout: 3_000_000 }, async () => {
  for (const [name, client] of exposable) for (const seed of [1, 2, 3, 4, 5]) {
    try { const r = await expectFound(name, client, { seed, runs: 500 }); appendFileSync('/tmp/f.log', `${name} ${seed} ${r.runs} ${r.steps} ${r.elapsedMs} ${r.guarantee} ${r.schedule.slice(0, 120)}\n`) }
    catch (e) { appendFileSync('/tmp/f.log', `FAIL ${name} ${seed} ${String((e as Error).message).slice(0, 500)}\n`) }
  }
})
