import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test, expect } from 'vitest'
import { CLIENTS, runAlone, schedules } from './stress.js'
setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void
test('m', { timeout: 600000 }, async () => {
  const some = schedules(500, 3)
  const out: string[] = []
  const pick = process.env.PICK
  for (let i = 0; i < 5000; i++) {
    await runAlone(pick ? CLIENTS[Number(pick)]! : CLIENTS[i % 4]!, some[i % 500]!, i + 1)
    if (process.env.EXP) expect(1).toBe(1)
    if ((i + 1) % 1000 === 0) { gc(); await new Promise((r) => setImmediate(r)); gc(); out.push((process.memoryUsage().heapUsed / 1e6).toFixed(2)) }
  }
  console.log('HEAP', pick, process.env.EXP, out.join(' '))
  if (process.env.SNAP) (await import('node:v8')).writeHeapSnapshot('/tmp/heap.heapsnapshot')
})
