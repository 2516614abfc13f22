import { describe, expect, test } from 'vitest'
import { parseSchedule, printSchedule } from '../../src/schedule/index.js'
import type { ScheduleInput } from '../../src/schedule/model.js'
import { outage, tokenBucket } from '../../src/schedule/scripts/index.js'
import type { AttemptResult } from '../../src/trace/model.js'
import { defineClient } from '../../src/trial/client.js'
import type { TrialOptions } from '../../src/trial/model.js'
import { runTrial } from '../../src/trial/run-trial.js'

interface Line {
  readonly line: string
  readonly statuses: readonly AttemptResult[]
  readonly options?: TrialOptions
}

const is = (line: string, statuses: readonly AttemptResult[], options?: TrialOptions): Line => ({ line, statuses, options })

/** What the servers of the public reports did, each in one line that a file or the command line takes too, and what came on the wire. */
const REPORTS: Readonly<Record<string, readonly Line[]>> = {
  A01: [is('[{"status":503,"retryAfter":0},200]', [503, 200])],
  A02: [is('[{"status":429,"retryAfter":2},200]', [429, 200])],
  A03: ['imf', 'rfc850', 'asctime'].map((form) =>
    is(`[{"status":429,"retryAfter":{"date":2,"form":"${form}"}},200]`, [429, 200]),
  ),
  A05: [is('[{"status":429,"retryAfter":2147484},200]', [429, 200])],
  A06: ['-3', '1.5', '+3', 'abc', ''].map((value) => is(`[{"status":429,"retryAfter":"${value}"},200]`, [429, 200])),
  A07: [is('[{"status":429,"retryAfter":600},200]', [429, 200])],
  A08: [is('[{"status":429,"retryAfter":1},200]', [429, 200])],
  A11: [is('[{"status":429,"retryAfter":1,"retryAfterMs":250},200]', [429, 200])],
  A14: [
    is('[{"fault":"reset","delayMs":95},{"fault":"reset","delayMs":99,"repeat":2},"hang"]', ['reset', 'reset', 'reset', 'hang']),
  ],
  A15: [is('[500]', [500, 500])],
  A17: [is('[{"status":200,"stall":"body"}]', [200])],
  A18: [is('[{"status":429,"retryAfter":3},200]', [429, 200])],
  A20: [is('[404]', [404, 404])],
  A21: [is('[{"status":400,"headers":{"x-should-retry":"false"}}]', [400, 400])],
  A23: [is('[400]', [400, 400])],
  A25: [is('[409,200]', [409, 200])],
  A26: [is('[401,200,401,200,401]', [401, 200, 401, 200, 401]), is('[401]', [401, 401])],
  A27: [is('[{"status":200,"delayMs":600},200]', [200, 200])],
  A29: (['replay', 'conflict', 'reject'] as const).map((dedup) =>
    is('[{"status":200,"delayMs":222000},409]', [200, dedup === 'reject' ? 409 : 200], { dedup, call: {} }),
  ),
  A30: [is('[{"fault":"reset","apply":true},200]', ['reset', 200])],
  A31: [is('["reset",200]', ['reset', 200])],
  A32: [is('[503,200]', [503, 200])],
  A33: [is('[503,200]', [503, 200], { call: { method: 'PUT' } })],
  A35: [
    is('[{"status":200,"truncate":"length"},200]', [200, 200], { call: { method: 'GET' } }),
    is('[{"status":200,"truncate":"length"},200]', [200, 200]),
    is('[{"status":200,"json":"malformed"}]', [200]),
  ],
  A36: [is('[503,200,{"status":503,"repeat":2},200]', [503, 200, 503, 503, 200])],
  A37: [is('[504]', [504, 504])],
  A38: [is('[{"status":503,"repeat":1100}]', [503, 503])],
  A42: [is('[404]', [404])],
  B02: [is('[{"status":200,"delayMs":30}]', [200])],
  B17: [
    is('["reset-body"]', [200]),
    is('[{"status":200,"truncate":"chunked"}]', [200]),
    is('[{"status":200,"stream":{"events":[{"data":"a"},{"data":"b","delayMs":20}],"end":"reset"}}]', [200]),
    is('[{"status":200,"delayMs":120000}]', [200]),
  ],
  C01: [is('[{"status":429,"retryAfter":1,"repeat":8},200]', [...Array<number>(8).fill(429), 200])],
  C02: [is('[{"status":503,"repeat":8},200]', [...Array<number>(8).fill(503), 200])],
  C05: [is('[{"status":429,"repeat":4},429,200]', [429, 429, 429, 429, 429, 200])],
  C07: [is('[500]', [500, 500])],
  C08: [is('[500]', [500, 500])],
  C09: [is('[{"status":429,"retryAfter":30}]', [429, 429])],
  C10: [is('[404,200]', [404, 200])],
  C11: [is('[{"status":429,"retryAfter":300,"repeat":2},200]', [429, 429, 200])],
}

/** Sends a request for each status that is expected, whatever comes of the one before. */
const inquisitive = (requests: number) =>
  defineClient('inquisitive', async ({ url, method, headers, body }) => {
    for (let sent = 0; sent < requests; sent++) {
      const signal = AbortSignal.timeout(300_000)
      await fetch(url, { method, headers, body, signal })
        .then((response) => response.text())
        .catch(() => undefined)
    }
  })

const played = (schedule: ScheduleInput, requests: number, options: TrialOptions = {}) =>
  runTrial(inquisitive(requests), schedule, { call: { idempotencyKey: 'none' }, ...options })

describe.each(Object.entries(REPORTS))('%s', (_id, lines) => {
  test.each(lines)('is $line', async ({ line, statuses, options }) => {
    expect(printSchedule(parseSchedule(line))).toBe(line)
    const trial = await played(JSON.parse(line) as ScheduleInput, statuses.length, options)
    expect(trial.statuses).toEqual(statuses)
    expect(trial.unplayed).toEqual(options?.dedup === undefined ? [] : [{ status: 409 }])
  })
})

test('C04: a limiter that is closed for five hours, and one that is shared, are one line of a function', async () => {
  const closed = outage({ forMs: 18_000_000, answer: { status: 429, retryAfter: 18_000 } })
  expect((await played(closed, 2)).statuses).toEqual([429, 429])
  expect((await played(tokenBucket({ capacity: 1, refillPerSecond: 1 }), 2)).statuses).toEqual([200, 429])
})

test('every report with a server in it is here', () => {
  // The others are about clocks, runners and assertions.
  const withServer =
    'A01 A02 A03 A05 A06 A07 A08 A11 A14 A15 A17 A18 A20 A21 A23 A25 A26 A27 A29 A30 A31 A32 A33 A35 A36 A37 A38 A42 B02 B17 C01 C02 C04 C05 C07 C08 C09 C10 C11'
  expect([...Object.keys(REPORTS), 'C04'].sort()).toEqual(withServer.split(' '))
})
