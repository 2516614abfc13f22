import { expect, test } from 'vitest'
import { wrong } from '../../fixtures/clients/index.js'
import { callsOf, runCase } from '../../src/cases/battery.js'
import { caseById, catalogue } from '../../src/cases/index.js'
import type { Case } from '../../src/cases/model.js'
import type { Contract } from '../../src/guarantees/contract.js'
import { resolveContract } from '../../src/guarantees/resolve.js'

/** What the wrong client has to promise so that the case is asked of it. */
const PROMISES: Record<string, Contract> = {
  'CLS-09': { maxAttempts: 2 },
  'CLS-14': { transient: [503, 529] },
  'CLS-16': { shouldRetryHeader: 'x-should-retry' },
}

const shown = [...catalogue, caseById('ISO-01')!].filter((row) => !row.informational && row.unsupported === undefined)

/** Whether a case fails for one of its calls, `should` counting as `must`. */
async function isFailedBy(row: Case, name: string): Promise<boolean> {
  const { client, contract } = wrong[name]!
  const streaming = { ...client, options: { ...client.options, streaming: true } }
  const asked = row.id.startsWith('STR') ? streaming : client
  const promised = resolveContract({ ...contract, ...PROMISES[row.id], strict: true })
  for (const call of callsOf(row, {})) {
    if ((await runCase(row, call, asked, promised)).verdict.kind === 'fail') return true
  }
  return false
}

test.each(shown.map((row) => [row.id, row.wrong, row] as const))('%s is failed by %s', async (_id, name, row) => {
  expect(await isFailedBy(row, name)).toBe(true)
})
