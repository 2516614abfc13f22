import { deepStrictEqual } from 'node:assert'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DATE_FORMS, FAULT_KINDS, parseSchedule, printSchedule, type ScheduleInput } from '../../src/schedule/index.js'

describe('the shortest notation', () => {
  test.each<[string, ScheduleInput, string]>([
    ['a status alone is a number', [{ status: 503 }, 200], '[503,200]'],
    ['a fault alone is a string', [{ fault: 'reset' }, 'hang'], '["reset","hang"]'],
    [
      'anything more is an object',
      [
        { fault: 'reset', apply: true },
        { status: 429, retryAfter: 30 },
      ],
      '[{"fault":"reset","apply":true},{"status":429,"retryAfter":30}]',
    ],
    [
      'what was written stays, default or not',
      [{ status: 200, repeat: 1, headers: {} }],
      '[{"status":200,"headers":{},"repeat":1}]',
    ],
    [
      'the order of keys is always the same',
      [{ delayMs: 1, body: null, status: 200 }],
      '[{"status":200,"body":null,"delayMs":1}]',
    ],
    ['bytes are base64', [{ status: 200, body: new Uint8Array([1]) }], '[{"status":200,"body":{"$base64":"AQ=="}}]'],
    [
      'a stamp stays relative',
      [{ status: 403, headers: { 'x-ratelimit-reset': { secondsFromNow: 60 } } }],
      '[{"status":403,"headers":{"x-ratelimit-reset":{"secondsFromNow":60}}}]',
    ],
  ])('%s', (_, schedule, text) => {
    expect(printSchedule(schedule)).toBe(text)
  })

  test('the older spelling is printed in the newer one', () => {
    expect(printSchedule(parseSchedule('[{"status":429,"retry_after":1,"delay_ms":1500}]'))).toBe(
      '[{"status":429,"retryAfter":1,"delayMs":1500}]',
    )
  })

  test('a function cannot be printed', () => {
    expect(printSchedule(() => 200)).toBeNull()
  })
})

const delayMs = fc.oneof(fc.nat(100_000), fc.double({ min: 0, max: 315_576_000_000, noNaN: true }))
const headerText = fc.string({ unit: fc.constantFrom('a', 'Z', '0', ' ', '"', ',', '\t', '\u00ff'), maxLength: 6 })
const headerValue = fc.oneof(
  headerText,
  fc.array(headerText, { minLength: 1, maxLength: 3 }),
  fc.record({ secondsFromNow: fc.integer({ min: -9999, max: 9999 }) }),
)
const body = fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue(), fc.uint8Array())
const retryAfter = fc.oneof(
  fc.nat(),
  headerText,
  fc.record(
    { date: fc.double({ min: -9999, max: 9999, noNaN: true }), form: fc.constantFrom(...DATE_FORMS) },
    { requiredKeys: ['date'] },
  ),
)
const event = fc.record(
  { event: fc.constant('e'), data: fc.jsonValue(), id: fc.string({ unit: 'grapheme-ascii' }), retryMs: fc.nat(), delayMs },
  { requiredKeys: [] },
)
/** How the body comes: options that exclude one another. */
const bodyOptions = fc.oneof(
  fc.record({ body, bodyDelayMs: delayMs }, { requiredKeys: [] }),
  fc.record({ body, truncate: fc.constantFrom('length', 'chunked', 'gzip') }, { requiredKeys: ['truncate'] }),
  fc.record({ stall: fc.constantFrom('headers', 'body') }),
  fc.record({ dripMs: fc.integer({ min: 1, max: 9999 }), endless: fc.boolean() }, { requiredKeys: ['dripMs'] }),
  fc.record({ json: fc.constant('malformed') }),
  fc.record({
    stream: fc.record(
      { events: fc.array(event), end: fc.constantFrom('clean', 'reset', 'stall', 'close') },
      { requiredKeys: ['events'] },
    ),
  }),
)
const response = fc
  .tuple(
    fc.record(
      {
        status: fc.integer({ min: 200, max: 599 }).filter((status) => ![204, 205, 304].includes(status)),
        headers: fc.dictionary(fc.constantFrom('x-a', 'x-b', 'Set-Cookie'), headerValue),
        retryAfter,
        retryAfterMs: delayMs,
        delayMs,
        closeAfter: fc.constantFrom('answer', 'next-request'),
        apply: fc.boolean(),
        repeat: fc.integer({ min: 1 }),
      },
      { requiredKeys: ['status'] },
    ),
    bodyOptions,
  )
  .map(([head, rest]) => ({ ...head, ...rest }))
const fault = fc.record(
  { fault: fc.constantFrom(...FAULT_KINDS), apply: fc.boolean(), delayMs, repeat: fc.integer({ min: 1 }) },
  { requiredKeys: ['fault'] },
)
const schedule = fc.array(fc.oneof(response, fault, fc.constantFrom(...FAULT_KINDS), fc.integer({ min: 200, max: 599 })), {
  minLength: 1,
  maxLength: 5,
}) as fc.Arbitrary<ScheduleInput>

describe('laws', () => {
  test('parsing what was printed gives the schedule back', () => {
    fc.assert(
      fc.property(schedule, (input) => {
        const parsed = parseSchedule(input)
        // Not toEqual: it would not see the difference between 0 and -0, nor an undefined option.
        deepStrictEqual(parseSchedule(printSchedule(parsed)), parsed)
        deepStrictEqual(parseSchedule(JSON.parse(printSchedule(parsed) ?? '')), parsed)
      }),
      { seed: 1, numRuns: 1_000 },
    )
  })

  test('printing is stable, and on one line', () => {
    fc.assert(
      fc.property(schedule, (input) => {
        const text = printSchedule(input)
        expect(printSchedule(parseSchedule(text))).toBe(text)
        expect(text).not.toContain('\n')
      }),
      { seed: 2, numRuns: 500 },
    )
  })
})
