import { test } from 'vitest'
import { appendFileSync } from 'node:fs'
import { exposable } from './exposable.js'
import { expectFound } from './found.js'
test('all', { timeout: 3_000_000 }, async () => {
  for (const seed of [6,7,8,9,10,11,12]) for (const [name, client] of exposable) {
    try { const r = await expectFound(name, client, { seed, runs: 500 }); appendFileSync('/tmp/g.log', `${name} ${seed} ${r.runs} ${r.steps} ${r.elapsedMs} ${r.guarantee} ${r.schedule.slice(0, 120)}\n`) }
    catch (e) { appendFileSync('/tmp/g.log', `FAIL ${name} ${seed} ${String((e as Error).message).slice(0, 500)}\n`) }
  }
})
