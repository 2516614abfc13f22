import type { ScheduledRequest, ScheduleFunction, StepInput } from '../schedule/model.js'
import type { Row } from './model.js'
import { BOUNDED, each, longAnswer, planned } from './play.js'
import { endsHangs, enforced } from './promises.js'

const VERSIONS = [
  { etag: '"v1"', text: 'first version '.repeat(100) },
  { etag: '"v2"', text: 'SECOND VERSION '.repeat(100) },
] as const

/** What a server makes of a range once its entity has changed (RFC 9110 §13.1, §14). */
function restOf({ headers }: ScheduledRequest): StepInput {
  const { etag, text } = VERSIONS[1]
  const from = Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0)
  if (headers['if-match'] !== undefined && headers['if-match'] !== etag) return 412
  const isWhole = from === 0 || from >= text.length || (headers['if-range'] !== undefined && headers['if-range'] !== etag)
  if (isWhole) return { status: 200, headers: { etag }, body: text }
  const range = `bytes ${from}-${text.length - 1}/${text.length}`
  return { status: 206, headers: { etag, 'content-range': range }, body: text.slice(from) }
}

/** A download breaks off half-way, and is of another version when it is asked for again. */
const changedMeanwhile: ScheduleFunction = (request, history) => {
  const { etag, text } = VERSIONS[0]
  const headers = { etag, 'accept-ranges': 'bytes' }
  return history.length === 0 ? { status: 200, headers, body: text, truncate: 'length' } : restOf(request)
}

/** Group G: integrity of the body. */
export const body: readonly Row[] = [
  {
    id: 'BDY-01',
    guarantee: 'intact',
    title: 'An answer with fewer bytes than its Content-Length is never a success',
    level: 'must',
    keyword: 'MUST',
    source: 'RFC 9112 §8',
    wrong: 'truncated-accepted',
    play: planned((contract) => [
      [[longAnswer({ truncate: 'length' })]],
      [['reset-body']],
      // What the client itself stops waiting for has not come whole either.
      ...(endsHangs(contract) ? [[[longAnswer({ stall: 'body' })], { ...enforced(contract), ...BOUNDED }] as const] : []),
    ]),
  },
  {
    id: 'BDY-02',
    guarantee: 'intact',
    title: 'A chunked answer without its last chunk is never a success',
    level: 'must',
    keyword: 'MUST',
    source: 'RFC 9112 §8',
    wrong: 'truncated-accepted',
    play: each([longAnswer({ truncate: 'chunked' })]),
  },
  {
    id: 'BDY-03',
    guarantee: 'intact',
    title: 'A complete answer that does not parse is never a success',
    level: 'must',
    keyword: 'eng',
    source: 'level: suite',
    wrong: 'parse-error-swallowed',
    play: each([{ status: 200, json: 'malformed' }]),
  },
  {
    id: 'BDY-04',
    guarantee: 'intact',
    title: 'A gzip stream that is cut short inside a complete message is never a success',
    // Node's own fetch resolves with what it had: the design holds it to be a should.
    level: 'should',
    keyword: 'eng',
    source: 'RFC 9112 §8 by analogy',
    wrong: 'cut-gzip-accepted',
    play: each([longAnswer({ truncate: 'gzip' })]),
  },
  {
    id: 'BDY-05',
    guarantee: 'transience',
    title: 'An error body of another type does not break the decision to retry',
    level: 'must',
    keyword: 'vendor',
    source: 'basecamp-sdk conformance (malformed body)',
    wrong: 'never-retries',
    play: each([{ status: 503, headers: { 'content-type': 'text/html' }, body: '<html><body>Service Unavailable' }, 200]),
  },
  {
    id: 'BDY-06',
    guarantee: 'intact',
    title: 'A download that is resumed after its entity changed is started again, never spliced',
    level: 'must',
    keyword: 'MUST',
    source: 'RFC 9110 §13.1.5, §14',
    wrong: 'splices-versions',
    calls: ['GET'],
    play: each(changedMeanwhile),
  },
]
