import type { DateForm } from '../schedule/model.js'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const LONG_DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

const month = `(?<month>${MONTHS.join('|')})`
const time = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)'

// HTTP-date is case-sensitive and has single spaces (RFC 9110 §5.6.7). The weekday is checked as spelled, not against the date:
// the grammar does not tie them together and no client computes with it.
const GRAMMAR: readonly (readonly [DateForm, RegExp])[] = [
  ['imf', new RegExp(`^(?:${DAYS.join('|')}), (?<day>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT$`)],
  ['rfc850', new RegExp(`^(?:${LONG_DAYS.join('|')}), (?<day>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT$`)],
  ['asctime', new RegExp(`^(?:${DAYS.join('|')}) ${month} (?<day>\\d\\d| \\d) ${time} (?<year>\\d{4})$`)],
]

/** An instant as a header spelled it. */
export interface HttpDate {
  readonly epochMs: number
  readonly form: DateForm
}

type DateParts = Record<'year' | 'day' | 'hour' | 'minute' | 'second', number> & { readonly monthIndex: number }

/** null for a date that no calendar has: 31 February, hour 24. A leap second (60) is the first second of the next minute. */
function toEpochMs(parts: DateParts): number | null {
  const { year, monthIndex, day, hour, minute, second } = parts
  if (hour > 23 || minute > 59 || second > 60) return null
  const date = new Date(0)
  // Not Date.UTC, which reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, monthIndex, day)
  if (date.getUTCMonth() !== monthIndex || date.getUTCDate() !== day) return null
  return date.setUTCHours(hour, minute, second, 0)
}

function fiftyYearsAfter(epochMs: number): number {
  const date = new Date(epochMs)
  return date.setUTCFullYear(date.getUTCFullYear() + 50)
}

/** The last year with these two digits that does not put the date more than 50 years ahead (RFC 9110 §5.6.7). */
function twoDigitYearToEpochMs(parts: DateParts, nowMs: number): number | null {
  const latestMs = fiftyYearsAfter(nowMs)
  const century = Math.floor(new Date(latestMs).getUTCFullYear() / 100) * 100
  for (const base of [century, century - 100]) {
    const epochMs = toEpochMs({ ...parts, year: base + parts.year })
    if (epochMs !== null && epochMs <= latestMs) return epochMs
  }
  return null
}

/**
 * Reads an HTTP-date in any of its three forms, strictly by the grammar of RFC 9110 §5.6.7.
 *
 * @param text The field value, without surrounding white space.
 * @param nowMs Milliseconds since 1970 that count as now: settles the century of a two-digit year.
 * @returns null when it is not a date of one of the three forms, or a date that does not exist.
 * @example
 * parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT', 0) // { epochMs: 784111777000, form: 'imf' }
 */
export function parseHttpDate(text: string, nowMs: number): HttpDate | null {
  for (const [form, pattern] of GRAMMAR) {
    const groups = pattern.exec(text)?.groups
    if (!groups) continue
    const parts = {
      year: Number(groups.year),
      monthIndex: (MONTHS as readonly string[]).indexOf(groups.month!),
      day: Number(groups.day),
      hour: Number(groups.hour),
      minute: Number(groups.minute),
      second: Number(groups.second),
    }
    const epochMs = form === 'rfc850' ? twoDigitYearToEpochMs(parts, nowMs) : toEpochMs(parts)
    return epochMs === null ? null : { epochMs, form }
  }
  return null
}

/**
 * Writes an HTTP-date (RFC 9110 §5.6.7), rounded UP to the next whole second: a client that waits for the date never comes before
 * the instant that was meant. For a `Date` header, which must not run ahead, pass a whole second.
 *
 * @param epochMs Milliseconds since 1970.
 * @param form The spelling. Default 'imf'.
 * @example
 * formatHttpDate(784111776001) // 'Sun, 06 Nov 1994 08:49:37 GMT'
 */
export function formatHttpDate(epochMs: number, form: DateForm = 'imf'): string {
  const date = new Date(Math.ceil(epochMs / 1000) * 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const weekday = date.getUTCDay()
  const day = date.getUTCDate()
  const monthName = MONTHS[date.getUTCMonth()]
  const year = String(date.getUTCFullYear()).padStart(4, '0')
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
  switch (form) {
    case 'imf':
      return `${DAYS[weekday]}, ${two(day)} ${monthName} ${year} ${clock} GMT`
    case 'rfc850':
      return `${LONG_DAYS[weekday]}, ${two(day)}-${monthName}-${year.slice(-2)} ${clock} GMT`
    case 'asctime':
      return `${DAYS[weekday]} ${monthName} ${String(day).padStart(2, ' ')} ${clock} ${year}`
    default:
      return form satisfies never
  }
}
