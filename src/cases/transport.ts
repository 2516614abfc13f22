import type { Row } from './model.js'
import { BOUNDED, each, endless, planned } from './play.js'
import { enforced, needsDeadline, promisesDeadline, promisesTransient } from './promises.js'

/** Group F: transport. */
export const transport: readonly Row[] = [
  {
    id: 'NET-01',
    guarantee: 'transience',
    title: 'A refused connection is tried again, whatever the method: nothing was sent',
    level: 'should',
    keyword: 'SHOULD NOT',
    source: 'RFC 9110 §9.2.2 (never applied)',
    wrong: 'refused-is-final',
    calls: ['GET', 'POST', 'keyless-POST'],
    promised: promisesTransient('refuse'),
    play: each(['refuse', 'refuse', 200]),
  },
  {
    id: 'NET-02',
    guarantee: 'transience',
    title: 'A connection that closes without a byte is replaced by a new one',
    level: 'should',
    keyword: 'MAY',
    source: 'RFC 9110 §9.2.2',
    wrong: 'reset-is-final',
    calls: ['GET'],
    anyMethod: true,
    promised: promisesTransient('close', 'reset'),
    play: each(['close', 200], ['reset', 200]),
  },
  {
    id: 'NET-03',
    guarantee: 'unsafe-replay',
    title: 'A POST on a kept-alive connection that closes under it is not sent again in silence',
    level: 'should',
    keyword: 'SHOULD NOT',
    source: 'RFC 9112 §9.3.1',
    wrong: 'keyless-replay',
    calls: ['keyless-POST'],
    // The second call finds the connection of the first, which breaks once its request has been read.
    play: planned(() => [[[200, { fault: 'close', apply: true }, 200], { calls: 2 }]]),
  },
  {
    id: 'NET-04',
    guarantee: 'attempts',
    title: 'An answer that breaks off in its headers, or is not HTTP, ends the call after a bounded number of attempts',
    level: 'must',
    keyword: 'eng',
    source: 'eng',
    wrong: 'no-attempt-cap',
    play: endless(['reset-headers'], ['garbage']),
  },
  {
    id: 'NET-05',
    guarantee: 'deadline',
    title: 'Informational answers without end do not hold the call beyond its deadline',
    level: 'should',
    keyword: 'eng',
    source: 'eng',
    wrong: 'hangs-for-ever',
    appliesTo: needsDeadline,
    promised: promisesDeadline,
    play: planned((contract) => [[['informational'], { ...BOUNDED, ...enforced(contract) }]]),
  },
]
