import { describe, expect, test } from 'vitest'
import type { Level, Reason, VerdictKind } from '../../src/guarantees/model.js'
import { combine, defineGuarantee, notApplicable } from '../../src/guarantees/verdict.js'

const about = { id: 'hint', level: 'must', stage: 2, source: 'RFC 9110', requirement: 'wait' } as const

const reason = (kind: VerdictKind, level: Level = 'must', text: string = kind): Reason => ({
  kind,
  level,
  text,
  rule: 'RAF-01',
  source: 'RFC 9110',
  requirement: 'wait',
  trial: 0,
  attempt: null,
})

describe('combine', () => {
  const table: [string, readonly Reason[], boolean, VerdictKind][] = [
    ['a broken must fails whatever else was kept', [reason('pass'), reason('fail'), reason('inconclusive')], false, 'fail'],
    ['a broken should does not fail', [reason('pass'), reason('fail', 'should')], false, 'pass'],
    ['a broken should fails under strict', [reason('pass'), reason('fail', 'should')], true, 'fail'],
    ['a broken should alone shows nothing', [reason('fail', 'should')], false, 'inconclusive'],
    ['a broken may never fails', [reason('fail', 'may'), reason('pass')], true, 'pass'],
    ['one kept rule passes beside what was not met', [reason('inconclusive'), reason('pass')], false, 'pass'],
    ['what was never met is inconclusive', [reason('inconclusive')], false, 'inconclusive'],
    ['nothing found is inconclusive', [], false, 'inconclusive'],
    ['only exemptions are not applicable', [reason('not-applicable')], false, 'not-applicable'],
    [
      'an exemption beside what was not met is inconclusive',
      [reason('not-applicable'), reason('inconclusive')],
      false,
      'inconclusive',
    ],
  ]
  test.each(table)('%s', (_name, reasons, strict, kind) => {
    expect(combine(reasons, about, { strict }).kind).toBe(kind)
  })

  test('keeps every reason, those that decide first, in the order of the trace', () => {
    const reasons = [
      reason('pass'),
      reason('fail', 'must', 'one'),
      reason('fail', 'should', 'aside'),
      reason('fail', 'must', 'two'),
    ]
    expect(combine(reasons, about, {}).reasons.map(({ text }) => text)).toEqual(['one', 'two', 'pass', 'aside'])
  })

  test('a broken should under strict makes a verdict of that level', () => {
    expect(combine([reason('fail', 'should')], about, { strict: true }).level).toBe('should')
    expect(combine([reason('fail', 'should'), reason('fail')], about, { strict: true }).level).toBe('must')
  })
})

describe('defineGuarantee', () => {
  const define = (reasons: readonly Reason[], inapplicable: string | null = null) =>
    defineGuarantee({
      ...about,
      rule: 'RAF-01',
      unmet: 'nothing happened',
      advice: 'make it happen',
      inapplicable: () => inapplicable,
      reasons: () => reasons,
    })

  test('says what did not happen when nothing was shown', () => {
    expect(
      define([])
        .judge([], {})
        .reasons.map(({ text }) => text),
    ).toEqual(['nothing happened; make it happen'])
  })

  test('gives its advice with what was nearly shown', () => {
    expect(define([reason('inconclusive')]).judge([], {}).reasons).toMatchObject([
      { text: 'inconclusive', expected: 'make it happen' },
    ])
  })

  test.each([
    ['should', 'should, broken: came at once; with `strict` this fails'],
    ['may', 'may, broken: came at once'],
  ] as const)('says so when no more than a %s was broken', (level, text) => {
    const verdict = define([reason('fail', level, 'came at once')]).judge([], {})
    expect(verdict.kind).toBe('inconclusive')
    expect(verdict.reasons.map((one) => [one.kind, one.text])).toEqual([
      ['inconclusive', text],
      ['fail', 'came at once'],
    ])
  })

  test('adds nothing to a verdict that is decided', () => {
    expect(define([reason('pass')]).judge([], {}).reasons).toHaveLength(1)
  })

  test('judges nothing that cannot be asked', () => {
    const verdict = define([reason('fail')], 'no promise').judge([], {})
    expect(verdict).toEqual(notApplicable(about, 'no promise'))
    expect(verdict.reasons).toMatchObject([{ kind: 'not-applicable', rule: 'hint', text: 'no promise' }])
  })
})
