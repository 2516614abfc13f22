import { expect, test } from 'vitest'
import { wrong } from '../../fixtures/clients/index.js'
import { callsOf, runCase } from '../../src/cases/battery.js'
import { caseById } from '../../src/cases/index.js'
import type { Case } from '../../src/cases/model.js'
import type { Contract } from '../../src/guarantees/contract.js'
import { resolveContract } from '../../src/guarantees/resolve.js'
import { ASKED_ELSEWHERE } from '../kill-matrix/support.js'

/** What the wrong client has to promise so that the case is asked of it. */
const PROMISES: Record<string, Contract> = {
  'CLS-09': { maxAttempts: 2 },
  'CLS-14': { transient: [503, 529] },
  'CLS-16': { shouldRetryHeader: 'x-should-retry' },
}

// The others are in specs/kill-matrix, where each client is asked the cases that name it.
const asked = ASKED_ELSEWHERE.map((id) => caseById(id)!)

/** Whether a case fails for one of its calls, `should` counting as `must`. */
async function isFailedBy(row: Case, name: string): Promise<boolean> {
  const { client, contract } = wrong[name]!
  const streaming = { ...client, options: { ...client.options, streaming: true } }
  const consumer = row.id.startsWith('STR') ? streaming : client
  const promised = resolveContract({ ...contract, ...PROMISES[row.id], strict: true })
  for (const call of callsOf(row, {})) {
    if ((await runCase(row, call, consumer, promised)).verdict.kind === 'fail') return true
  }
  return false
}

test.each(asked.map((row) => [row.id, row.wrong, row] as const))('%s is failed by %s', async (_id, name, row) => {
  expect(await isFailedBy(row, name)).toBe(true)
})
