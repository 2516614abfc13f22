import type { Row } from './model.js'
import { each, longAnswer } from './play.js'

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
    play: each([longAnswer({ truncate: 'length' })], ['reset-body']),
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
    wrong: 'truncated-accepted',
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
    wrong: 'truncated-accepted',
    unsupported: 'not supported yet: no rule compares the versions that a resumed answer is made of',
    play: each([longAnswer({ truncate: 'length', headers: { etag: '"v1"', 'accept-ranges': 'bytes' } }), 200]),
  },
]
