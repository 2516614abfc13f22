import type { Row } from './model.js'
import { each } from './play.js'

const UNSUPPORTED = 'not supported yet: the server speaks HTTP/1.1 only'

/** Group I: HTTP/2. */
export const http2: readonly Row[] = [
  {
    id: 'H2T-01',
    guarantee: 'unsafe-replay',
    title: 'A POST above the last stream id of a GOAWAY may be sent once more on a new connection',
    level: 'may',
    keyword: 'MAY',
    source: 'RFC 9113 §8.7',
    wrong: 'keyless-replay',
    calls: ['keyless-POST'],
    unsupported: UNSUPPORTED,
    play: each(['reset-early', 200]),
  },
  {
    id: 'H2T-02',
    guarantee: 'attempts',
    title: 'GOAWAY or REFUSED_STREAM on every connection ends after a bounded number of attempts',
    level: 'must',
    informational: true,
    keyword: 'eng',
    source: 'eng, public report (undici#5603)',
    wrong: 'no-attempt-cap',
    unsupported: UNSUPPORTED,
    play: each(['reset-early']),
  },
]
