import { expect, test } from 'vitest'
import { contract, sound, soundVariants } from '../../fixtures/clients/index.js'
import type { Contract } from '../../src/guarantees/contract.js'
import { judgeRun } from '../../src/search/judge-run.js'
import type { Draw } from '../../src/search/model.js'
import type { Client } from '../../src/trial/model.js'

// Runs in which the search once saw a judge blame a sound client, and what was overlooked.
const ONCE_BLAMED: readonly (Draw & { readonly overlooked: string })[] = [
  {
    overlooked: 'an answer whose gzip stream is cut cannot be read, and is no success that was lost',
    schedule: [503, { status: 200, truncate: 'gzip' }],
    plan: {},
  },
  { overlooked: 'an abort in the first millisecond is none before the call', schedule: [503], plan: { abort: 'during-wait' } },
  {
    overlooked: 'of a refused connection it is not known whose it was',
    schedule: [503, 'refuse'],
    plan: { call: { method: 'GET' }, calls: 2, concurrency: 2 },
  },
  { overlooked: 'a refused connection carries no key', schedule: ['refuse', { status: 200, bodyDelayMs: 10_000 }], plan: {} },
  { overlooked: 'a refused connection has no method', schedule: ['refuse', 200], plan: { abort: 'during-wait', calls: 2 } },
  { overlooked: 'near the deadline it is the jitter that decides', schedule: ['hang'], plan: { calls: 2, concurrency: 2 } },
  {
    overlooked: 'a hint that fits only just does not fit with jitter on top',
    schedule: [503, { status: 500, retryAfter: { date: 7 } }],
    plan: { call: { method: 'GET' }, calls: 2 },
  },
  {
    overlooked: 'an operation that begins when time is short need not be tried twice',
    schedule: [{ status: 503, retryAfter: 7 }, 500],
    plan: { call: { method: 'DELETE' } },
  },
  {
    overlooked: 'two answers with one status may say different things',
    schedule: [429, { status: 429, body: { error: { code: 'insufficient_quota' } } }],
    plan: { calls: 2 },
  },
  {
    overlooked: 'a well-formed hint on the way shifts the random numbers of the twin',
    schedule: [
      { status: 503, retryAfter: 1 },
      { status: 503, retryAfter: '-5' },
    ],
    plan: { calls: 2 },
  },
]

const judged = (client: Client, promised: Contract, { schedule, plan }: Draw) =>
  judgeRun(
    client,
    { schedule, plan },
    { contract: promised, hintHeaders: ['retry-after'], transport: 'socket', call: undefined, known: new Set() },
  )

const textsOf = async (run: ReturnType<typeof judged>) => (await run).broken.flatMap(({ reasons }) => reasons[0]?.text ?? [])

test.each(ONCE_BLAMED)('$overlooked', async (draw) => {
  for (const client of Object.values(sound)) expect(await textsOf(judged(client, contract, draw))).toEqual([])
})

test('where `should` counts, a wait is not blamed on a call whose attempts cannot be told from those of another', async () => {
  const draw: Draw = { schedule: ['refuse'], plan: { call: { method: 'GET' }, calls: 2, concurrency: 2 } }
  for (const client of Object.values(sound))
    expect(await textsOf(judged(client, { ...contract, strict: true }, draw))).toEqual([])
})

test.each<Draw & { readonly overlooked: string }>([
  { overlooked: 'a token is taken before the re-send comes', schedule: [503], plan: { calls: 4, concurrency: 4 } },
  {
    overlooked: 'a POST that may not be repeated says nothing of the budget',
    schedule: [503, 200, 503],
    plan: { call: { idempotencyKey: 'none' }, calls: 4 },
  },
  {
    overlooked: 'what is first met without a token left is not tried again',
    schedule: [{ status: 503, repeat: 14 }, 'reset'],
    plan: { call: { method: 'GET' }, calls: 6 },
  },
])('under a promised budget, $overlooked', async (draw) => {
  const { client, contract: promised } = soundVariants['keeps-retry-budget']!
  expect(await textsOf(judged(client, promised, draw))).toEqual([])
})

test('an event without data is not one that was delivered', async () => {
  const { client, contract: promised } = soundVariants['consumes-token-stream']!
  const draw: Draw = { schedule: [{ status: 200, stream: { events: [{}], end: 'close' } }], plan: {} }
  expect(await textsOf(judged(client, promised, draw))).toEqual([])
})

test('whoever consumes a stream may stop reading at its terminator', async () => {
  const { client, contract: promised } = soundVariants['consumes-token-stream']!
  const draw: Draw = { schedule: [{ status: 200, stream: { events: [{ data: '[DONE]' }] } }], plan: { call: { method: 'GET' } } }
  expect(await textsOf(judged(client, promised, draw))).toEqual([])
})

test('a request that was on its way when the caller aborted is not left behind', async () => {
  const { client, contract: promised } = soundVariants['lists-before-writes']!
  expect(await textsOf(judged(client, promised, { schedule: [503, 200], plan: { abort: { onAttempt: 2 } } }))).toEqual([])
})
