import type { Contract } from '../guarantees/contract.js'
import type { TrialOptions } from '../trial/model.js'
import type { Row } from './model.js'
import { BOUNDED, each, endless, overSeeds, planned } from './play.js'
import { needsAttempts, needsBackoff } from './promises.js'

const YEAR_MS = 365 * 86_400_000
/** Long enough for an exponent to run over: 40 doublings of a base of a quarter of a second are never waited out in full. */
const VERY_LONG: TrialOptions = { ...BOUNDED, maxVirtualMs: 2 * YEAR_MS }

/** The rule about the spread asks for 50 fresh clients, the test that tells kinds of jitter apart for 200. */
const clientsFor = ({ backoff }: Contract): number => {
  const jitter = backoff?.jitter
  return typeof jitter === 'string' && jitter !== 'none' ? 200 : 50
}

/** Group C: attempts, backoff, jitter. */
export const backoff: readonly Row[] = [
  {
    id: 'BKO-01',
    guarantee: 'attempts',
    title: 'An endless fault ends after a finite number of attempts, and no more than promised',
    level: 'must',
    keyword: 'SHOULD NOT',
    source: 'RFC 9110 §9.2.2, WASABI; level: suite',
    wrong: 'no-attempt-cap',
    play: endless([503], ['reset']),
  },
  {
    id: 'BKO-02',
    guarantee: 'attempts',
    title: 'The number of attempts is the configured one, whatever the fault',
    level: 'must',
    keyword: 'vendor',
    source: 'AIP-4221, gRPC A6 (which counts the first try)',
    wrong: 'one-attempt-too-many',
    appliesTo: needsAttempts,
    play: endless([503], ['close'], ['refuse'], [500]),
  },
  {
    id: 'BKO-03',
    guarantee: 'leftovers',
    title: 'After success nothing more is sent',
    level: 'must',
    keyword: 'eng',
    source: 'eng',
    wrong: 'timer-left',
    play: each([503, 200]),
  },
  {
    id: 'BKO-04',
    guarantee: 'backoff',
    title: 'There is a wait between attempts, and none after the last',
    level: 'must',
    keyword: 'eng',
    source: 'WASABI (missing delay)',
    wrong: 'no-wait',
    statistical: true,
    calls: ['GET'],
    anyMethod: true,
    play: planned((_contract, seed) => [...overSeeds(30, [503, 200], seed), [[503], BOUNDED]]),
  },
  {
    id: 'BKO-05',
    guarantee: 'backoff',
    title: 'The waits grow inside the declared band up to the cap',
    level: 'should',
    keyword: 'eng',
    source: 'Azure Core guidelines, AWS',
    wrong: 'fixed-delay',
    appliesTo: needsBackoff,
    promised: ({ backoff: promise }) => promise !== undefined,
    play: endless([503], ['reset']),
  },
  {
    id: 'BKO-06',
    guarantee: 'backoff',
    title: 'Clients that failed together come back apart, spread as declared',
    level: 'should',
    keyword: 'eng',
    source: 'AWS full jitter, gRPC A6',
    wrong: 'no-jitter',
    statistical: true,
    calls: ['GET'],
    anyMethod: true,
    appliesTo: ({ backoff: promise }) => (promise?.jitter === 'none' ? 'the contract declares that there is no jitter' : null),
    promised: ({ backoff: promise }) => promise?.jitter !== undefined,
    play: planned((contract, seed) => overSeeds(clientsFor(contract), [503, 200], seed)),
  },
  {
    id: 'BKO-07',
    guarantee: 'backoff',
    title: 'Jitter differs between processes that start together',
    level: 'should',
    keyword: 'eng',
    source: 'eng',
    wrong: 'shared-seed',
    unsupported: 'not supported yet: it takes several processes',
    play: each([503, 200]),
  },
  {
    id: 'BKO-08',
    guarantee: 'hint',
    title: 'Jitter may add to a wait that the server asked for, never take from it',
    level: 'must',
    keyword: 'ought',
    source: 'RFC 9110 §10.2.3; level: suite',
    wrong: 'jitter-under-hint',
    statistical: true,
    calls: ['GET'],
    anyMethod: true,
    play: planned((_contract, seed) => overSeeds(30, [{ status: 429, retryAfter: 2 }, 200], seed)),
  },
  {
    id: 'BKO-09',
    guarantee: 'backoff',
    title: 'No wait becomes an immediate retry because its exponent ran over',
    level: 'must',
    keyword: 'eng',
    source: 'eng, Node timer limit',
    wrong: 'exponent-overflow',
    appliesTo: needsBackoff,
    calls: ['GET'],
    anyMethod: true,
    play: planned(() => [[[503], VERY_LONG]]),
  },
]
