import { writeFileSync } from 'node:fs'
import { test } from 'vitest'
import { callsOf, runCase } from '../../src/cases/battery.js'
import { caseById, catalogue } from '../../src/cases/index.js'
import { resolveContract } from '../../src/guarantees/resolve.js'
import { wrong } from '../../fixtures/clients/index.js'

const rows = [...catalogue, caseById('ISO-01')!]
test('scratch wrong', async () => {
  const out: string[] = []
  const say = (line: string) => { out.push(line); writeFileSync('/tmp/wrong-out.txt', out.join('\n')) }
  for (const [name, w] of Object.entries(wrong)) {
    if (process.env.NOT?.split(',').includes(name)) continue
    if (process.env.WHO && !process.env.WHO.split(',').includes(name)) continue
    const c = resolveContract(w.contract)
    const t0 = process.hrtime.bigint()
    const failed = new Map<string, string>()
    const notable: string[] = []
    for (const row of rows) {
      for (const call of callsOf(row, {})) {
        writeFileSync('/tmp/wrong-at.txt', `${name} ${row.id} ${call}`)
        const t1 = process.hrtime.bigint()
        try {
          const { verdict, trials } = await runCase(row, call, w.client, c)
          const ms = Number(process.hrtime.bigint() - t1) / 1e6
          if (ms > 700) notable.push(`   SLOW ${row.id} ${call} ${ms.toFixed(0)} ms, ${trials.length} trials, attempts ${trials.map((t) => t.attempts.length)}`)
          if (verdict.kind === 'fail') failed.set(`${row.id} ${call}`, `${row.guarantee}: ${verdict.reasons[0]!.rule} ${verdict.reasons[0]!.level} ${verdict.reasons[0]!.text}`)
          if (verdict.kind !== 'fail' && row.wrong === name && row.unsupported === undefined && !row.informational)
            notable.push(`   ROW ${row.id} ${call} names it but is ${verdict.kind}: ${verdict.reasons.slice(0, 2).map((r) => `${r.kind} ${r.rule} ${r.level} ${r.text}`).join(' | ')}`)
        } catch (error) {
          notable.push(`   THROWS ${row.id} ${call} ${(error as Error).message.slice(0, 300)}`)
        }
      }
    }
    const allowed = [w.breaks, ...(w.alsoBreaks ?? [])]
    say(`${name} breaks ${w.breaks} case ${w.caseId} (${(Number(process.hrtime.bigint() - t0) / 1e9).toFixed(1)} s)`)
    const ids = [...failed.keys()].map((k) => k.split(' ')[0])
    if (![...failed.values()].some((v) => v.startsWith(`${w.breaks}:`))) say(`   BLIND: no row of ${w.breaks} fails`)
    if (!ids.includes(w.caseId)) say(`   CASE ${w.caseId} does not fail`)
    for (const [key, text] of failed) {
      const ok = allowed.includes(text.split(':')[0] as never)
      say(`   ${ok ? 'fails' : 'BROAD'} ${key} ${text}`)
    }
    for (const n of notable) say(n)
  }
}, 1_200_000)
