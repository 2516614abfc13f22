import { describe, expect, test } from 'vitest'
import { caseById } from '../../src/cases/index.js'
import type { CallKind, CaseResult } from '../../src/cases/model.js'
import { neverMet, notAsked, outcomeOf, promisedGuarantees, reportOf } from '../../src/contract/results.js'
import type { Level, Reason, VerdictKind } from '../../src/guarantees/model.js'

const row = caseById('CLS-03')!
const info = caseById('CLS-07')!
const unsupported = caseById('H2T-02')!

const reason = (kind: VerdictKind, text: string, level: Level = 'must'): Reason => ({
  kind,
  rule: 'CLS-03',
  level,
  source: 'eng',
  trial: 0,
  attempt: 1,
  text,
  requirement: 'leave it',
})

const result = (kind: VerdictKind, reasons: readonly Reason[] = [reason(kind, kind)], call: CallKind = 'GET'): CaseResult => ({
  case: row,
  call,
  verdict: { guarantee: 'permanence', kind, level: 'must', stage: 2, source: 'eng', reasons },
  trials: [],
})

const brief = (...args: Parameters<typeof outcomeOf>) => {
  const { status, note } = outcomeOf(...args)
  return `${status}: ${note}`
}

describe('the outcome of a case', () => {
  test.each<[string, readonly CaseResult[], string]>([
    ['a call kind that fails fails it', [result('pass'), result('fail', undefined, 'POST')], 'failed: fail'],
    ['one that passes is enough', [result('inconclusive'), result('pass')], 'passed: pass'],
    ['what was never met is inconclusive', [result('inconclusive'), result('not-applicable')], 'inconclusive: inconclusive'],
    ['what none was asked is not applicable', [result('not-applicable')], 'not-applicable: not-applicable'],
    [
      'only a broken should is no pass',
      [result('inconclusive', [reason('inconclusive', 'too short'), reason('fail', 'came at once', 'should')])],
      'should-broken: should, broken: came at once',
    ],
    [
      'a broken should beside a kept must is noted',
      [result('pass', [reason('pass', 'kept'), reason('fail', 'came at once', 'should')])],
      'passed: should, broken: came at once',
    ],
    ['a broken may is nothing', [result('inconclusive', [reason('fail', 'came at once', 'may')])], 'inconclusive: came at once'],
  ])('%s', (_name, results, expected) => {
    expect(brief(row, results, {})).toBe(expected)
  })

  test('a listed failure is expected, in whatever weight it comes', () => {
    const listed = { 'CLS-03': 'T-1' }
    const light = result('inconclusive', [reason('fail', 'came at once', 'should')])
    expect(brief(row, [result('fail')], listed)).toBe('expected-failure: T-1: fail')
    expect(brief(row, [light], listed)).toBe('expected-failure: T-1: came at once')
    expect(brief(row, [result('inconclusive')], listed)).toBe('inconclusive: inconclusive')
  })

  test('a listed failure that is kept is stale', () => {
    expect(brief(row, [result('pass')], { 'CLS-03': 'T-1' })).toBe(
      'stale: listed as an expected failure (T-1) but kept: remove it from the list',
    )
  })

  test('what is informational or unsupported is so whatever happens', () => {
    expect(brief(info, [result('fail')], {})).toBe('informational: fail')
    expect(brief(unsupported, [], {})).toBe('unsupported: not supported yet: the server speaks HTTP/1.1 only')
  })

  test('names the case and what each call came to', () => {
    expect(outcomeOf(row, [result('pass'), result('inconclusive', undefined, 'POST')], {})).toMatchObject({
      id: 'CLS-03',
      guarantee: 'permanence',
      level: 'must',
      calls: [
        { call: 'GET', verdict: 'pass' },
        { call: 'POST', verdict: 'inconclusive' },
      ],
    })
    expect(notAsked(row, 'not now')).toMatchObject({ id: 'CLS-03', status: 'not-applicable', note: 'not now', calls: [] })
  })
})

describe('the report', () => {
  const outcomes = [outcomeOf(row, [result('pass')], {}), outcomeOf(row, [result('fail')], {}), notAsked(row, 'not now')]

  test('counts every status, those that did not occur too', () => {
    expect(reportOf('me', 'catalogue', outcomes).counts).toEqual({
      passed: 1,
      failed: 1,
      'expected-failure': 0,
      stale: 0,
      'should-broken': 0,
      inconclusive: 0,
      informational: 0,
      'not-applicable': 1,
      unsupported: 0,
    })
  })

  test('names the promises that no case showed', () => {
    const contract = { transient: [503], deadlineMs: 1_000, abort: true, idempotency: { required: true } }
    expect(promisedGuarantees(contract)).toEqual(['transience', 'deadline', 'dedup', 'key', 'abort'])
    const met = outcomeOf(caseById('CLS-06')!, [result('pass')], {})
    const unmet = outcomeOf(caseById('DDL-01')!, [result('inconclusive')], {})
    expect(neverMet(contract, [met, unmet])).toEqual(['deadline'])
    const broken = outcomeOf(caseById('DDL-03')!, [result('fail')], {})
    expect(neverMet(contract, [met, unmet, broken])).toEqual([])
  })
})
