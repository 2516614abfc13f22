import { expect, test } from 'vitest'
import { type CaseOutcome, type CaseStatus, reportOf } from '../../src/contract/results.js'
import { renderSummary } from '../../src/contract/summary.js'
import type { GuaranteeId } from '../../src/guarantees/model.js'

const outcome = (id: string, guarantee: GuaranteeId, status: CaseStatus, note = ''): CaseOutcome => ({
  id,
  title: id,
  guarantee,
  level: 'must',
  source: 'eng',
  status,
  note,
  calls: [],
})

test('the summary has a row for each guarantee that was asked, a total, and why the rest was not', () => {
  const report = reportOf('orders', 'catalogue@2026-11', [
    outcome('RAF-01', 'hint', 'passed'),
    outcome('RAF-06', 'hint', 'should-broken', 'should, broken: came at once'),
    outcome('RAF-17', 'hint', 'not-applicable', 'no such header'),
    outcome('RAF-19', 'hint', 'not-applicable', 'no such header'),
    outcome('CLS-01', 'permanence', 'failed'),
    outcome('CLS-03', 'permanence', 'expected-failure'),
    outcome('CLS-04', 'permanence', 'stale'),
    outcome('DDL-02', 'deadline', 'informational'),
    outcome('DDL-07', 'deadline', 'inconclusive'),
    outcome('H2T-02', 'attempts', 'unsupported', 'not supported yet'),
  ])
  expect(renderSummary(report)).toBe(
    [
      'orders: catalogue@2026-11, 10 cases',
      '',
      '                 passed failed expected  stale should not met   info    n/a unsupported',
      '  permanence          ·      1        1      1      ·       ·      ·      ·           ·',
      '  hint                1      ·        ·      ·      1       ·      ·      2           ·',
      '  deadline            ·      ·        ·      ·      ·       1      1      ·           ·',
      '  attempts            ·      ·        ·      ·      ·       ·      ·      ·           1',
      '  all                 1      1        1      1      1       1      1      2           1',
      '',
      '  not asked:',
      '    no such header: RAF-17, RAF-19',
      '    not supported yet: H2T-02',
    ].join('\n'),
  )
})

test('a suite that was asked everything gives no reasons', () => {
  expect(renderSummary(reportOf('orders', 'catalogue', [outcome('RAF-01', 'hint', 'passed')]))).not.toContain('not asked')
})
