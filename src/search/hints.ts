import * as fc from 'fast-check'
import { DATE_FORMS, type HeaderValue, type ResponseStep, type RetryAfter } from '../schedule/model.js'
import { RETRY_INFO } from '../trace/hints.js'
import { spreadUpTo } from './numbers.js'
import { shrinkBy } from './shrinking.js'
import { type SearchConstraints, type Space, spaceOf } from './space.js'
import { plainerFields, sizeOfFields } from './step-shrinker.js'

/** The part of a step that tells the client when to come back. */
export type HintFields = Pick<ResponseStep, 'retryAfter' | 'retryAfterMs' | 'headers' | 'body'>

/** Values that the grammar of Retry-After does not allow (RFC 9110 §10.2.3, §5.6.7), the plainest first. */
export const MALFORMED_HINTS: readonly string[] = [
  'soon',
  '-5',
  '1.5',
  '',
  '1, 3',
  'Wed, 31 Feb 2035 10:00:00 GMT',
  '2035-01-01T00:00:00Z',
  '0x10',
  '1e3',
  '10s',
  'Infinity',
]

/** About three years: above every timer, below the end of what a date can say. */
const LONGEST_WAIT_S = 99_900_000

const seconds = fc.oneof({ weight: 2, arbitrary: fc.nat(10) }, { weight: 3, arbitrary: spreadUpTo(LONGEST_WAIT_S) })
const date = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: seconds }, { weight: 1, arbitrary: seconds.map((s) => -s + 0) }),
    fc.constantFrom(...DATE_FORMS),
  )
  .map(([inSeconds, form]): RetryAfter => (form === 'imf' ? { date: inSeconds } : { date: inSeconds, form }))

const retryAfter: fc.Arbitrary<HintFields> = fc
  .oneof<fc.WeightedArbitrary<RetryAfter>[]>(
    { weight: 4, arbitrary: seconds },
    { weight: 4, arbitrary: date },
    { weight: 4, arbitrary: fc.constantFrom(...MALFORMED_HINTS) },
  )
  .map((value) => ({ retryAfter: value }))

const inHeader = (name: string, value: fc.Arbitrary<HeaderValue>): fc.Arbitrary<HintFields> =>
  value.map((text) => ({ headers: { [name]: text } }))

const milliseconds = fc.oneof(
  { weight: 4, arbitrary: spreadUpTo(LONGEST_WAIT_S).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('0.5', '-1', 'soon') },
)
const secondsText = fc.oneof(
  { weight: 4, arbitrary: seconds.map(String) },
  { weight: 1, arbitrary: fc.constantFrom('-5', 'soon', '1.5') },
)

/** How the hint of each name that `hintOf` reads is written. */
const FORMS: Readonly<Record<string, fc.Arbitrary<HintFields>>> = {
  'retry-after': retryAfter,
  'retry-after-ms': spreadUpTo(LONGEST_WAIT_S).map((ms) => ({ retryAfterMs: ms })),
  'x-ms-retry-after-ms': inHeader('x-ms-retry-after-ms', milliseconds),
  'x-amz-retry-after': inHeader('x-amz-retry-after', milliseconds),
  'x-ratelimit-reset': seconds.map((s) => ({
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': { secondsFromNow: s } },
  })),
  'ratelimit-reset': inHeader('ratelimit-reset', secondsText),
  ratelimit: inHeader(
    'ratelimit',
    seconds.map((s) => `"default";r=0;t=${s}`),
  ),
  [RETRY_INFO]: seconds.map((s) => ({
    body: { error: { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${s}s` }] } },
  })),
}

/** Hints under the names that the client is said to read, each name as often as the others. */
export function hintFields({ hintHeaders }: Space): fc.Arbitrary<HintFields> {
  return fc.oneof(...hintHeaders.flatMap((name) => FORMS[name] ?? []))
}

/**
 * Every form of the header that says when to come back: whole seconds (none, few, more than a timer can hold), the three forms of a date,
 * dates that have passed, values against the grammar (RFC 9110 §10.2.3, §5.6.7), and the vendors' own headers.
 *
 * @param constraints `contract`: only the headers that it names, in `retryAfter.headers` (default Retry-After alone). Without a contract:
 *   all that are known
 * @returns an arbitrary of the fields of a step: spread it into one
 * @example
 * test.prop([retryHeaders()])('is never early', async (hint) => {
 *   await expect(await runTrial(client, [{ status: 429, ...hint }, 200])).toHonorRetryAfter()
 * })
 */
export function retryHeaders(constraints: Pick<SearchConstraints, 'contract'> = {}): fc.Arbitrary<HintFields> {
  return shrinkBy(hintFields(spaceOf(constraints)), {
    sizeOf: sizeOfFields,
    simplify: plainerFields,
    accepts: (value): value is HintFields => typeof value === 'object' && value !== null,
  })
}
