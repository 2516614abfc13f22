import { writeFileSync } from 'node:fs'
import { test } from 'vitest'
import { callsOf, runCase } from '../../src/cases/battery.js'
import { caseById, catalogue } from '../../src/cases/index.js'
import { resolveContract } from '../../src/guarantees/resolve.js'
import { wrong } from '../../fixtures/clients/index.js'

const rows = [...catalogue, caseById('ISO-01')!]
test('scratch named', async () => {
  const out: string[] = []
  const say = (line: string) => { out.push(line); writeFileSync('/tmp/named-out.txt', out.join('\n')) }
  for (const row of rows) {
    if (row.unsupported) continue
    const w = wrong[row.wrong]!
    const c = resolveContract({ ...w.contract, strict: true })
    const results: string[] = []
    let failed = false
    for (const call of callsOf(row, {})) {
      try {
        const { verdict } = await runCase(row, call, w.client, c)
        failed ||= verdict.kind === 'fail'
        results.push(`   ${call} ${verdict.kind}: ${verdict.reasons.slice(0, 2).map((r) => `${r.kind} ${r.rule} ${r.level} ${r.text}`).join(' | ')}`)
      } catch (error) { results.push(`   ${call} THROWS ${(error as Error).message}`) }
    }
    if (!failed) say(`${row.id} ${row.informational ? '(info) ' : ''}${row.wrong}\n${results.join('\n')}`)
  }
}, 1_200_000)
