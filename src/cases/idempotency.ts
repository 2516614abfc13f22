import type { Step } from '../schedule/model.js'
import type { Trial } from '../trace/model.js'
import { resends } from '../trace/operations.js'
import type { Row, RunOne } from './model.js'
import { BOUNDED, each, endless, failsEachCallOnce, longAnswer, planned } from './play.js'
import { endsHangs } from './promises.js'

const NOT_TWICE = 'RFC 9110 §9.2.2'
const DRAFT = 'draft-ietf-httpapi-idempotency-key-header-07'

/** The work is done, and the answer is lost. */
const LOST: Step = { fault: 'reset', apply: true }

/** How long the client waits for an answer, and then until its next attempt; null when it did not come back. */
function patienceOf(trial: Trial): { readonly timeoutMs: number; readonly gapMs: number } | null {
  const [first] = resends(trial)
  const { hungUpAtMs = null, arrivedAtMs = 0 } = first?.previous ?? {}
  return hungUpAtMs === null ? null : { timeoutMs: hungUpAtMs - arrivedAtMs, gapMs: first?.gapMs ?? 0 }
}

/**
 * The client gives up before the answer comes. A server that never answers measures how long it waits; from that follow a result that is
 * ready just before attempt 2, one that is not ready by then, and the same from a server that says so with 409.
 */
async function outlastTimeout(run: RunOne): Promise<readonly Trial[]> {
  const measured = await run([{ fault: 'hang', apply: true }], BOUNDED)
  const patience = patienceOf(measured)
  if (patience === null) return [measured]
  const { timeoutMs, gapMs } = patience
  const ready = { status: 200, delayMs: timeoutMs + Math.floor(gapMs / 3) }
  const slow = { status: 200, delayMs: 2 * timeoutMs + 2 * gapMs }
  return [
    measured,
    await run([ready]),
    await run([slow], BOUNDED),
    await run([{ status: 200, delayMs: timeoutMs + 2 * gapMs }], { dedup: 'conflict', ...BOUNDED }),
  ]
}

/** Group E: idempotency and duplicate effects. */
export const idempotency: readonly Row[] = [
  {
    id: 'IDM-01',
    guarantee: 'transience',
    title: 'An idempotent method may be repeated after a reset',
    level: 'may',
    keyword: 'MAY',
    source: NOT_TWICE,
    wrong: 'reset-is-final',
    calls: ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'],
    play: each(['reset', 200]),
  },
  {
    id: 'IDM-02',
    guarantee: 'unsafe-replay',
    title: 'A POST without a key is not repeated once it may have been applied',
    level: 'must',
    keyword: 'SHOULD NOT',
    source: `${NOT_TWICE}; level: suite`,
    wrong: 'keyless-replay',
    calls: ['keyless-POST'],
    play: async (run, contract, seed) => [
      ...(await each(
        [LOST, 200],
        [{ fault: 'close', apply: true }, 200],
        [{ status: 500, apply: true }, 200],
        [{ status: 502, apply: true }, 200],
        [{ status: 504, apply: true }, 200],
        [longAnswer({ truncate: 'length' }), 200],
      )(run, contract, seed)),
      ...(endsHangs(contract) ? [await run([{ fault: 'hang', apply: true }, 200])] : []),
    ],
  },
  {
    id: 'IDM-03',
    guarantee: 'unsafe-replay',
    title: 'A POST without a key is not repeated after 503 or 429',
    level: 'should',
    keyword: 'SHOULD NOT',
    source: NOT_TWICE,
    wrong: 'keyless-replay',
    calls: ['keyless-POST'],
    play: each([503, 200], [429, 200]),
  },
  {
    id: 'IDM-04',
    guarantee: 'unsafe-replay',
    title: 'A PATCH without a key or precondition is not repeated once it may have been applied',
    // A keyless PATCH is judged as a keyless POST is: the design decided so.
    level: 'must',
    keyword: 'SHOULD NOT',
    source: `${NOT_TWICE}; level: suite`,
    wrong: 'keyless-replay',
    calls: ['PATCH'],
    play: planned(() => [[[LOST, 200], { call: { idempotencyKey: 'none' } }]]),
  },
  {
    id: 'IDM-05',
    guarantee: 'dedup',
    title: 'A POST whose answer was lost is repeated under its key, with its bytes, and reports the first result',
    level: 'must',
    keyword: 'MUST NOT',
    source: `${DRAFT} §2.2, §2.6`,
    wrong: 'new-key-per-attempt',
    calls: ['POST'],
    play: each([LOST, 200]),
  },
  {
    id: 'IDM-06',
    guarantee: 'key',
    title: 'Every call has a key of its own and keeps it',
    level: 'must',
    keyword: 'MUST NOT',
    source: `${DRAFT} §2.2`,
    wrong: 'same-key-for-two-calls',
    calls: ['POST'],
    play: planned(() => [[failsEachCallOnce, { calls: 2 }], [['reset', 200]]]),
  },
  {
    id: 'IDM-07',
    guarantee: 'dedup',
    title: 'A POST that timed out is repeated under its key until the first result is there',
    level: 'must',
    keyword: 'MAY',
    source: `${DRAFT} §2.6; level: suite`,
    wrong: 'new-key-after-timeout',
    calls: ['POST'],
    play: outlastTimeout,
  },
  {
    id: 'IDM-08',
    guarantee: 'permanence',
    title: 'A key that is missing (400) or was used for another payload (422) ends the call',
    level: 'must',
    keyword: 'MUST',
    source: `${DRAFT} §2.6`,
    wrong: 'retries-422',
    calls: ['POST'],
    play: each(
      [{ status: 422, body: { error: { code: 'idempotency_key_mismatch' } } }],
      [{ status: 400, body: { error: { code: 'idempotency_key_missing' } } }],
    ),
  },
  {
    id: 'IDM-09',
    guarantee: 'attempts',
    title: 'A stored 500 that the server replays for ever is given up on',
    level: 'may',
    keyword: 'vendor',
    source: 'Stripe API v1',
    wrong: 'no-attempt-cap',
    calls: ['POST'],
    play: endless([{ status: 500, apply: true }]),
  },
  {
    id: 'IDM-10',
    guarantee: 'dedup',
    title: 'Control: a server that ignores keys does the work twice, and the client is not blamed',
    level: 'may',
    keyword: 'eng',
    source: 'eng',
    wrong: 'new-key-per-attempt',
    calls: ['POST'],
    play: planned(() => [[[LOST, 200], { dedup: 'ignore' }]]),
  },
  {
    id: 'IDM-11',
    guarantee: 'body',
    title: 'A re-send carries the same bytes as the first try, or there is none',
    level: 'must',
    keyword: 'MUST',
    source: 'Azure Core guidelines, rewind',
    wrong: 'empty-second-body',
    calls: ['POST', 'PUT'],
    play: each([503, 200], ['reset', 200]),
  },
  {
    id: 'IDM-12',
    guarantee: 'key',
    title: 'What identifies the request stays the same over all attempts',
    level: 'should',
    keyword: 'MUST',
    source: 'Azure Core guidelines, gRPC A6',
    wrong: 'key-dropped-on-resend',
    calls: ['POST'],
    play: each([503, 503, 200]),
  },
  {
    id: 'IDM-13',
    guarantee: 'permanence',
    title: 'A DELETE that was done, and is then answered 404, ends in success or a clear error',
    level: 'may',
    keyword: 'eng',
    source: 'eng',
    wrong: 'retries-404',
    calls: ['DELETE'],
    play: each([LOST, 404]),
  },
]
