import { test } from 'vitest'
import * as fc from 'fast-check'
import { sound, contract } from '../../fixtures/clients/index.js'
import { judgeRun } from '../../src/search/judge-run.js'
import { faultSchedule } from '../../src/search/schedules.js'
import { callPlan } from '../../src/search/plans.js'
test('slow', async () => {
  const client = (sound['fetch-loop'] as any).client ?? sound['fetch-loop']
  const draws = fc.sample(fc.tuple(faultSchedule({ contract }), callPlan({ contract })), { numRuns: 150, seed: 1 })
  const out: [number, string][] = []
  for (const [schedule, plan] of draws) {
    const t = performance.now()
    await judgeRun(client, { schedule, plan }, { contract, hintHeaders: ['retry-after'], transport: 'socket', call: undefined, known: new Set() })
    out.push([performance.now() - t, JSON.stringify(schedule) + JSON.stringify(plan)])
  }
  out.sort((a, b) => b[0] - a[0])
  console.log(out.reduce((a, b) => a + b[0], 0), out.map(([ms]) => Math.round(ms)).filter((_, i) => i % 15 === 0))
  for (const o of out.slice(0, 25)) console.log(o[0].toFixed(0), o[1].slice(0, 300))
}, 200_000)
