import { expect, test } from 'vitest'
import { sound } from '../../fixtures/clients/index.js'
import { Coverage } from '../../src/search/coverage.js'
import { runTrial } from '../../src/trial/run-trial.js'

const fetchLoop = sound['fetch-loop']!

test('the table counts faults with hints by methods in phases', async () => {
  const coverage = new Coverage()
  coverage.add(await runTrial(fetchLoop, [{ status: 429, retryAfter: 2 }, { fault: 'reset', apply: true }, 200]), ['retry-after'])
  coverage.add(await runTrial(fetchLoop, [{ status: 503, retryAfter: { date: 3 } }, 200], { call: { method: 'GET' } }), [
    'retry-after',
  ])
  expect(coverage.table()).toBe(
    [
      'fault · hint             GET · first  GET · re-send  POST keyed · first  POST keyed · re-send',
      '200 · no hint                      .              1                   .                     .',
      '429 · seconds                      .              .                   1                     .',
      '503 · imf date                     1              .                   .                     .',
      'ledger 200 · no hint               .              .                   .                     1',
      'reset applied · no hint            .              .                   .                     1',
      '',
      'pairs met: fault × hint 5, fault × method 5, fault × phase 5, hint × method 4, hint × phase 3, method × phase 4',
    ].join('\n'),
  )
  expect(coverage.count({ fault: '429', hint: 'seconds', method: 'POST keyed', phase: 'first' })).toBe(1)
  expect(coverage.attempts).toBe(5)
})

test('a table of nothing says so', () => {
  expect(new Coverage().table()).toBe('fault · hint\n\npairs met: none')
})
