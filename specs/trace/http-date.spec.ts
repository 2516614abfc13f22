import { fc, test as prop } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { DATE_FORMS } from '../../src/schedule/model.js'
import { formatHttpDate, parseHttpDate } from '../../src/trace/http-date.js'

const NOW_MS = Date.UTC(2026, 6, 1)
const at = (text: string, nowMs = NOW_MS) => {
  const date = parseHttpDate(text, nowMs)
  return date && new Date(date.epochMs).toISOString()
}

describe('the three forms of RFC 9110 §5.6.7', () => {
  test.each([
    ['imf', 'Sun, 06 Nov 1994 08:49:37 GMT'],
    ['rfc850', 'Sunday, 06-Nov-94 08:49:37 GMT'],
    ['asctime', 'Sun Nov  6 08:49:37 1994'],
  ] as const)('%s: the example of the RFC is read', (form, text) => {
    expect(parseHttpDate(text, NOW_MS)).toEqual({ epochMs: 784_111_777_000, form })
  })

  test.each([
    ['Sun Nov 06 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
    ['Thu Feb 29 00:00:00 2024', '2024-02-29T00:00:00.000Z'],
    ['Tue, 29 Feb 2000 23:59:59 GMT', '2000-02-29T23:59:59.000Z'],
    ['Sat, 01 Jan 0050 00:00:00 GMT', '0050-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(at(text)).toBe(iso)
  })

  test('a leap second is the first second of the next minute', () => {
    expect(at('Sat, 31 Dec 2016 23:59:60 GMT')).toBe('2017-01-01T00:00:00.000Z')
  })

  test('a weekday that does not belong to the date is read as spelled', () => {
    expect(at('Mon, 06 Nov 1994 08:49:37 GMT')).toBe('1994-11-06T08:49:37.000Z')
  })
})

describe('what is no HTTP-date', () => {
  test.each([
    '',
    '30',
    'soon',
    'Sun, 31 Feb 2026 00:00:00 GMT',
    'Sun, 29 Feb 2026 00:00:00 GMT',
    'Sun, 29 Feb 1900 00:00:00 GMT',
    'Sun, 00 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 Nov 1994 08:60:37 GMT',
    'Sun, 06 Nov 1994 08:49:61 GMT',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 8:49:37 GMT',
    'Sun, 06 Nov 94 08:49:37 GMT',
    'Sun,  06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 08:49:37 UTC',
    'Sun, 06 Nov 1994 08:49:37 +0000',
    'sun, 06 nov 1994 08:49:37 gmt',
    'Son, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06-Nov-94 08:49:37 GMT',
    'Sunday, 06-Nov-1994 08:49:37 GMT',
    'Sun Nov 6 08:49:37 1994',
    'Sun Nov  6 08:49:37 1994 GMT',
    '06 Nov 1994 08:49:37 GMT',
    '1994-11-06T08:49:37Z',
    ' Sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT\n',
  ])('%j', (text) => {
    expect(parseHttpDate(text, NOW_MS)).toBeNull()
  })
})

describe('a two-digit year', () => {
  // Seen from 1 July 2026 the border is 1 July 2076.
  test.each([
    ['Monday, 01-Jan-26 00:00:00 GMT', '2026-01-01T00:00:00.000Z'],
    ['Monday, 01-Jan-75 00:00:00 GMT', '2075-01-01T00:00:00.000Z'],
    ['Monday, 01-Jul-76 00:00:00 GMT', '2076-07-01T00:00:00.000Z'],
    ['Monday, 01-Jul-76 00:00:01 GMT', '1976-07-01T00:00:01.000Z'],
    ['Monday, 01-Jan-99 00:00:00 GMT', '1999-01-01T00:00:00.000Z'],
  ])('%s is %s, never more than 50 years ahead', (text, iso) => {
    expect(at(text)).toBe(iso)
  })

  test('reaches into the next century from late in this one', () => {
    expect(at('Monday, 01-Jan-05 00:00:00 GMT', Date.UTC(2090, 0, 1))).toBe('2105-01-01T00:00:00.000Z')
  })

  test('takes the century in which the date exists', () => {
    // 1900 has no 29 February and 2100 is more than 50 years away, but 2000 was a leap year.
    expect(at('Monday, 29-Feb-00 00:00:00 GMT')).toBe('2000-02-29T00:00:00.000Z')
  })
})

describe('formatting', () => {
  test('spells the three forms', () => {
    expect(DATE_FORMS.map((form) => formatHttpDate(784_111_777_000, form))).toEqual([
      'Sun, 06 Nov 1994 08:49:37 GMT',
      'Sunday, 06-Nov-94 08:49:37 GMT',
      'Sun Nov  6 08:49:37 1994',
    ])
  })

  test('rounds up, so that who honours the date does not come early', () => {
    expect(formatHttpDate(784_111_776_001)).toBe('Sun, 06 Nov 1994 08:49:37 GMT')
  })

  // Within 50 years of now on both sides, or a two-digit year would mean another century.
  const epochMs = fc.integer({ min: Date.UTC(1980, 0, 1), max: Date.UTC(2070, 0, 1) })
  prop.prop([epochMs, fc.constantFrom(...DATE_FORMS)], { seed: 1, numRuns: 500 })(
    'what was written reads as the same instant, at most a second later',
    (instantMs, form) => {
      const read = parseHttpDate(formatHttpDate(instantMs, form), NOW_MS)
      expect(read).toEqual({ epochMs: Math.ceil(instantMs / 1000) * 1000, form })
    },
  )

  prop.prop([fc.string()], { seed: 1, numRuns: 500 })('no text makes the parser throw', (text) => {
    const read = parseHttpDate(text, NOW_MS)
    if (read !== null) expect(formatHttpDate(read.epochMs, read.form)).toHaveLength(text.length)
  })
})
