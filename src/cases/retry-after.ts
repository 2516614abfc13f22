import type { StepInput } from '../schedule/model.js'
import { github, google, ietf } from '../schedule/presets/index.js'
import { RETRY_INFO } from '../trace/hints.js'
import type { TrialOptions } from '../trial/model.js'
import type { Row } from './model.js'
import { BOUNDED, each, endless, malformedHints, planned } from './play.js'
import { enforced, needsBackoff, needsDeadline, needsHeader } from './promises.js'

const RETRY_AFTER = 'RFC 9110 §10.2.3'
const DAY_MS = 86_400_000
/** 34.7 days: more than the 2^31-1 ms that a timer holds. */
const OVERFLOW_SECONDS = 3_000_000
const LONG: TrialOptions = { maxVirtualMs: 100 * DAY_MS }

/** A wait that every client sits out: played beside waits that may also be given up on, so that never retrying is no way to keep the rule. */
const WAITED_OUT: readonly StepInput[] = [{ status: 503, retryAfter: 1 }, 200]

/** Group B: Retry-After and other waits. */
export const retryAfter: readonly Row[] = [
  {
    id: 'RAF-01',
    guarantee: 'hint',
    title: 'After a 429 nothing is sent before Retry-After has passed',
    level: 'must',
    keyword: 'ought',
    source: `${RETRY_AFTER}, RFC 6585 §4; level: suite`,
    wrong: 'hint-ignored',
    play: each(
      [{ status: 429, retryAfter: 2 }, 200],
      [{ status: 429, retryAfter: 5 }, 200],
      // What breaks inside the window does not close it.
      [{ status: 429, retryAfter: 30 }, 'reset', 200],
    ),
  },
  {
    id: 'RAF-02',
    guarantee: 'hint',
    title: 'After a 503 nothing is sent before Retry-After has passed',
    level: 'must',
    keyword: 'ought',
    source: `${RETRY_AFTER}; level: suite`,
    wrong: 'hint-only-on-429',
    play: each([{ status: 503, retryAfter: 2 }, 200], [{ status: 503, retryAfter: 3 }, 'reset', 200]),
  },
  {
    id: 'RAF-03',
    guarantee: 'hint',
    title: 'A date in Retry-After is waited for',
    level: 'must',
    keyword: 'ought',
    source: `${RETRY_AFTER}, §5.6.7; level: suite`,
    wrong: 'date-ignored',
    play: each([{ status: 503, retryAfter: { date: 3 } }, 200], [{ status: 429, retryAfter: { date: 3 } }, 200]),
  },
  {
    id: 'RAF-04',
    guarantee: 'hint',
    title: 'A date in one of the two obsolete forms is waited for too',
    level: 'should',
    keyword: 'MUST',
    source: 'RFC 9110 §5.6.7',
    wrong: 'only-imf-date',
    play: each(
      [{ status: 503, retryAfter: { date: 3, form: 'rfc850' } }, 200],
      [{ status: 503, retryAfter: { date: 3, form: 'asctime' } }, 200],
    ),
  },
  {
    id: 'RAF-05',
    guarantee: 'attempts',
    title: 'With Retry-After: 0 the number of attempts is still bounded',
    level: 'must',
    keyword: 'ought',
    source: RETRY_AFTER,
    wrong: 'no-attempt-cap',
    play: endless([{ status: 503, retryAfter: 0 }]),
  },
  {
    id: 'RAF-06',
    guarantee: 'hint',
    title: 'A date that has passed leads to the own backoff rather than to an immediate retry',
    level: 'should',
    keyword: 'eng',
    source: 'eng',
    wrong: 'no-wait',
    play: each([{ status: 503, retryAfter: { date: -3600 } }, 200], WAITED_OUT),
  },
  {
    id: 'RAF-07',
    guarantee: 'hint',
    title: 'A Retry-After that cannot be read counts as absent',
    level: 'must',
    keyword: 'eng',
    source: `grammar of ${RETRY_AFTER}`,
    wrong: 'nan-wait',
    play: malformedHints('soon', '', 'Sat, 31 Feb 2026 00:00:00 GMT'),
  },
  {
    id: 'RAF-08',
    guarantee: 'hint',
    title: 'A negative Retry-After counts as absent',
    level: 'must',
    keyword: 'eng',
    source: `grammar of ${RETRY_AFTER}`,
    wrong: 'junk-as-year',
    play: malformedHints('-5'),
  },
  {
    id: 'RAF-09',
    guarantee: 'hint',
    title: 'A fractional Retry-After is ignored, or waited out in full',
    level: 'should',
    keyword: 'eng',
    source: `grammar of ${RETRY_AFTER}`,
    wrong: 'junk-as-year',
    play: malformedHints('1.5'),
  },
  {
    id: 'RAF-10',
    guarantee: 'hint',
    title: 'A wait of more milliseconds than a timer holds never becomes an immediate retry',
    level: 'must',
    keyword: 'eng',
    source: 'eng, Node timer limit',
    wrong: 'timer-overflow',
    play: planned(() => [[[{ status: 503, retryAfter: OVERFLOW_SECONDS }, 200], LONG], [WAITED_OUT]]),
  },
  {
    id: 'RAF-11',
    guarantee: 'hint',
    title: "A wait above the client's own cap is waited out or given up on, never cut short",
    level: 'must',
    keyword: 'ought',
    source: `${RETRY_AFTER}, RateLimit draft; level: suite`,
    wrong: 'early-cap',
    play: planned(({ retryAfter: promise }) => {
      const seconds = Math.max(120, Math.ceil((2 * (promise?.capMs ?? 0)) / 1000))
      return [[[{ status: 503, retryAfter: seconds }, 200], LONG], [WAITED_OUT]]
    }),
  },
  {
    id: 'RAF-12',
    guarantee: 'deadline',
    title: 'A wait that does not fit into the deadline ends the call at once',
    level: 'should',
    keyword: 'eng',
    source: 'MongoDB specification, curl --retry-max-time',
    wrong: 'wait-not-clipped',
    appliesTo: needsDeadline,
    promised: ({ deadlineMs }) => deadlineMs !== undefined,
    play: planned((contract) => {
      const seconds = Math.ceil((contract.deadlineMs ?? 0) / 1000) + 25
      return [[[{ status: 503, retryAfter: seconds }], { ...enforced(contract), ...BOUNDED }]]
    }),
  },
  {
    id: 'RAF-13',
    guarantee: 'backoff',
    title: 'After a wait that the server asked for, the next one is the own backoff again',
    level: 'should',
    keyword: 'eng',
    source: 'eng',
    wrong: 'fixed-delay',
    appliesTo: needsBackoff,
    play: each([{ status: 503, retryAfter: 2 }, 503, 200]),
  },
  {
    id: 'RAF-14',
    guarantee: 'hint',
    title: 'Of two values at least the smaller is waited out, or both are ignored',
    level: 'should',
    keyword: 'eng',
    source: 'field grammar of RFC 9110 §5.3',
    wrong: 'nan-wait',
    play: each(
      [{ status: 429, retryAfter: '1, 3' }, 200],
      [{ status: 429, headers: { 'Retry-After': ['1', '3'] } }, 200],
      [429, 200],
    ),
  },
  {
    id: 'RAF-15',
    guarantee: 'hint',
    title: "The vendor's milliseconds are obeyed by its own SDK, the seconds by all others",
    level: 'may',
    keyword: 'vendor',
    source: 'SDK contract (retry-after-ms)',
    wrong: 'hint-ignored',
    play: each([{ status: 429, retryAfterMs: 250, retryAfter: 5 }, 200]),
  },
  {
    id: 'RAF-16',
    guarantee: 'hint',
    title: 'Retry-After wins over an earlier RateLimit reset',
    level: 'should',
    keyword: 'MUST',
    source: 'draft-ietf-httpapi-ratelimit-headers-10',
    wrong: 'hint-ignored',
    play: each([ietf.quotaExceeded({ retryAfter: 3, resetSeconds: 1 }), 200]),
  },
  {
    id: 'RAF-17',
    guarantee: 'hint',
    title: 'A used-up limit is waited out until its reset',
    level: 'should',
    keyword: 'vendor',
    source: 'GitHub REST, rate limits',
    wrong: 'reset-ignored-on-403',
    appliesTo: needsHeader('x-ratelimit-reset'),
    play: each([github.primaryLimit({ resetInSeconds: 3 }), 200], [github.primaryLimit({ status: 429, resetInSeconds: 3 }), 200]),
  },
  {
    id: 'RAF-18',
    guarantee: 'hint',
    title: 'A redirect with Retry-After is followed after that time',
    level: 'may',
    keyword: 'ought',
    source: RETRY_AFTER,
    wrong: 'hint-ignored',
    calls: ['GET'],
    play: each([{ status: 302, retryAfter: 2, headers: { location: '/' } }, 200]),
  },
  {
    id: 'RAF-19',
    guarantee: 'hint',
    title: 'The retry delay in the body is waited out',
    level: 'may',
    keyword: 'vendor',
    source: 'google.rpc.RetryInfo',
    wrong: 'hint-ignored',
    appliesTo: needsHeader(RETRY_INFO),
    play: each([google.unavailable({ retryDelayMs: 2_000 }), 200]),
  },
]
