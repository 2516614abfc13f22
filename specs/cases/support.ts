import { callsOf, runCase } from '../../src/cases/battery.js'
import { caseById, catalogue } from '../../src/cases/index.js'
import type { Contract } from '../../src/guarantees/contract.js'
import type { VerdictKind } from '../../src/guarantees/model.js'
import { resolveContract } from '../../src/guarantees/resolve.js'
import type { Client } from '../../src/trial/model.js'

const rows = [...catalogue, caseById('ISO-01')!]

/** Runs every case with every call it names; one line for each that came to one of `kinds`. */
export async function outcomesOf(client: Client, contract: Contract, ...kinds: readonly VerdictKind[]): Promise<string[]> {
  const promised = resolveContract(contract)
  const found: string[] = []
  for (const row of rows) {
    for (const call of callsOf(row, {})) {
      const { verdict } = await runCase(row, call, client, promised)
      if (kinds.includes(verdict.kind)) found.push(`${row.id} ${call} ${verdict.kind}: ${verdict.reasons[0]?.text}`)
    }
  }
  return found
}
