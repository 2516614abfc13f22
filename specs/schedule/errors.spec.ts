import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSchedule, parseStep, ScheduleError } from '../../src/schedule/index.js'

const FAULTS = 'reset, reset-early, reset-headers, reset-body, close, hang, refuse, garbage, informational'
const QUOTED_FAULTS = FAULTS.split(', ')
  .map((fault) => `"${fault}"`)
  .join(', ')
const STEP = `a status, a fault (${FAULTS}) or a step object`
const RESPONSE_KEYS =
  'status, headers, body, stream, retryAfter, retryAfterMs, delayMs, bodyDelayMs, dripMs, endless, stall, truncate, json, closeAfter, apply, repeat'
const MILLISECONDS = 'milliseconds from 0 to 315576000000 (ten years)'
const HEADER_VALUE = 'a header value (a string of Latin-1 characters without line breaks)'
const WHOLE = 'whole seconds of at least 0 (a malformed value is sent as a string: "-5")'
const STATUS = 'an integer from 200 to 599'

const messageOf = (parse: () => unknown): string => {
  try {
    parse()
  } catch (error) {
    expect(error).toBeInstanceOf(ScheduleError)
    return (error as ScheduleError).message
  }
  throw new Error('it was accepted')
}

const circular: { self?: unknown } = {}
circular.self = circular

describe('the whole schedule', () => {
  test.each<[unknown, string]>([
    [[], 'schedule: expected at least one step, received []'],
    [null, 'schedule: expected a list of steps or a function, received null'],
    [undefined, 'schedule: expected a list of steps or a function, received nothing'],
    [503, 'schedule: expected a list of steps or a function, received 503; one step is a list too: [503]'],
    [
      { fault: 'reset' },
      'schedule: expected a list of steps or a function, received {"fault":"reset"}; one step is a list too: [{"fault":"reset"}]',
    ],
    [{}, 'schedule: expected a list of steps or a function, received {}'],
    ['"[200]"', 'schedule: expected a list of steps or a function, received "[200]"'],
    [
      'reset',
      `schedule: expected a schedule as JSON, received "reset" (Unexpected token 'r', "reset" is not valid JSON); one step is a list too: ["reset"]`,
    ],
    [{ steps: 200 }, 'schedule.steps: expected a list of steps, received 200'],
    [{ steps: [] }, 'schedule.steps: expected at least one step, received []'],
    [{ steps: [700] }, `schedule.steps[0]: expected ${STATUS}, received 700`],
    [
      { steps: [200], titel: 'x' },
      'schedule.titel: unknown key; did you mean "title"? (allowed: $schema, title, description, steps)',
    ],
    [{ steps: [200], title: 1 }, 'schedule.title: expected text, received 1'],
    [{ steps: [200], choose: 1 }, 'schedule.choose: expected a function, received 1'],
  ])('%j', (input, message) => {
    expect(messageOf(() => parseSchedule(input))).toBe(message)
  })
})

test('text that is no JSON is shown with what the parser says about it', () => {
  // The end of the parser's sentence differs between versions of Node.
  expect(messageOf(() => parseSchedule('[20'))).toMatch(
    /^schedule: expected a schedule as JSON, received "\[20" \(Expected .* position 3/,
  )
})

describe('one step', () => {
  test.each<[string, unknown, string]>([
    ['no step at all', null, `step: expected ${STEP}, received null`],
    ['a list', [200], `step: expected ${STEP}, received [200]`],
    ['a status in quotes', '503', `step: expected ${STEP}, received "503"; a status is a number: 503`],
    ['a misspelt fault', 'rest', `step: expected one of ${QUOTED_FAULTS}, received "rest"; did you mean "reset"?`],
    ['an unknown fault', 'explode', `step: expected one of ${QUOTED_FAULTS}, received "explode"`],
    ['a status below 100', 99, `step: expected ${STATUS}, received 99`],
    ['an informational status', 103, `step: expected ${STATUS} (for 1xx use the fault "informational"), received 103`],
    ['a status above 599', 600, `step: expected ${STATUS}, received 600`],
    ['half a status', 200.5, `step: expected ${STATUS}, received 200.5`],
    ['no number', Number.NaN, `step: expected ${STATUS}, received NaN`],
    ['a status in quotes in a step', { status: '200' }, `step.status: expected ${STATUS}, received "200"`],
    [
      'neither status nor fault',
      { stauts: 1 },
      'step: expected a step object with "status" or "fault", received {"stauts":1}; did you mean "status"?',
    ],
    [
      'an unknown key',
      { status: 200, retryafter: 1 },
      `step.retryafter: unknown key; did you mean "retryAfter"? (allowed: ${RESPONSE_KEYS})`,
    ],
    ['an unknown key of a fault', { fault: 'hang', x: 1 }, 'step.x: unknown key (allowed: fault, apply, delayMs, repeat)'],
    [
      'a key that means something to JavaScript',
      JSON.parse('{"status":200,"__proto__":1}'),
      `step.__proto__: unknown key (allowed: ${RESPONSE_KEYS})`,
    ],
    [
      'null as Retry-After',
      { status: 429, retryAfter: null },
      'step.retryAfter: expected seconds, { date } or a raw string, received null',
    ],
    ['negative seconds', { status: 429, retryAfter: -5 }, `step.retryAfter: expected ${WHOLE}, received -5`],
    ['half seconds', { status: 429, retryAfter: 1.5 }, `step.retryAfter: expected ${WHOLE}, received 1.5`],
    [
      'endless seconds',
      { status: 429, retryAfter: Number.POSITIVE_INFINITY },
      'step.retryAfter: expected seconds, { date } or a raw string, received Infinity',
    ],
    [
      'a line break in Retry-After',
      { status: 429, retryAfter: '1\r\nx: y' },
      `step.retryAfter: expected ${HEADER_VALUE}, received "1\\r\\nx: y"`,
    ],
    [
      'a date that is no number',
      { status: 429, retryAfter: { date: 'x' } },
      'step.retryAfter.date: expected seconds, at most ten years away, received "x"',
    ],
    [
      'a date too far away',
      { status: 429, retryAfter: { date: 1e12 } },
      'step.retryAfter.date: expected seconds, at most ten years away, received 1000000000000',
    ],
    [
      'an unknown date form',
      { status: 429, retryAfter: { date: 1, form: 'iso' } },
      'step.retryAfter.form: expected one of "imf", "rfc850", "asctime", received "iso"',
    ],
    [
      'an unknown key of a date',
      { status: 429, retryAfter: { date: 1, from: 'imf' } },
      'step.retryAfter.from: unknown key; did you mean "form"? (allowed: date, form)',
    ],
    [
      'the older name in the path',
      { status: 429, retry_after: null },
      'step.retry_after: expected seconds, { date } or a raw string, received null',
    ],
    [
      'both spellings',
      { status: 429, retry_after: 1, retryAfter: 1 },
      'step.retry_after: "retry_after" contradicts "retryAfter": they are two spellings of one option',
    ],
    ['a negative delay', { status: 200, delayMs: -1 }, `step.delayMs: expected ${MILLISECONDS}, received -1`],
    [
      'an endless delay',
      { fault: 'reset', delayMs: Number.POSITIVE_INFINITY },
      `step.delayMs: expected ${MILLISECONDS}, received Infinity`,
    ],
    [
      'a delay that is no number',
      { status: 200, bodyDelayMs: Number.NaN },
      `step.bodyDelayMs: expected ${MILLISECONDS}, received NaN`,
    ],
    [
      'a delay above ten years',
      { status: 200, retryAfterMs: 1e12 },
      `step.retryAfterMs: expected ${MILLISECONDS}, received 1000000000000`,
    ],
    ['no repetition', { status: 200, repeat: 0 }, 'step.repeat: expected an integer of at least 1, received 0'],
    ['half a repetition', { fault: 'hang', repeat: 1.5 }, 'step.repeat: expected an integer of at least 1, received 1.5'],
    ['apply as text', { status: 200, apply: 'true' }, 'step.apply: expected true or false, received "true"'],
    [
      'a wrong choice',
      { status: 200, truncate: 'chunk' },
      'step.truncate: expected one of "length", "chunked", "gzip", received "chunk"; did you mean "chunked"?',
    ],
    [
      'an unknown way to malform JSON',
      { status: 200, json: 'broken' },
      'step.json: expected one of "malformed", received "broken"',
    ],
    [
      'headers as a list',
      { status: 200, headers: ['a'] },
      'step.headers: expected an object of header names and values, received ["a"]',
    ],
    [
      'a header name with a space',
      { status: 200, headers: { 'x a': 'b' } },
      'step.headers["x a"]: expected a header name (letters, digits and dashes), received "x a"',
    ],
    [
      'a header name that means something to JavaScript',
      JSON.parse('{"status":200,"headers":{"__proto__":"x"}}'),
      'step.headers.__proto__: not allowed as a header name',
    ],
    [
      'a number as a header value',
      { status: 200, headers: { age: 5 } },
      'step.headers.age: expected a string, a list of strings or { secondsFromNow }, received 5',
    ],
    [
      'a line break in a header value',
      { status: 200, headers: { 'x-a': 'b\nc' } },
      `step.headers["x-a"]: expected ${HEADER_VALUE}, received "b\\nc"`,
    ],
    [
      'a character outside Latin-1',
      { status: 200, headers: { 'x-a': '\u2713' } },
      `step.headers["x-a"]: expected ${HEADER_VALUE}, received "\u2713"`,
    ],
    [
      'a bad value in a list',
      { status: 200, headers: { 'x-a': ['ok', 1] } },
      `step.headers["x-a"][1]: expected ${HEADER_VALUE}, received 1`,
    ],
    [
      'an empty list of values',
      { status: 200, headers: { 'x-a': [] } },
      'step.headers["x-a"]: expected at least one value, received []',
    ],
    [
      'a stamp that is no number',
      { status: 200, headers: { 'x-a': { secondsFromNow: '1' } } },
      'step.headers["x-a"].secondsFromNow: expected seconds, at most ten years away, received "1"',
    ],
    [
      'one header in two spellings',
      { status: 200, headers: { 'X-A': '1', 'x-a': '2' } },
      'step.headers["x-a"]: the same header as "X-A"; write one name with a list',
    ],
    [
      'a function as body',
      { status: 200, body: () => 1 },
      'step.body: expected text, a JSON value, bytes or { $base64 }, received a function',
    ],
    ['a date as body', { status: 200, body: new Date(0) }, 'step.body: expected a JSON value, received a Date'],
    [
      'no number in the body',
      { status: 200, body: { a: [1, Number.NaN] } },
      'step.body.a[1]: expected a JSON value, received NaN',
    ],
    [
      'nothing in a list of the body',
      { status: 200, body: [undefined] },
      'step.body[0]: expected a JSON value, received nothing',
    ],
    ['a body that contains itself', { status: 200, body: circular }, 'step.body: expected at most 500 levels of nesting'],
    ['wrong base64', { status: 200, body: { $base64: 'x' } }, 'step.body.$base64: expected base64 with padding, received "x"'],
    [
      'base64 with company',
      { status: 200, body: { $base64: 'AA==', a: 1 } },
      'step.body.a: "$base64" stands alone; no other key is allowed beside it',
    ],
    ['a stream without events', { status: 200, stream: {} }, 'step.stream.events: expected a list of events, received nothing'],
    [
      'a line break in an event',
      { status: 200, stream: { events: [{ event: 'a\nb' }] } },
      'step.stream.events[0].event: expected text without line breaks, received "a\\nb"',
    ],
    [
      'an unknown key of an event',
      { status: 200, stream: { events: [{ retry: 1 }] } },
      'step.stream.events[0].retry: unknown key; did you mean "retryMs"? (allowed: event, data, id, retryMs, delayMs)',
    ],
    [
      'data that JSON cannot hold',
      { status: 200, stream: { events: [{ data: 1n }] } },
      'step.stream.events[0].data: expected a JSON value, received 1n',
    ],
    [
      'an unknown end of a stream',
      { status: 200, stream: { events: [], end: 'hang' } },
      'step.stream.end: expected one of "clean", "reset", "stall", "close", received "hang"',
    ],
  ])('%s', (_, input, message) => {
    expect(messageOf(() => parseStep(input))).toBe(message)
  })
})

describe('contradictions name both options', () => {
  test.each<[unknown, string]>([
    [
      { status: 200, fault: 'reset' },
      'step.status: "status" contradicts "fault": a fault is no answer; it takes apply, delayMs, repeat',
    ],
    [
      { fault: 'reset', body: 'x' },
      'step.body: "body" contradicts "fault": a fault is no answer; it takes apply, delayMs, repeat',
    ],
    [
      { fault: 'reset', retry_after: 1 },
      'step.retry_after: "retryAfter" contradicts "fault": a fault is no answer; it takes apply, delayMs, repeat',
    ],
    [
      { status: 200, truncate: 'length', stall: 'body' },
      'step.truncate: "truncate" contradicts "stall": half a body is followed by a close or by silence, not both',
    ],
    [
      { status: 200, dripMs: 1, truncate: 'length' },
      'step.dripMs: "dripMs" contradicts "truncate": a cut body is sent in one piece',
    ],
    [{ status: 200, stream: { events: [] }, body: 'x' }, 'step.stream: "stream" contradicts "body": an answer has one body'],
    [{ status: 200, stream: { events: [] }, truncate: 'length' }, 'step.stream: "stream" contradicts "truncate": use stream.end'],
    [{ status: 200, stream: { events: [] }, stall: 'body' }, 'step.stream: "stream" contradicts "stall": use stream.end'],
    [{ status: 200, stream: { events: [] }, dripMs: 1 }, 'step.stream: "stream" contradicts "dripMs": use delayMs of the events'],
    [
      { status: 200, json: 'malformed', body: 'x' },
      'step.json: "json" contradicts "body": the malformed body is made by the server',
    ],
    [
      { status: 200, json: 'malformed', stream: { events: [] } },
      'step.json: "json" contradicts "stream": an answer has one body',
    ],
    [{ status: 200, endless: true }, 'step.endless: "endless" needs "dripMs" above 0: a body without an end is dripped'],
    [
      { status: 200, endless: true, dripMs: 0 },
      'step.endless: "endless" needs "dripMs" above 0: a body without an end is dripped',
    ],
    [
      { status: 429, retryAfter: 1, headers: { 'Retry-After': '1' } },
      'step.headers["Retry-After"]: the header "Retry-After" contradicts "retryAfter": give one of them',
    ],
    [
      { status: 429, retryAfterMs: 1, headers: { 'retry-after-ms': '1' } },
      'step.headers["retry-after-ms"]: the header "retry-after-ms" contradicts "retryAfterMs": give one of them',
    ],
    [{ status: 204, body: 'x' }, 'step.body: "body" contradicts "status 204": such an answer has no body'],
    [{ status: 304, dripMs: 1 }, 'step.dripMs: "dripMs" contradicts "status 304": such an answer has no body'],
    [{ status: 205, stall: 'body' }, 'step.stall: "stall" contradicts "status 205": such an answer has no body'],
  ])('%j', (input, message) => {
    expect(messageOf(() => parseStep(input))).toBe(message)
  })

  test.each<[unknown]>([
    [{ status: 204, stall: 'headers' }],
    [{ status: 200, endless: false }],
    [{ status: 200, dripMs: 1, stall: 'body' }],
    [{ status: 429, retryAfter: 1, retryAfterMs: 500 }],
    [{ status: 429, retryAfter: undefined, headers: { 'retry-after': '1' } }],
  ])('%j is none', (input) => {
    expect(() => parseStep(input)).not.toThrow()
  })
})

describe('several issues', () => {
  test('each has a line of its own, in the order of the steps', () => {
    const input = [200, { status: 1, delayMs: -1 }, 'rest', { status: 200, stall: 'body', truncate: 'gzip', foo: 1 }]
    const error = (() => {
      try {
        return parseSchedule(input)
      } catch (thrown) {
        return thrown as ScheduleError
      }
    })() as ScheduleError
    expect(error.issues.map((issue) => issue.path)).toEqual([
      'schedule[1].status',
      'schedule[1].delayMs',
      'schedule[2]',
      'schedule[3].foo',
      'schedule[3].truncate',
    ])
    expect(error.message.split('\n')).toEqual(error.issues.map((issue) => `${issue.path}: ${issue.message}`))
    expect(error.name).toBe('ScheduleError')
  })

  test('beyond the twentieth are counted', () => {
    const lines = messageOf(() => parseSchedule(Array<number>(23).fill(99))).split('\n')
    expect([lines.length, lines[19], lines[20]]).toEqual([21, `schedule[19]: expected ${STATUS}, received 99`, 'and 3 more'])
  })

  test('a hole in the list is an issue', () => {
    // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested.
    expect(messageOf(() => parseSchedule([200, , 200]))).toBe(`schedule[1]: expected ${STEP}, received nothing`)
  })

  test('the name of the place is the caller’s', () => {
    expect(messageOf(() => parseSchedule([99], 'storm.json'))).toBe(`storm.json[0]: expected ${STATUS}, received 99`)
  })
})

test('whatever comes in is either a schedule or a ScheduleError that says where', () => {
  const nearlyAStep = fc.dictionary(
    fc.constantFrom(...RESPONSE_KEYS.split(', '), 'fault', 'retry_after', '__proto__', 'x'),
    fc.anything(),
  )
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.string(), fc.array(fc.oneof(fc.anything(), nearlyAStep))), (input) => {
      try {
        expect(parseSchedule(input)).toHaveProperty('steps')
      } catch (error) {
        expect(error).toBeInstanceOf(ScheduleError)
        expect((error as ScheduleError).issues.length).toBeGreaterThan(0)
        expect((error as ScheduleError).issues.every((issue) => issue.path.startsWith('schedule'))).toBe(true)
      }
    }),
    { seed: 1, numRuns: 2_000 },
  )
})
