import type { Level } from './model.js'

/** One rule of the catalogue: how binding the suite holds it, where it comes from, what it asks for. */
export interface Rule {
  readonly level: Level
  readonly source: string
  readonly requirement: string
}

const rule = (level: Level, source: string, requirement: string): Rule => ({ level, source, requirement })

const RETRY_AFTER = 'RFC 9110 §10.2.3'
const NOT_BEFORE = 'do not come back before Retry-After has passed'
const PERMANENT = 'Azure Core guidelines, AIP-194'
const IDEMPOTENT = 'RFC 9110 §9.2.2'
const KEY_DRAFT = 'draft-ietf-httpapi-idempotency-key-header-07'

/** Answers that are not to be repeated, and those that are. */
const CLASSIFICATION = {
  'CLS-01': rule('must', PERMANENT, 'do not repeat a request that was answered 400'),
  'CLS-02': rule('must', PERMANENT, 'do not repeat a refused request, except once after 401 with another credential'),
  'CLS-03': rule('must', PERMANENT, 'do not repeat a request for something that does not exist'),
  'CLS-04': rule('must', PERMANENT, 'do not repeat a request that the server rejects as it is'),
  'CLS-05': rule('should', 'eng', 'do not repeat a request for what the server does not implement'),
  'CLS-06': rule('must', 'Azure Core guidelines, vendor SDKs', 'repeat a request after a transient fault, until it succeeds'),
  'CLS-10': rule('should', 'RFC 9110 §15.5.14', 'repeat a request that was too large only when the server says when'),
  'CLS-11': rule('should', 'RFC 6585 §4', 'repeat a request after 429, once the limit has eased'),
  'CLS-12': rule(
    'should',
    'OpenAI and Anthropic error codes',
    'do not repeat a request when the code says that the account is out of money',
  ),
  'CLS-15': rule('must', 'GCS retry conformance, scenario 6', 'classify every answer, not only the first'),
  'CLS-16': rule('must', 'SDK contract', 'stop when the server says not to retry'),
  'NET-01': rule('should', IDEMPOTENT, 'repeat a request that could not connect'),
  'NET-02': rule('should', IDEMPOTENT, 'repeat an idempotent request whose connection broke'),
} as const

/** When to come back. */
const HINTS = {
  'RAF-01': rule('must', `${RETRY_AFTER}, RFC 6585 §4`, NOT_BEFORE),
  'RAF-02': rule('must', RETRY_AFTER, NOT_BEFORE),
  'RAF-03': rule('must', `${RETRY_AFTER}, §5.6.7`, 'do not come back before the date in Retry-After'),
  'RAF-04': rule('must', 'RFC 9110 §5.6.7', 'understand the obsolete date forms in Retry-After too'),
  'RAF-05': rule('should', 'eng', 'use the own backoff rather than come back at once when Retry-After is 0'),
  'RAF-06': rule('should', 'eng', 'use the own backoff rather than come back at once when the date in Retry-After has passed'),
  'RAF-07': rule('must', 'eng, grammar of RFC 9110 §10.2.3', 'treat a malformed Retry-After as if it were absent'),
  'RAF-08': rule('must', 'eng, grammar of RFC 9110 §10.2.3', 'treat a negative Retry-After as if it were absent'),
  'RAF-09': rule('should', 'eng, grammar of RFC 9110 §10.2.3', 'ignore a fractional Retry-After, or wait at least that long'),
  'RAF-10': rule('must', 'eng, Node timers', 'never turn a wait above the 32-bit timer limit into an early retry'),
  'RAF-11': rule('must', RETRY_AFTER, 'give up or go on waiting above the own cap; never come back early because of it'),
  'RAF-12': rule('should', 'eng', 'give up at once when the wait that was asked for does not fit into the deadline'),
  'RAF-14': rule('should', 'field grammar of RFC 9110 §5.3', 'wait at least the smaller of two values, or ignore both'),
  'RAF-15': rule('must', 'SDK contract', "wait as the vendor's millisecond header says"),
  'RAF-16': rule('must', 'draft-ietf-httpapi-ratelimit-headers-10', 'do not come back before the quota is reset'),
  'RAF-17': rule('must', 'GitHub REST, rate limits', 'do not come back before the used-up limit is reset'),
  'RAF-18': rule('may', RETRY_AFTER, 'do not follow a redirect before Retry-After has passed'),
  'RAF-19': rule('must', 'google.rpc.RetryInfo', 'do not come back before retry_delay has passed'),
} as const

/** How often, how far apart, by when. */
const TIMING = {
  'BKO-01': rule('must', 'suite, RFC 9110 §9.2.2', 'stop after a finite number of attempts'),
  'BKO-02': rule('must', 'AIP-4221, gRPC A6', 'make no more attempts than configured'),
  'BKO-03': rule('must', 'eng', 'send nothing more once the call has settled'),
  'BKO-04': rule('must', 'eng', 'leave a gap between attempts'),
  'BKO-05': rule('must', 'Azure Core guidelines, AWS', 'keep each wait inside the declared band, and below the cap'),
  'BKO-06': rule('should', 'AWS full jitter, gRPC A6', 'spread the first waits of clients that failed together'),
  'BKO-10': rule('must', 'eng', 'draw the waits from the declared kind of jitter'),
  'BKO-11': rule('must', 'eng', 'do not wait after the last attempt'),
  'DDL-01': rule('must', 'eng', 'settle by the deadline'),
  'DDL-03': rule('should', 'MongoDB specification, gRPC', 'give up as soon as the next wait does not fit into the deadline'),
  'DDL-04': rule('must', 'Azure Core guidelines, cancellation', 'settle at once when the caller aborts during a wait'),
  'DDL-05': rule('must', 'Azure Core guidelines, cancellation', 'settle at once when the caller aborts during an attempt'),
  'DDL-06': rule('must', 'Azure Core guidelines, cancellation', 'send nothing when the signal is aborted already'),
  'DDL-07': rule('must', 'eng', 'settle by the deadline although the body stalls'),
  'DDL-08': rule('must', 'eng', 'settle by the deadline although the body drips'),
  'DDL-10': rule('must', 'eng', 'leave nothing behind once the call has settled'),
  'NET-05': rule('must', 'eng', 'settle by the deadline although informational answers keep coming'),
  'BUD-02': rule(
    'must',
    'AWS, gRPC A6',
    'hold back re-sends, not first tries, when the budget is empty, and retry again once it has refilled',
  ),
  'BUD-03': rule('should', 'eng', 'let one layer retry: layers multiply'),
  'BUD-04': rule(
    'should',
    'Brooker, exponential backoff and jitter',
    'come back apart after an outage that clients had in common',
  ),
} as const

/** Nothing done twice, nothing reported that did not arrive. */
const EFFECTS = {
  'IDM-02': rule('must', IDEMPOTENT, 'do not repeat a POST without a key once it may have been applied'),
  'IDM-03': rule('should', IDEMPOTENT, 'do not repeat a POST without a key after the server refused it for now'),
  'IDM-04': rule('must', IDEMPOTENT, 'do not repeat a PATCH without a key once it may have been applied'),
  'IDM-05': rule('must', `${KEY_DRAFT} §2.2, §2.6`, 'send one key and the same bytes on every attempt of a call'),
  'IDM-06': rule('must', `${KEY_DRAFT} §2.2`, 'use a new key for every call'),
  'IDM-07': rule('must', `suite, ${KEY_DRAFT} §2.6`, 'repeat a timed-out request under its key and report the first result'),
  'IDM-08': rule('must', `${KEY_DRAFT} §2.6`, 'do not repeat a request whose key the server refused'),
  'IDM-11': rule('must', 'Azure Core guidelines, rewind', 're-send the same bytes, or nothing'),
  'BDY-01': rule('must', 'RFC 9112 §8', 'never report an incomplete answer as success'),
  'BDY-02': rule('must', 'RFC 9112 §8', 'never report a chunked answer without its last chunk as success'),
  'BDY-03': rule('must', 'suite', 'never report an answer that does not parse as success'),
  'BDY-04': rule('should', 'RFC 9112 §8 by analogy', 'never report a gzip stream that is cut short as success'),
  'BDY-06': rule(
    'must',
    'RFC 9110 §13.1.5, §14',
    'start a download again when its entity has changed, never splice two versions',
  ),
  'STR-02': rule('must', 'gRPC A6 by analogy', 'report a stream that broke after its first event, and do not start it again'),
  'STR-03': rule('should', 'eng', 'report a stream that ended without its terminator as incomplete'),
  'STR-04': rule('should', 'Anthropic errors', 'report an error event inside a stream, and do not repeat the request'),
  'STR-05': rule('must', 'WHATWG HTML §9.2, MCP 2025-11-25', 'wait the reconnection time that the stream set'),
  'STR-06': rule('must', 'WHATWG HTML §9.2', 'do not reconnect after 204'),
  'STR-07': rule('must', 'eng', 'bound reconnecting by progress, not by connecting'),
  'STR-08': rule('should', 'WHATWG HTML §9.2, MCP 2025-11-25', 'name the last event when reconnecting'),
  'ISO-01': rule('must', 'eng', 'treat every call like the first'),
} as const

/** The rules that guarantees cite; ids are those of the catalogue, levels as the suite holds them. */
export const RULES = { ...CLASSIFICATION, ...HINTS, ...TIMING, ...EFFECTS }
export type RuleId = keyof typeof RULES
