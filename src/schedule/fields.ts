import * as z from 'zod'
import { DATE_FORMS, FAULT_KINDS } from './model.js'

// In these schemas the `error` of a field is what was EXPECTED there; issues.ts makes the sentence of it. For unknown keys it
// is the list of the allowed ones.

/** Ten years. A longer wait is a mistake, and its end may not fit the four-digit year of an HTTP-date. */
const MAX_DELAY_MS = 10 * 365.25 * 86_400_000
const MAX_DATE_SECONDS = MAX_DELAY_MS / 1000

/** An object that takes these keys and no others. */
export const closed = <Shape extends z.core.$ZodLooseShape>(shape: Shape, expected: string) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : expected),
  })

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: `one of ${values.map((value) => `"${value}"`).join(', ')}` })

export const flag = () => z.boolean({ error: 'true or false' })

const STATUS = 'an integer from 200 to 599'
const expectedStatus = (issue: { readonly input?: unknown }): string =>
  typeof issue.input === 'number' && issue.input >= 100 && issue.input < 200
    ? `${STATUS} (for 1xx use the fault "informational")`
    : STATUS

export const status = z
  .number({ error: expectedStatus })
  .int({ error: expectedStatus })
  .min(200, { error: expectedStatus })
  .max(599, { error: expectedStatus })
  .meta({ description: 'Status code of the answer, 200 to 599.' })

export const faultKind = oneOf(FAULT_KINDS).meta({
  description:
    'What happens instead of a complete answer: reset (after the request was read), reset-early (before), reset-headers, reset-body ' +
    '(half way), close (without a byte), hang (never answered), refuse (connection refused), garbage (not HTTP), informational (103 for ever).',
})

const MILLISECONDS = `milliseconds from 0 to ${MAX_DELAY_MS} (ten years)`

export const delayMs = (description: string) =>
  z
    .number({ error: MILLISECONDS })
    .min(0, { error: MILLISECONDS })
    .max(MAX_DELAY_MS, { error: MILLISECONDS })
    .meta({ description })

const REPEAT = 'an integer of at least 1'
export const repeat = z
  .number({ error: REPEAT })
  .int({ error: REPEAT })
  .min(1, { error: REPEAT })
  .meta({ description: 'For how many attempts this step is played. Default 1; the last step of a schedule repeats for ever.' })

const HEADER_NAME = 'a header name (letters, digits and dashes)'
const HEADER_VALUE = 'a header value (a string of Latin-1 characters without line breaks)'
/** RFC 9110 §5.6.2: token. */
const headerName = z.string({ error: HEADER_NAME }).regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: HEADER_NAME })
/** RFC 9110 §5.5: visible characters, space, tab and obs-text. */
export const headerText = z.string({ error: HEADER_VALUE }).regex(/^[\t\x20-\x7e\x80-\xff]*$/, { error: HEADER_VALUE })

const SECONDS_FROM_NOW = 'seconds, at most ten years away'
const secondsFromNow = () =>
  z
    .number({ error: SECONDS_FROM_NOW })
    .min(-MAX_DATE_SECONDS, { error: SECONDS_FROM_NOW })
    .max(MAX_DATE_SECONDS, { error: SECONDS_FROM_NOW })

const HEADER = 'a string, a list of strings or { secondsFromNow }'
const headerValue = z.union(
  [
    headerText,
    z.array(headerText, { error: HEADER }).min(1, { error: 'at least one value' }),
    closed(
      {
        secondsFromNow: secondsFromNow().meta({ description: 'The value is the epoch second this many seconds after serving.' }),
      },
      HEADER,
    ),
  ],
  { error: HEADER },
)

export const headers = z
  .record(headerName, headerValue, { error: 'an object of header names and values' })
  .meta({ description: 'Headers of the answer; a list repeats the header.' })

const WHOLE_SECONDS = 'whole seconds of at least 0 (a malformed value is sent as a string: "-5")'
const RETRY_AFTER = 'seconds, { date } or a raw string'
export const retryAfter = z
  .union(
    [
      // Not int(): its complaint would count as "not a number", and the hint about strings would be lost.
      z
        .number({ error: RETRY_AFTER })
        .multipleOf(1, { error: WHOLE_SECONDS })
        .min(0, { error: WHOLE_SECONDS })
        .max(Number.MAX_SAFE_INTEGER, { error: WHOLE_SECONDS }),
      closed(
        {
          date: secondsFromNow().meta({
            description: 'Seconds from serving to the date; negative is in the past. Rounded up to a second.',
          }),
          form: oneOf(DATE_FORMS).optional().meta({ description: 'Spelling of the HTTP-date (RFC 9110 §5.6.7). Default imf.' }),
        },
        RETRY_AFTER,
      ),
      headerText,
    ],
    { error: RETRY_AFTER },
  )
  .meta({
    description:
      'The Retry-After header: seconds, a date that many seconds after serving, or a raw string that may be malformed.',
  })
