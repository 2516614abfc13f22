import { describe, expect, test } from 'vitest'
import type { PendingTimer } from '../../src/clock/model.js'
import type { Leftovers } from '../../src/trace/model.js'
import { trialOf, unsettled } from '../support/make-trial.js'
import { gist, judged, reasonOf, rulesOf } from './support.js'

const timer: PendingTimer = {
  dueAtMs: 10_000,
  delayMs: 10_000,
  repeats: false,
  refed: true,
  origin: 'guard (client.ts:12:5)',
  byUserCode: true,
}
const left = (leftovers: Partial<Leftovers>) => judged('leftovers', trialOf({ attempts: [{ status: 200 }], leftovers }))

describe('what outlives the call', () => {
  test('an attempt fails, and is named', () => {
    const verdict = judged('leftovers', trialOf({ attempts: [{ status: 503 }, { at: 5_000, status: 200, afterSettling: true }] }))
    expect(gist(verdict)).toBe('fail: attempt 2 came after every call had settled')
    expect(reasonOf(verdict)).toMatchObject({
      rule: 'BKO-03',
      attempt: 2,
      received: 'attempt 2 at 5 000 ms',
      mark: 'after settling',
    })
  })

  test.each<[string, Partial<Leftovers>, string]>([
    ['a timer', { timers: [timer] }, 'a timer of 10 s outlived the call: guard (client.ts:12:5)'],
    [
      'a listener',
      { abortListeners: ['wait (client.ts:9:3)'] },
      "a listener stayed on the caller's signal: wait (client.ts:9:3)",
    ],
    ['an answer', { unreadAnswers: [2] }, 'connection 2 was left with an answer that nobody read'],
    ['a rejection', { unhandledRejections: [new TypeError('late')] }, 'a rejection was handled by nobody: TypeError: late'],
  ])('%s fails', (_name, leftovers, text) => {
    const verdict = left(leftovers)
    expect(gist(verdict)).toBe(`fail: ${text}`)
    expect(reasonOf(verdict)).toMatchObject({ rule: 'DDL-10', expected: 'nothing' })
  })

  test('each of several things has a reason of its own', () => {
    expect(rulesOf(left({ timers: [timer, timer], unhandledRejections: [null] }))).toEqual([
      'fail DDL-10',
      'fail DDL-10',
      'fail DDL-10',
    ])
  })
})

test.each<[string, Partial<Leftovers>]>([
  ['a timer that keeps no process alive', { timers: [{ ...timer, refed: false }] }],
  ["a timer of node's own", { timers: [{ ...timer, byUserCode: false }] }],
  [
    "a listener of node's own fetch",
    { abortListeners: ['new Request (node:internal/deps/undici/undici:9512:20)', 'node:events:10'] },
  ],
  ['idle connections of a pool', { idleSockets: 3 }],
])('%s is not counted', (_name, leftovers) => {
  expect(gist(left(leftovers))).toBe('pass: nothing was left after 1 call')
})

test('a call that never settled shows nothing', () => {
  expect(gist(judged('leftovers', trialOf({ attempts: [{ fault: 'hang' }], outcome: unsettled() })))).toBe(
    'inconclusive: call 1 never settled, so nothing can have outlived it',
  )
})

test('a server without a known caller shows nothing', () => {
  expect(judged('leftovers', trialOf({ attempts: [{ status: 200 }], record: { calls: [] } })).kind).toBe('inconclusive')
})
