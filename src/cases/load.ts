import type { Row } from './model.js'
import { BOUNDED, each, endless, planned } from './play.js'
import { needsAttempts } from './promises.js'

const FLEET = 'not supported yet: it takes a fleet of clients; see herd()'
const BATCH = 'not supported yet: it takes a batch of jobs; see batch()'

/** Group J: budgets, herd, batch. */
export const load: readonly Row[] = [
  {
    id: 'BUD-01',
    guarantee: 'layers',
    title: 'Requests per call stay within the claimed budget during an outage',
    level: 'may',
    keyword: 'eng',
    source: 'Finagle, Envoy, .NET, gRPC A6',
    wrong: 'layers-multiply',
    appliesTo: needsAttempts,
    calls: ['GET'],
    anyMethod: true,
    play: planned(() => [[[503], { calls: 10, concurrency: 5, ...BOUNDED }]]),
  },
  {
    id: 'BUD-02',
    guarantee: 'layers',
    title: 'With an empty budget first tries still go out, and retries return as tokens refill',
    level: 'must',
    keyword: 'vendor',
    source: 'AWS, gRPC A6',
    wrong: 'shared-counter',
    unsupported: FLEET,
    play: each([503]),
  },
  {
    id: 'BUD-03',
    guarantee: 'layers',
    title: 'One call makes no more requests than its outermost layer promises',
    level: 'should',
    keyword: 'eng',
    source: 'eng, public reports',
    wrong: 'layers-multiply',
    appliesTo: needsAttempts,
    play: endless([503], ['reset']),
  },
  {
    id: 'BUD-04',
    guarantee: 'layers',
    title: 'After an outage no tenth of a second brings back more than a quarter of the clients',
    level: 'should',
    keyword: 'eng',
    source: 'Brooker, exponential backoff and jitter',
    wrong: 'no-jitter',
    unsupported: FLEET,
    play: each([503]),
  },
  {
    id: 'BUD-05',
    guarantee: 'layers',
    title: 'A server below its capacity recovers soon after an outage',
    level: 'should',
    keyword: 'eng',
    source: 'Metastable failures in the wild, OSDI 2022',
    wrong: 'layers-multiply',
    unsupported: FLEET,
    play: each([503]),
  },
  {
    id: 'BUD-06',
    guarantee: 'layers',
    title: 'Doomed jobs do not hold up the others',
    level: 'should',
    keyword: 'eng',
    source: 'eng',
    wrong: 'retries-404',
    unsupported: BATCH,
    play: each([404]),
  },
]
