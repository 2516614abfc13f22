import { test } from 'vitest'
import { appendFileSync } from 'node:fs'
import { exposable } from './exposable.js'
import { search } from '../../src/search/run.js'
test('wrong', async () => {
  const from = Number(process.env.FROM ?? 0)
  for (const [name, { client, contract, breaks, alsoBreaks = [] }] of exposable.slice(from)) {
    for (let seed = 1; seed <= Number(process.env.S ?? 3); seed++) {
      const r = await search(client, contract, { runs: 500, seed })
      const c = r.counterexample
      const g = c?.broken[0]?.guarantee
      appendFileSync('/tmp/wrong.log', name + ' [' + breaks + ']  ' + (c ? `${c.runsUntilFound}r ${c.shrinks}s ${r.elapsedMs}ms ${g}${g === breaks || alsoBreaks.includes(g as never) ? '' : '(!)'} ${c.schedule.slice(0,150)} ${JSON.stringify(c.draw.plan).slice(0, 100)} ${c.again}` : `NOT FOUND ${r.kind} ${r.elapsedMs}`)+'\n')
    }
  }
}, 1_800_000)
