import { describe, expect, test } from 'vitest'
import { HINT_NAMES, hintOf } from '../../src/trace/hints.js'
import { type AttemptSketch, trialOf, WALL_START_MS } from '../support/make-trial.js'

const attempt = (sketch: AttemptSketch) => trialOf({ attempts: [{ status: 429, at: 100, ...sketch }] }).attempts[0]!
const hint = (headers: AttemptSketch['headers'], ...names: string[]) =>
  hintOf(attempt({ headers }), { headers: names.length > 0 ? names : ['retry-after'] })

test('the window opens when the headers were flushed and closes when the time has passed', () => {
  const late = attempt({ headersAt: 150, endedAt: 900, headers: { 'Retry-After': '30' } })
  expect(hintOf(late, { headers: ['retry-after'] })).toEqual({
    header: 'retry-after',
    raw: '30',
    kind: 'seconds',
    opensAtMs: 150,
    closesAtMs: 30_150,
    waitMs: 30_000,
  })
})

test('an answer without the header gives no hint', () => {
  expect(hint({})).toBeNull()
})

test('an answer whose headers never left gives no hint', () => {
  const broken = attempt({ status: undefined, fault: 'reset-headers', headers: { 'Retry-After': '30' } })
  expect(hintOf(broken, { headers: ['retry-after'] })).toBeNull()
})

test('a header that the contract does not list is not looked at', () => {
  expect(hint({ 'Retry-After-Ms': '250' })).toBeNull()
})

describe('a date', () => {
  const headers = { 'Retry-After': 'Thu, 01 Jan 2026 00:00:30 GMT' }

  test('closes at that instant of the clock that served it', () => {
    const skewed = attempt({ headers, servedWallMs: WALL_START_MS + 250 })
    expect(hintOf(skewed, { headers: ['retry-after'] })).toMatchObject({ kind: 'date', waitMs: 29_750, closesAtMs: 29_850 })
  })

  test('counts from the end of the second in the Date header when no better time is known', () => {
    const foreign = attempt({ headers: { ...headers, Date: 'Thu, 01 Jan 2026 00:00:10 GMT' }, servedWallMs: null })
    expect(hintOf(foreign, { headers: ['retry-after'] })).toMatchObject({ waitMs: 19_001, closesAtMs: 19_101 })
  })

  test('has no place in time when the answer has none', () => {
    const timeless = attempt({ headers, servedWallMs: null })
    expect(hintOf(timeless, { headers: ['retry-after'] })).toMatchObject({ kind: 'date', waitMs: null, closesAtMs: null })
  })

  test('in the past closes at once', () => {
    expect(hint({ 'Retry-After': 'Wed, 31 Dec 2025 23:00:00 GMT' })).toMatchObject({ waitMs: 0, closesAtMs: 100 })
  })
})

test('two header lines are a list', () => {
  expect(hint({ 'Retry-After': ['1', '3'] })).toMatchObject({ kind: 'list', raw: '1, 3', waitMs: 1000 })
})

test('a malformed hint says so and closes nowhere', () => {
  expect(hint({ 'Retry-After': '-5' })).toMatchObject({ kind: 'malformed', raw: '-5', waitMs: null, closesAtMs: null })
})

// The attempt is served 100 ms after the wall clock's start.
test.each([
  ['retry-after-ms', '250', 'ms', 250],
  ['retry-after-ms', '250.5', 'ms', 250.5],
  ['x-ms-retry-after-ms', '250', 'ms', 250],
  ['x-amz-retry-after', '1500', 'ms', 1500],
  ['x-ratelimit-reset', String(WALL_START_MS / 1000 + 3), 'date', 2900],
  ['x-ratelimit-reset', String(WALL_START_MS / 1000 - 3), 'date', 0],
  ['ratelimit-reset', '7', 'seconds', 7000],
  ['ratelimit', '"default";r=0;t=30', 'seconds', 30_000],
  ['ratelimit', '"burst";r=0;t=5, "daily";r=9;t=3600, "minute";r=0;t=40', 'seconds', 40_000],
])('%s: %s', (name, value, kind, waitMs) => {
  expect(hint({ [name]: value }, name)).toMatchObject({ header: name, raw: value, kind, waitMs })
})

test.each([
  ['retry-after-ms', '-1'],
  ['retry-after-ms', 'soon'],
  ['x-ratelimit-reset', 'tomorrow'],
  ['ratelimit-reset', '1.5'],
  ['ratelimit', 'limit=10'],
])('%s: %s is malformed', (name, value) => {
  expect(hint({ [name]: value }, name)).toMatchObject({ kind: 'malformed', waitMs: null })
})

test.each([
  ['x-ratelimit-reset', { 'x-ratelimit-reset': '1767225700', 'x-ratelimit-remaining': '12' }],
  ['ratelimit-reset', { 'ratelimit-reset': '60', 'ratelimit-remaining': '1' }],
  ['ratelimit', { ratelimit: '"default";r=4;t=30' }],
])('%s asks for nothing while quota is left', (name, headers) => {
  expect(hint(headers, name)).toBeNull()
})

describe('google.rpc.RetryInfo', () => {
  const withDelay = (retryDelay: string) => {
    const detail = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }
    return hintOf(attempt({ answer: { error: { code: 429, details: [{ '@type': 'other' }, detail] } } }), {
      headers: ['google.rpc.retryinfo'],
    })
  }

  test.each([
    ['2s', 2000],
    ['0.5s', 500],
    ['0.0000001s', 1],
  ])('%s in the error body', (delay, waitMs) => {
    expect(withDelay(delay)).toMatchObject({ kind: 'seconds', raw: delay, waitMs })
  })

  test('a delay without its unit is malformed', () => {
    expect(withDelay('2')).toMatchObject({ kind: 'malformed' })
  })

  test.each([['not json'], [{ error: 'text' }], [{ error: { details: [] } }], [[1]]])('%j holds none', (answer) => {
    expect(hintOf(attempt({ answer }), { headers: ['google.rpc.retryinfo'] })).toBeNull()
  })
})

describe('several hints', () => {
  const headers = { 'Retry-After': '5', 'Retry-After-Ms': '250' }

  test('the first name in the list wins', () => {
    expect(hint(headers, 'retry-after-ms', 'retry-after')).toMatchObject({ header: 'retry-after-ms', waitMs: 250 })
    expect(hint(headers, 'retry-after', 'retry-after-ms')).toMatchObject({ header: 'retry-after', waitMs: 5000 })
  })

  test('a malformed one gives way to a well-formed one behind it', () => {
    const mixed = { 'Retry-After-Ms': 'x', 'Retry-After': '5' }
    expect(hint(mixed, 'retry-after-ms', 'retry-after')).toMatchObject({ header: 'retry-after', waitMs: 5000 })
  })

  test('when all are malformed the first is reported', () => {
    const mixed = { 'Retry-After-Ms': 'x', 'Retry-After': 'y' }
    expect(hint(mixed, 'retry-after-ms', 'retry-after')).toMatchObject({ header: 'retry-after-ms', kind: 'malformed' })
  })
})

test('every name is understood', () => {
  const headers = Object.fromEntries(HINT_NAMES.map((name) => [name, '1']))
  const unread = HINT_NAMES.filter((name) => hint(headers, name) === null)
  expect(unread).toEqual(['google.rpc.retryinfo'])
})
