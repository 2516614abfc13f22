import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sound, soundVariants, wrong } from '../../fixtures/clients/index.js'
import { clientsIn, keptLine, renderMatrix } from '../../fixtures/kill-matrix/render.js'
import { holesOf, type KillRow } from '../../fixtures/kill-matrix/row.js'
import { runCase } from '../../src/cases/battery.js'
import { caseById } from '../../src/cases/index.js'
import { GUARANTEE_IDS, type GuaranteeId, type Reason, type VerdictKind } from '../../src/guarantees/model.js'
import { resolveContract } from '../../src/guarantees/resolve.js'
import { showInReport } from '../../src/matchers/show-in-report.js'
import { flawsOf } from './failure-text.js'

const client = wrong['retries-404']!
const row = (failed: readonly GuaranteeId[], failedCases: readonly string[]): KillRow => ({
  verdicts: Object.fromEntries(
    GUARANTEE_IDS.map((id): [GuaranteeId, VerdictKind] => [id, failed.includes(id) ? 'fail' : 'pass']),
  ) as Record<GuaranteeId, VerdictKind>,
  failedCases,
  broken: [],
})

const kept = readFileSync(new URL('../../fixtures/KILL-MATRIX.md', import.meta.url), 'utf8')

/** The cells of a kept line: what each guarantee says, the own case, the failed cases. */
function cellsOf(name: string): { readonly verdicts: ReadonlyMap<GuaranteeId, string>; readonly failedCases: readonly string[] } {
  const cells = keptLine(kept, name)
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim())
  const verdicts = new Map(GUARANTEE_IDS.map((id, index) => [id, cells[index] ?? '']))
  return { verdicts, failedCases: (cells.at(-1) ?? '').split(', ').filter((id) => id !== '') }
}

test.each(Object.entries(wrong))('the kept matrix has no hole at %s', (name, { breaks, alsoBreaks = [], caseId }) => {
  const { verdicts, failedCases } = cellsOf(name)
  expect(verdicts.get(breaks)).toBe('**✗**')
  expect(failedCases).toContain(caseId)
  const failing = GUARANTEE_IDS.filter((id) => verdicts.get(id)?.includes('✗'))
  expect(failing.filter((id) => id !== breaks && !alsoBreaks.includes(id))).toEqual([])
})

test.each([...Object.keys(sound), ...Object.keys(soundVariants)])('the kept matrix has nothing against %s', (name) => {
  const { verdicts, failedCases } = cellsOf(name)
  expect([...verdicts.values()].filter((sign) => sign.includes('✗'))).toEqual([])
  expect(verdicts.get('permanence')).toBe('·')
  expect(failedCases).toEqual([])
})

test('the kept matrix has a line for every client', () => {
  showInReport('kill matrix', kept)
  expect([...clientsIn(kept)].sort()).toEqual([sound, soundVariants, wrong].flatMap((clients) => Object.keys(clients)).sort())
})

describe('a hole of the matrix', () => {
  test('is none when the bug is caught where it belongs', () => {
    expect(holesOf(client, row(['permanence'], ['CLS-03']))).toEqual([])
  })

  test.each<[string, KillRow, string]>([
    ['a blind guarantee', row([], ['CLS-03']), 'its own guarantee permanence says pass'],
    ['a blind case', row(['permanence'], ['CLS-01']), 'its own case CLS-03 does not fail; failed are CLS-01'],
    [
      'a guarantee that is too broad',
      row(['permanence', 'hint'], ['CLS-03']),
      'hint fails, which has nothing to do with the bug',
    ],
  ])('is %s', (_name, found, text) => {
    expect(holesOf(client, found)).toEqual([text])
  })
})

test('a line marks the own guarantee and names the cases', () => {
  const lines = renderMatrix([
    { name: 'retries-404', wrong: client, row: row(['permanence', 'body'], ['CLS-03', 'IDM-11']) },
  ]).split('\n')
  expect(lines.at(-2)).toBe(
    '| retries-404 | **✗** | · | · | · | · | · | · | ✗ | · | · | · | · | · | · | · | · | CLS-03 | CLS-03, IDM-11 |',
  )
})

describe('the text of a failure', () => {
  test('has what a reader needs, or is found to lack it', async () => {
    const { client: asked, contract } = wrong['retries-404']!
    const result = await runCase(caseById('CLS-03')!, 'GET', asked, resolveContract(contract))
    expect(flawsOf(result)).toEqual([])
    const [reason] = result.verdict.reasons
    const doctored = (more: Partial<Reason>) =>
      flawsOf({ ...result, verdict: { ...result.verdict, reasons: [{ ...reason!, ...more }] } }).map((flaw) => flaw.split(':')[0])
    expect(doctored({ expected: undefined })).toEqual(['CLS-03 (GET) lacks what was expected'])
    expect(doctored({ received: undefined })).toEqual(['CLS-03 (GET) lacks what was received'])
    expect(doctored({ source: '' })).toEqual(['CLS-03 (GET) lacks its source'])
    expect(doctored({ text: 'it came again', mark: undefined })).toEqual(['CLS-03 (GET) lacks the attempt'])
    expect(doctored({ trial: 9 })).toEqual(['CLS-03 (GET) lacks the timeline', 'CLS-03 (GET) lacks how to replay it'])
  })
})
