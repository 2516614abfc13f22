import { describe, expect, test } from 'vitest'
import { parseRetryAfter } from '../../src/trace/retry-after.js'

const SERVED_MS = Date.UTC(2026, 0, 1, 0, 0, 0, 250)
const read = (...values: string[]) => parseRetryAfter(values, SERVED_MS)

test.each([
  ['0', 0],
  ['1', 1000],
  ['007', 7000],
  ['3600', 3_600_000],
  ['3000000', 3_000_000_000],
  [' 30\t', 30_000],
])('%j is that many seconds', (text, ms) => {
  expect(read(text)).toEqual({ kind: 'seconds', ms })
})

test.each(['9007199254740993', '9'.repeat(400)])('%s seconds stay a finite number', (text) => {
  expect(read(text)).toEqual({ kind: 'seconds', ms: Number.MAX_SAFE_INTEGER })
})

describe('a date', () => {
  const atWallMs = Date.UTC(2026, 0, 1, 0, 0, 30)
  test.each(['Thu, 01 Jan 2026 00:00:30 GMT', 'Thursday, 01-Jan-26 00:00:30 GMT', 'Thu Jan  1 00:00:30 2026'])(
    '%s is as far away as the serving clock says',
    (text) => {
      expect(read(text)).toEqual({ kind: 'date', atWallMs, waitMs: 29_750 })
    },
  )

  test('in the past asks for no wait', () => {
    expect(read('Wed, 31 Dec 2025 23:00:00 GMT')).toMatchObject({ kind: 'date', waitMs: 0 })
  })
})

test.each(['', ' ', '-5', '+3', '1.5', '1e3', '0x10', 'soon', '3s', '3 0', '٣', 'Thu, 31 Feb 2026 00:00:00 GMT', '1, soon', ','])(
  '%j is malformed',
  (text) => {
    expect(read(text)).toEqual({ kind: 'malformed', raw: text.trim() })
  },
)

test('no header line at all is malformed', () => {
  expect(read()).toEqual({ kind: 'malformed', raw: '' })
})

describe('several values', () => {
  test.each([
    [['1, 3'], 1000],
    [['3', '1'], 1000],
    [['5', '5'], 5000],
    [['Thu, 01 Jan 2026 00:00:30 GMT', '60'], 29_750],
  ])('%j are a list whose smallest value counts', (values, minMs) => {
    expect(read(...values)).toEqual({ kind: 'list', minMs })
  })

  test('one that cannot be read spoils the list', () => {
    expect(read('3', 'soon')).toEqual({ kind: 'malformed', raw: '3, soon' })
  })
})
