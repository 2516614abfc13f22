import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contract } from '../../fixtures/clients/index.js'
import { callPlan, faultSchedule, retryHeaders, SearchOptionsError } from '../../src/property/index.js'
import { kindOfStep } from '../../src/search/plainness.js'
import { asStep } from '../../src/search/step-shrinker.js'
import { HINT_NAMES } from '../../src/trace/hints.js'

const SAMPLE = { numRuns: 1_000, seed: 1 }
const kindsIn = (constraints: Parameters<typeof faultSchedule>[0]) =>
  new Set(fc.sample(faultSchedule(constraints), SAMPLE).flatMap((steps) => steps.map((step) => kindOfStep(asStep(step)))))

const ENDLESS = ['hang', 'stall', 'endless', 'informational']

describe('schedules', () => {
  test('never end in silence unless the contract promises a time-out or a deadline', () => {
    expect([...kindsIn({ contract: { maxAttempts: 3 } })].filter((kind) => ENDLESS.includes(kind))).toEqual([])
    expect([...kindsIn({ streaming: true })].filter((kind) => ENDLESS.includes(kind))).toEqual([])
    for (const promise of [{ deadlineMs: 8_000 }, { attemptTimeoutMs: 2_000 }]) {
      expect([...kindsIn({ contract: promise })]).toEqual(expect.arrayContaining(ENDLESS))
    }
  })

  test('play every kind of fault', () => {
    expect([...kindsIn({ contract })]).toEqual(
      expect.arrayContaining([
        '200',
        '429',
        '503',
        '404',
        '409',
        'reset',
        'close',
        'refuse',
        'reset-early',
        'reset-headers',
        'reset-body',
        'garbage',
        'truncate-length',
        'truncate-chunked',
        'truncate-gzip',
        'malformed',
        'drip',
      ]),
    )
  })

  test('close connections, but play nothing that no client above the connection can be held to', () => {
    const drawn = JSON.stringify(fc.sample(faultSchedule({ contract }), SAMPLE))
    expect(drawn).toContain('"connection":"close"')
    expect(drawn).not.toContain('closeAfter')
    expect(drawn).not.toMatch(/\b421\b/)
  })

  test('of streams report errors, name events, set reconnection times, and end them with 204', () => {
    const drawn = JSON.stringify(fc.sample(faultSchedule({ contract, streaming: true }), SAMPLE))
    for (const part of ['"event":"error"', '"id":"', '"retryMs":', '"end":"stall"', '},204']) expect(drawn).toContain(part)
  })

  test('last as long as a promised retry budget, and are called as often as it takes', () => {
    const budgeted = { contract: { ...contract, budget: { tokens: 10, ratio: 0.1, cost: 1 } } }
    const isOutage = ([out, well]: readonly unknown[]) => /"repeat":[1-3]\d\}/.test(JSON.stringify(out) + JSON.stringify(well))
    expect(fc.sample(faultSchedule(budgeted), SAMPLE).filter(isOutage).length).toBeGreaterThan(50)
    const most = (constraints: Parameters<typeof callPlan>[0]) =>
      Math.max(...fc.sample(callPlan(constraints), SAMPLE).map(({ calls = 1 }) => calls))
    expect(most(budgeted)).toBeGreaterThan(30)
    expect(most({ ...budgeted, maxCalls: 4 })).toBe(4)
    expect(most({ contract })).toBe(4)
  })

  test('for fetch play nothing that only a socket shows', () => {
    const sockets = ['garbage', 'informational']
    expect(sockets.filter((kind) => !kindsIn({ contract }).has(kind))).toEqual([])
    expect([...kindsIn({ contract, transport: 'fetch' })].filter((kind) => sockets.includes(kind))).toEqual([])
  })

  test('have at most the steps that were asked for', () => {
    const lengths = fc.sample(faultSchedule({ maxSteps: 3 }), SAMPLE).map(({ length }) => length)
    expect(new Set(lengths)).toEqual(new Set([1, 2, 3]))
  })

  test.each(['a reset after a hint', 'three faults in a row', 'work done and not acknowledged, then success'])(
    'reach %s often',
    (state) => {
      const is = {
        'a reset after a hint': (text: string) => /"retryAfter":[^}]*\}?\},"reset/.test(text),
        'three faults in a row': (text: string) =>
          /^\[?.*(50[0-4]|429|reset|close)[^[]*(50[0-4]|429|reset|close)[^[]*(50[0-4]|429|reset|close)/.test(text),
        'work done and not acknowledged, then success': (text: string) => /"apply":true\},(200|201|204)/.test(text),
      }[state]!
      // Of 1000 schedules at least one in fifty: a search of 500 runs gets there ten times on average.
      expect(fc.sample(faultSchedule({ contract }), SAMPLE).filter((steps) => is(JSON.stringify(steps))).length).toBeGreaterThan(
        20,
      )
    },
  )

  test('refuse constraints that make no sense', () => {
    expect(() => faultSchedule({ maxSteps: 0 })).toThrow(
      new SearchOptionsError('maxSteps: expected an integer of at least 1, received 0'),
    )
  })
})

describe('hints', () => {
  test('come under every name that is known', () => {
    const drawn = JSON.stringify(fc.sample(retryHeaders(), SAMPLE))
    const inStep: Record<string, string> = {
      'retry-after': 'retryAfter"',
      'retry-after-ms': 'retryAfterMs',
      'google.rpc.retryinfo': 'google.rpc.RetryInfo',
    }
    expect(HINT_NAMES.filter((name) => !drawn.includes(inStep[name] ?? name))).toEqual([])
  })

  test('come under the names of the contract alone', () => {
    const drawn = fc.sample(retryHeaders({ contract: { retryAfter: { headers: ['retry-after-ms'] } } }), SAMPLE)
    expect(new Set(drawn.flatMap(Object.keys))).toEqual(new Set(['retryAfterMs']))
  })

  test.each([
    '"retryAfter":0',
    '"form":"rfc850"',
    '"form":"asctime"',
    '"date":-',
    '"retryAfter":"soon"',
    '"retryAfter":""',
    '"retryAfter":"-5"',
  ])('include %s', (form) => {
    expect(JSON.stringify(fc.sample(retryHeaders({ contract: {} }), SAMPLE))).toContain(form)
  })

  test('ask for more than a timer can hold, too', () => {
    const waits = fc.sample(retryHeaders({ contract: {} }), SAMPLE).map(({ retryAfter }) => retryAfter)
    expect(waits.filter((wait) => typeof wait === 'number' && wait * 1_000 > 2 ** 31 - 1).length).toBeGreaterThan(20)
  })
})

describe('call plans', () => {
  const plans = fc.sample(callPlan({ contract }), SAMPLE)

  test('vary everything about a call', () => {
    expect(new Set(plans.flatMap(Object.keys))).toEqual(
      new Set(['call', 'abort', 'abortAtMs', 'calls', 'concurrency', 'dedup', 'wallClockOffsetMs', 'seed']),
    )
    expect(new Set(plans.map(({ call }) => call?.method ?? 'POST'))).toEqual(new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))
    expect(new Set(plans.map(({ call }) => call?.idempotencyKey))).toEqual(new Set([undefined, 'none']))
  })

  test('leave the abort out for a client that takes no signal, and for a deadline that is one', () => {
    for (const promise of [{ abort: false }, { deadlineMs: 5_000, deadlineBy: 'signal' as const }]) {
      const drawn = fc.sample(callPlan({ contract: promise }), SAMPLE)
      expect(drawn.filter(({ abort, abortAtMs }) => abort !== undefined || abortAtMs !== undefined)).toEqual([])
    }
  })

  test('ask for one call where more are not wanted', () => {
    expect(fc.sample(callPlan({ maxCalls: 1 }), SAMPLE).filter(({ calls }) => calls !== undefined)).toEqual([])
  })
})
