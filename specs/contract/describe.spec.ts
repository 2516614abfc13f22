import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContractReport } from '../../src/contract/results.js'
import { runVitest, type SpecResult, type VitestRun } from '../support/run-vitest.js'

const CLIENTS = fileURLToPath(new URL('../../fixtures/clients/index.ts', import.meta.url))
const reports = mkdtempSync(join(tmpdir(), 'retrial-contract-'))
afterAll(() => rmSync(reports, { recursive: true }))

const suite = (name: string, client: string, contract: string, options = '{}') => `
import { describeRetryContract } from 'retrial/contract'
import { contract, sound, wrong } from '${CLIENTS}'
describeRetryContract('${name}', ${client}, ${contract}, { call: { method: 'GET' }, ...${options} })
`
const reportFile = (name: string) => join(reports, 'below', `${name}.json`)
const reportOf = (name: string) => JSON.parse(readFileSync(reportFile(name), 'utf8')) as ContractReport
const VERBOSE = ['--reporter=verbose']
const failuresOf = (tests: readonly SpecResult[]) => tests.filter(({ status }) => status === 'failed')

test('a sound client passes what it promises, is asked nothing else, and gets a table and a report', async () => {
  const file = suite('sound', "sound['fetch-loop']", 'contract', JSON.stringify({ reportFile: reportFile('sound') }))
  const { tests, output, exitCode } = await runVitest({ 'sound.spec.ts': file }, VERBOSE)
  expect(failuresOf(tests)).toEqual([])
  expect(exitCode).toBe(0)
  // 94 cases and ISO-01, one test each, and the one that looks for promises nobody met.
  expect(tests).toHaveLength(96)
  expect(output).toMatch(/CLS-16 .* \[not-applicable: the contract speaks no should-retry header\]/)
  expect(output).toMatch(/IDM-05 .* \[not-applicable: the suite is limited to GET\]/)
  expect(output).toMatch(/H2T-01 .* \[unsupported: not supported yet: the server speaks HTTP\/1.1 only\]/)
  const { client, catalogue, counts, outcomes } = reportOf('sound')
  expect({ client, catalogue, cases: outcomes.length }).toEqual({
    client: 'fetch-loop',
    catalogue: 'catalogue@2026-11',
    cases: 95,
  })
  expect(counts).toMatchObject({
    failed: 0,
    'expected-failure': 0,
    stale: 0,
    'should-broken': 0,
    inconclusive: 0,
    unsupported: 3,
  })
  expect(counts.passed).toBe(tests.filter(({ status }) => status === 'passed').length - 1)
  expect(output).toContain('fetch-loop: catalogue@2026-11, 95 cases')
  expect(output).toMatch(/^ +passed +failed +expected +stale +should +not met +info +n\/a +unsupported$/m)
  expect(output).toMatch(new RegExp(`^ +all +${counts.passed} +0 +0 +0 +0 +0 +\\d+ +\\d+ +3$`, 'm'))
}, 60_000)

describe('cases that are not as promised', () => {
  const known = "{ ...contract, expectedFailures: { 'CLS-03': 'T-1' } }"
  let run: VitestRun
  const failuresIn = (name: string) => failuresOf(run.tests).filter((one) => one.name.startsWith(`${name} `))

  // One project for all of them: starting vitest takes longer than what it plays here.
  beforeAll(async () => {
    run = await runVitest(
      {
        'broken.spec.ts': suite('broken', "wrong['retries-404'].client", 'contract'),
        'known.spec.ts': suite('known', "wrong['retries-404'].client", known),
        'stale.spec.ts': suite('stale', "sound['fetch-loop']", known),
        'unknown.spec.ts': suite('unknown', "sound['fetch-loop']", "{ expectedFailures: { 'RAF-99': 'T-1' } }"),
        'light.spec.ts': suite(
          'light',
          "wrong['never-retries'].client",
          '{}',
          JSON.stringify({ reportFile: reportFile('light') }),
        ),
        'stage.spec.ts': suite('stage', "sound['fetch-loop']", '{ stages: [3] }'),
        'vacuous.spec.ts': suite('vacuous', "wrong['never-retries'].client", '{ retryAfter: { capMs: 60_000 } }'),
      },
      ['-t', 'CLS-03|CLS-11|RAF-01|every promised', ...VERBOSE],
    )
  }, 90_000)

  test('fail with the text of a matcher, under the id of the case', () => {
    const [broken, ...others] = failuresIn('broken')
    expect(others).toEqual([])
    expect(broken?.name).toBe('broken CLS-03 A 404 or 410 (a retired model) is sent once')
    const { failure } = broken!
    expect(failure).toMatch(
      /^ContractBrokenError: CLS-03 \(GET\): attempt 2 repeated the GET \d+ ms after a 404\n\n {2}rule {6}CLS-03 \(must\): /,
    )
    expect(failure).toContain('do not repeat a request for something that does not exist')
    expect(failure).toContain('Azure Core guidelines, AIP-194')
    expect(failure).toMatch(/^ {2}expected {2}no attempt after a 404\n {2}received {2}attempt 2 at \d+ ms$/m)
    expect(failure).toContain('  replay    [404]')
  })

  test('are forgiven when they are listed', () => {
    expect(failuresIn('known')).toEqual([])
    expect(run.output).toMatch(/known > CLS-03 .* \[expected-failure: T-1: attempt 2 repeated the GET \d+ ms after a 404\]/)
  })

  test('fail once they are kept again, as long as they are listed', () => {
    const [stale, ...others] = failuresIn('stale')
    expect(others).toEqual([])
    expect(stale?.name).toMatch(/^stale CLS-03/)
    expect(stale?.failure).toContain('CLS-03: listed as an expected failure (T-1) but kept: remove it from the list')
  })

  test('are refused by name when nobody knows them', () => {
    expect(run.exitCode).toBe(1)
    expect(run.output).toContain('contract.expectedFailures: no such case RAF-99; ids look like CLS-01, RAF-04, IDM-05')
  })

  test('are told apart when only a should is broken', () => {
    expect(failuresIn('light')).toEqual([])
    expect(run.output).toContain('[should, broken: the client did not repeat the GET after a 429]')
    expect(reportOf('light').counts).toMatchObject({ 'should-broken': 1, passed: 1, failed: 0 })
  })

  test('are not asked when the contract leaves their stage out', () => {
    expect(failuresIn('stage')).toEqual([])
    expect(run.output).toMatch(/stage > CLS-03 .* \[not-applicable: the contract asks for stages 3 only\]/)
  })

  test('leave a promise unshown when none of its cases was met', () => {
    const [unshown, ...others] = failuresIn('vacuous')
    expect(others).toEqual([])
    expect(unshown?.name).toBe('vacuous every promised guarantee was met')
    expect(unshown?.failure).toContain('promised, but no case of it was kept or broken')
  })
})
