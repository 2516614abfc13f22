import { writeFileSync } from 'node:fs'
import { test } from 'vitest'
import { callsOf, runCase } from '../../src/cases/battery.js'
import { caseById, catalogue } from '../../src/cases/index.js'
import { toClient } from '../../src/trial/client.js'
import { resolveContract } from '../../src/guarantees/resolve.js'
import { contract, sound, soundVariants } from '../../fixtures/clients/index.js'

const rows = [...catalogue, caseById('ISO-01')!]
test('scratch sound', async () => {
  const out: string[] = []
  const names = (process.env.WHO ?? 'fetch-loop').split(',')
  for (const name of names) {
    const client = toClient(sound[name] ?? soundVariants[name]!.client)
    const c = resolveContract(sound[name] ? contract : soundVariants[name]!.contract)
    for (const row of rows) {
      for (const call of callsOf(row, {})) {
        const t0 = process.hrtime.bigint()
        let line: string
        try {
          const { verdict, trials } = await runCase(row, call, client, c)
          const ms = Number(process.hrtime.bigint() - t0) / 1e6
          line = `${name} ${row.id} ${call} ${verdict.kind} ${trials.length} trials ${ms.toFixed(0)}ms`
          if (verdict.kind !== 'pass' || verdict.reasons.some((r) => r.kind === 'fail')) {
            line += '\n' + verdict.reasons.filter((r) => r.kind !== 'pass').slice(0, 4).map((r) => `      ${r.kind} ${r.rule} ${r.level} t${r.trial} ${r.text}`).join('\n')
            if (verdict.kind === 'fail') line += '\n' + (trials[verdict.reasons[0]!.trial]?.timeline() ?? '')
          }
        } catch (error) {
          line = `${name} ${row.id} ${call} THROWS ${(error as Error).stack?.slice(0, 600)}`
        }
        out.push(line)
        writeFileSync('/tmp/cases-out.txt', out.join('\n'))
      }
    }
  }
}, 600_000)
