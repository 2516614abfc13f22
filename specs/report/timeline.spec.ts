import { describe, expect, test } from 'vitest'
import { columnsOf } from '../../src/report/text.js'
import { renderTimeline } from '../../src/report/timeline.js'
import { rejected, resolved, trialOf, unsettled } from '../support/make-trial.js'
import { oddTrials } from '../support/odd-trials.js'

/** Without the indent and the line breaks around an inline picture. */
const picture = (text: string) => `\n${text}\n`
const limited = trialOf({
  attempts: [
    { status: 429, headers: { 'Retry-After': '30' } },
    { at: 512, status: 200 },
  ],
})

test('shows requests, answers, hints and the outcome, with a mark at the attempt that broke the rule', () => {
  const marks = new Map([[2, '29 488 ms too early']])
  expect(picture(renderTimeline(limited, { marks }))).toMatchInlineSnapshot(`
    "
         0 ms  #1 → POST /v1/chat   key k-1
         0 ms  #1 ← 429             Retry-After: 30
       512 ms  #2 → POST /v1/chat   key k-1          ✗ 29 488 ms too early
       512 ms  #2 ← 200
       512 ms  resolved 200
    "
  `)
})

test('is what a trial draws of itself', () => {
  expect(limited.timeline()).toBe(renderTimeline(limited))
})

test('shows a long wait on a line of its own, and a date with the time that is left', () => {
  const trial = trialOf({
    attempts: [
      { status: 503, headers: { 'Retry-After': 'Thu, 01 Jan 2026 00:00:30 GMT' }, headersAt: 100, endedAt: 150 },
      { at: 30_150, status: 200 },
    ],
  })
  expect(picture(trial.timeline())).toMatchInlineSnapshot(`
    "
         0 ms  #1 → POST /v1/chat   key k-1
       100 ms  #1 ← 503             Retry-After: in 29.9 s (Thu, 01 Jan 2026 00:00:30 GMT)
       150 ms  #1 ← end of body
               ⋮  waited 30 s
    30 150 ms  #2 → POST /v1/chat   key k-1
    30 150 ms  #2 ← 200
    30 150 ms  resolved 200
    "
  `)
})

test('shows faults, hang-ups and cut bodies, and whether the work was applied', () => {
  const trial = trialOf({
    attempts: [
      { fault: 'reset', ledger: 'new' },
      { at: 500, fault: 'hang', hungUpAt: 900 },
      { at: 900, status: 200, ledger: 'new', key: 'k-9', endedAt: null, hungUpAt: 1200 },
      { at: 1300, status: 200, complete: false, answer: 'half', key: 'k-8' },
      { at: 1400, status: 200, fault: 'reset-body', ledger: 'none' },
      { at: 1500, fault: 'refuse', requestComplete: false },
    ],
    outcome: rejected('other side closed\n  at socket', 'body'),
  })
  expect(picture(trial.timeline())).toMatchInlineSnapshot(`
    "
         0 ms  #1 → POST /v1/chat    key k-1
         0 ms  #1 ✗ reset            (after the work was applied)
       500 ms  #2 → POST /v1/chat    key k-1
       500 ms  #2 ✗ hang
       900 ms  #2 ✗ client hung up
       900 ms  #3 → POST /v1/chat    key k-9
       900 ms  #3 ← 200
     1 200 ms  #3 ✗ client hung up   (after the work was applied)
     1 300 ms  #4 → POST /v1/chat    key k-8
     1 300 ms  #4 ← 200
     1 300 ms  #4 ✗ body cut         after 4 bytes
     1 400 ms  #5 → POST /v1/chat    key k-1
     1 400 ms  #5 ← 200
     1 400 ms  #5 ✗ reset-body
     1 500 ms  #6 → POST /v1/chat    key k-1  request broke off
     1 500 ms  #6 ✗ refuse
     1 500 ms  rejected Error: other side closed at socket (while reading the body)
    "
  `)
})

test('shows what the ledger did with a known key', () => {
  const marks = ['new', 'in-progress', 'replay', 'reject', 'mismatch', 'duplicate'] as const
  const statuses = [500, 409, 200, 409, 422, 200]
  const trial = trialOf({ attempts: marks.map((ledger, index) => ({ at: index, status: statuses[index], ledger })) })
  expect(picture(trial.timeline())).toMatchInlineSnapshot(`
    "
         0 ms  #1 → POST /v1/chat   key k-1
         0 ms  #1 ← 500             applied
         1 ms  #2 → POST /v1/chat   key k-1
         1 ms  #2 ← 409             work still in progress
         2 ms  #3 → POST /v1/chat   key k-1
         2 ms  #3 ← 200             dedup: first result again
         3 ms  #4 → POST /v1/chat   key k-1
         3 ms  #4 ← 409             key already used
         4 ms  #5 → POST /v1/chat   key k-1
         4 ms  #5 ← 422             known key, other body
         5 ms  #6 → POST /v1/chat   key k-1
         5 ms  #6 ← 200             DUPLICATE WORK
         5 ms  resolved 200
    "
  `)
})

test('tells several calls apart', () => {
  const trial = trialOf({
    attempts: [
      { status: 503 },
      { call: 1, status: 200 },
      { at: 40, status: 200 },
      { call: null, at: 50, status: 200, method: 'GET', path: '/ping' },
    ],
    calls: [{}, { outcome: rejected('too late') }],
  })
  expect(picture(trial.timeline())).toMatchInlineSnapshot(`
    "
         0 ms  #1 → POST /v1/chat   call 1  key k-1
         0 ms  #1 ← 503
         0 ms  #2 → POST /v1/chat   call 2  key k-2
         0 ms  #2 ← 200
         0 ms  call 2 rejected Error: too late
        40 ms  #3 → POST /v1/chat   call 1  key k-1
        40 ms  #3 ← 200
        40 ms  call 1 resolved 200
        50 ms  #4 → GET /ping       call ?
        50 ms  #4 ← 200
    "
  `)
})

test('an outcome follows the attempts of its own call when everything happens in one millisecond', () => {
  const trial = trialOf({ attempts: [{ status: 503 }, { status: 200 }, { call: 1, status: 200 }] })
  expect(picture(trial.timeline())).toMatchInlineSnapshot(`
    "
         0 ms  #1 → POST /v1/chat   call 1  key k-1
         0 ms  #1 ← 503
         0 ms  #2 → POST /v1/chat   call 1  key k-1
         0 ms  #2 ← 200
         0 ms  call 1 resolved 200
         0 ms  #3 → POST /v1/chat   call 2  key k-2
         0 ms  #3 ← 200
         0 ms  call 2 resolved 200
    "
  `)
})

describe('the end', () => {
  test('an abort by the caller comes before the hang-up that it causes', () => {
    const trial = trialOf({
      attempts: [{ fault: 'hang', hungUpAt: 300 }],
      calls: [{ abortedAt: 300 }],
      outcome: rejected('This operation was aborted'),
    })
    expect(picture(trial.timeline())).toMatchInlineSnapshot(`
      "
           0 ms  #1 → POST /v1/chat   key k-1
           0 ms  #1 ✗ hang
         300 ms  caller aborted
         300 ms  #1 ✗ client hung up
         300 ms  rejected Error: This operation was aborted
      "
    `)
  })

  test('an abort at the deadline says so', () => {
    const trial = trialOf({
      attempts: [{ fault: 'hang', hungUpAt: 8000 }],
      calls: [{ abortedAt: 8000 }],
      record: { abortAtMs: 8000 },
    })
    expect(picture(trial.timeline())).toMatchInlineSnapshot(`
      "
           0 ms  #1 → POST /v1/chat   key k-1
           0 ms  #1 ✗ hang
       8 000 ms  caller aborted (deadline 8 000 ms)
       8 000 ms  #1 ✗ client hung up
       8 000 ms  rejected Error: hang
      "
    `)
  })

  test('a call that never settles names what it waits for', () => {
    const trial = trialOf({
      attempts: [{ fault: 'hang' }],
      outcome: unsettled('an answer to attempt 1', 'timer retryLater (client.ts:12:5)'),
    })
    expect(picture(trial.timeline())).toMatchInlineSnapshot(`
      "
           0 ms  #1 → POST /v1/chat   key k-1
           0 ms  #1 ✗ hang
           0 ms  UNSETTLED deadlock
                   waits for an answer to attempt 1
                   waits for timer retryLater (client.ts:12:5)
      "
    `)
  })

  test('attempts after settling and what was left behind come last', () => {
    const timer = { delayMs: 5000, repeats: false, origin: 'retryLater (client.ts:12:5)' }
    const trial = trialOf({
      attempts: [{ status: 503 }, { at: 700, status: 200, afterSettling: true }],
      leftovers: {
        timers: [
          { ...timer, dueAtMs: 5700, refed: true, byUserCode: true },
          { ...timer, dueAtMs: 9000, refed: false, byUserCode: true },
          { ...timer, dueAtMs: 9000, refed: true, byUserCode: false },
        ],
        abortListeners: ['wait (client.ts:3:1)'],
        unreadAnswers: [1, 2],
        unhandledRejections: [new TypeError('fetch failed')],
      },
    })
    expect(picture(trial.timeline())).toMatchInlineSnapshot(`
      "
           0 ms  #1 → POST /v1/chat   key k-1
           0 ms  #1 ← 503
           0 ms  rejected Error: HTTP 503
         700 ms  #2 → POST /v1/chat   key k-1  after settling
         700 ms  #2 ← 200
                 left behind: timer due at 5 700 ms: retryLater (client.ts:12:5)
                 left behind: listener on the signal: wait (client.ts:3:1)
                 left behind: unhandled rejection: TypeError: fetch failed
                 left behind: 2 answers nobody read
      "
    `)
  })

  test('many leftovers are counted', () => {
    const abortListeners = Array.from({ length: 8 }, (_, index) => `wait (client.ts:${index}:1)`)
    const lines = trialOf({ attempts: [{ status: 200 }], leftovers: { abortListeners } })
      .timeline()
      .split('\n')
    expect(lines.slice(-2).map((line) => line.trim())).toEqual([
      'left behind: listener on the signal: wait (client.ts:4:1)',
      'left behind: 3 more',
    ])
  })

  test.each([
    [resolved(204), 'resolved 204'],
    [{ kind: 'resolved', value: { id: 7 } } as const, 'resolved {"id":7}'],
    [{ kind: 'resolved', value: 'x'.repeat(60) } as const, `resolved "${'x'.repeat(39)}…`],
    [{ kind: 'resolved', value: new Response('') } as const, 'resolved'],
    [{ kind: 'rejected', error: 'text', phase: 'call' } as const, 'rejected "text"'],
    [{ kind: 'rejected', error: undefined, phase: 'call' } as const, 'rejected undefined'],
    [{ kind: 'rejected', error: new RangeError(), phase: 'call' } as const, 'rejected RangeError'],
  ])('outcome %#: %j', (outcome, text) => {
    const last = trialOf({ attempts: [{ status: 200 }], outcome })
      .timeline()
      .split('\n')
      .at(-1)
    expect(last).toBe(`     0 ms  ${text}`)
  })

  test('what the clock noticed stands at the end', () => {
    const trial = trialOf({ attempts: [{ status: 503 }, { at: 1, status: 200 }] })
    const noticed = {
      ...trial,
      timerOverflows: [
        { atMs: 0, requestedMs: 2_592_000_000, origin: 'wait (client.ts:3:7)' },
        { atMs: 1, requestedMs: Number.NaN, origin: 'wait (client.ts:3:7)' },
      ],
      foreignConnections: [
        { atMs: 0, host: 'metrics.example.com', port: 443, refused: true },
        { atMs: 1, host: '127.0.0.1', port: 9229, refused: false },
      ],
      relapses: 1,
    }
    expect(picture(renderTimeline(noticed))).toMatchInlineSnapshot(`
      "
           0 ms  #1 → POST /v1/chat   key k-1
           0 ms  #1 ← 503
           1 ms  #2 → POST /v1/chat   key k-1
           1 ms  #2 ← 200
           1 ms  resolved 200
                 at 0 ms: a delay of 2 592 000 000 ms fires after 1 ms: wait (client.ts:3:7)
                 at 1 ms: a delay of NaN ms fires after 1 ms: wait (client.ts:3:7)
                 at 0 ms: connection to metrics.example.com:443 refused
                 at 1 ms: connection to 127.0.0.1:9229 let go
                 time stood still again 1 time when it was about to move: its waits may be inexact
      "
    `)
  })

  test('a thousand overflows are counted', () => {
    const overflow = { atMs: 0, requestedMs: -1, origin: 'wait (client.ts:3:7)' }
    const noticed = { ...trialOf({ attempts: [{ status: 200 }] }), timerOverflows: Array.from({ length: 1000 }, () => overflow) }
    expect(renderTimeline(noticed).split('\n').at(-1)).toMatch(/^ +and 995 more$/)
  })

  test('an outcome that nobody saw is not shown', () => {
    const trial = trialOf({ attempts: [{ status: 200 }], outcome: { kind: 'unobserved' } })
    expect(trial.timeline().split('\n').at(-1)).toContain('#1 ← 200')
  })
})

describe('width', () => {
  const path = `/v1/${'x'.repeat(200)}`
  const wide = trialOf({
    path,
    key: 'k'.repeat(80),
    attempts: [{ status: 429, headers: { 'Retry-After': 'x'.repeat(200) } }, { at: 9 }],
  })

  test.each([undefined, 80, 120])('no line is longer than asked for (%s)', (width) => {
    const lines = renderTimeline(wide, { width, marks: new Map([[2, 'm'.repeat(200)]]) }).split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBe(width ?? 100)
  })

  test('a long path and a long key leave room for the mark', () => {
    const line = renderTimeline(wide, { marks: new Map([[2, '9 ms too early']]) }).split('\n')[2]
    expect(line).toMatch(/#2 → POST \/v1\/x+…\s+key k+…\s+✗ 9 ms too early$/)
  })

  test.for(oddTrials)('$name fits narrow terminals too, whatever was sent', ({ trial, options: { marks } }) => {
    for (const width of [40, 60, 100]) {
      const lines = renderTimeline(trial, { width, marks }).split('\n')
      expect(lines.filter((line) => columnsOf(line) > width)).toEqual([])
      expect(lines.join('')).not.toMatch(/[\p{Cc}\u202A-\u202E]/u)
    }
  })

  test('what takes two columns a character is set under one another all the same', () => {
    const trial = trialOf({
      attempts: [{ status: 503 }, { at: 9, status: 200, path: '/注文' }],
      path: '/v1',
    })
    const [first, , second] = renderTimeline(trial).split('\n')
    expect(columnsOf(first!.slice(0, first!.indexOf('key')))).toBe(columnsOf(second!.slice(0, second!.indexOf('key'))))
  })

  test('times of many digits widen their column', () => {
    const trial = trialOf({ attempts: [{ status: 503 }, { at: 2_592_000_000, status: 200 }] })
    expect(picture(trial.timeline())).toMatchInlineSnapshot(`
      "
                  0 ms  #1 → POST /v1/chat   key k-1
                  0 ms  #1 ← 503
                        ⋮  waited 720 h
      2 592 000 000 ms  #2 → POST /v1/chat   key k-1
      2 592 000 000 ms  #2 ← 200
      2 592 000 000 ms  resolved 200
      "
    `)
  })
})

test('ASCII is all that is used when asked for', () => {
  const trial = trialOf({
    attempts: [
      { fault: 'reset', path: '/é' },
      { at: 2000, status: 200, path: '/é' },
    ],
  })
  expect(picture(renderTimeline(trial, { ascii: true, marks: new Map([[2, 'gap ≥ 3 s']]) }))).toMatchInlineSnapshot(`
    "
         0 ms  #1 -> POST /?   key k-1
         0 ms  #1 x reset
               :  waited 2 s
     2 000 ms  #2 -> POST /?   key k-1  x gap >= 3 s
     2 000 ms  #2 <- 200
     2 000 ms  resolved 200
    "
  `)
})

describe('a long trace', () => {
  const many = (count: number) => trialOf({ attempts: Array.from({ length: count }, (_, at) => ({ at, status: 503 })) })
  const skipped = (text: string) =>
    text
      .split('\n')
      .filter((line) => line.includes('not shown'))
      .map((line) => line.trim())

  test('of 40 attempts is whole', () => {
    const lines = many(40).timeline().split('\n')
    expect(lines).toHaveLength(81)
  })

  test('of more shows the first and the last twenty', () => {
    const text = many(100).timeline()
    // Two lines for each of 40 attempts, one for what was left out, one for the outcome.
    expect(text.split('\n')).toHaveLength(82)
    expect(skipped(text)).toEqual(['⋮  60 attempts not shown (#21 to #80)'])
  })

  test('keeps the attempts that have a mark', () => {
    const text = renderTimeline(many(100), { marks: new Map([[22, 'here']]) })
    expect(skipped(text)).toEqual(['⋮  1 attempt not shown (#21)', '⋮  58 attempts not shown (#23 to #80)'])
    expect(text).toContain('#22 → POST /v1/chat    key k-1  ✗ here')
  })
})

test('a long trace of parallel calls announces what is left out once', () => {
  const attempts = Array.from({ length: 100 }, (_, call) => ({ call, at: call % 10, status: 200 }))
  const lines = trialOf({ attempts }).timeline().split('\n')
  const counts = lines.flatMap((line) => Number(/(\d+) attempts? not shown/.exec(line)?.[1] ?? []))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60)
})

test('a trial in which nothing was sent shows its outcome', () => {
  expect(picture(trialOf({ attempts: [], outcome: rejected('aborted') }).timeline())).toMatchInlineSnapshot(`
    "
         0 ms  rejected Error: aborted
    "
  `)
})
