import { describe, expect, test } from 'vitest'
import type { ScheduleInput } from '../../src/schedule/model.js'
import type { DedupMode } from '../../src/trace/model.js'
import { onStage, type RawEnd, type RawRequest, type Scene } from './support.js'

const keyed = (body = '{"n":1}', key = 'k1'): RawRequest => ({ headers: { 'idempotency-key': key }, body })

/** What an attempt came to, in short: status, when, and its mark in the ledger. */
const told = async (schedule: ScheduleInput, dedup: DedupMode, play: (scene: Scene) => Promise<RawEnd[]>, keyExpiryMs?: number) =>
  onStage(
    schedule,
    async (scene) => {
      const ends = await play(scene)
      const { server } = scene
      return {
        ends,
        seen: ends.map(({ status, atMs }) => `${status} at ${atMs}`),
        marks: server.attempts().map(({ ledger }) => ledger),
        steps: server.attempts().map(({ stepIndex }) => stepIndex),
        ledger: server.ledger(),
      }
    },
    { dedup, keyExpiryMs },
  )

/** The first request, and the same again while its work is under way (1 s of 5 s) and after that. */
const threeTimes = async ({ ask, wait }: Scene) => {
  const first = ask(keyed())
  await wait(1000)
  const second = ask(keyed())
  const both = await Promise.all([first, second])
  return [...both, await ask(keyed())]
}

describe('a known key with the same body', () => {
  test('replay: waits for the first result and gets it, and consumes no step', async () => {
    const { ends, seen, marks, steps, ledger } = await told([{ status: 201, delayMs: 5000 }, 503], 'replay', threeTimes)
    expect(seen).toEqual(['201 at 5000', '201 at 5000', '201 at 5000'])
    expect(marks).toEqual(['new', 'replay', 'replay'])
    expect(steps).toEqual([0, null, null])
    expect(ends.map(({ body }) => JSON.parse(body))).toEqual([
      { attempt: 1, echo: { n: 1 } },
      { attempt: 1, echo: { n: 1 }, dedup: true },
      { attempt: 1, echo: { n: 1 }, dedup: true },
    ])
    expect(ends.map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true', 'true'])
    expect(ledger).toMatchObject({ applied: 1, entries: [{ key: 'k1', appliedBy: [1], acceptedAtMs: 0, finishedAtMs: 5000 }] })
    expect(ledger.appliedUnder('k1')).toBe(1)
  })

  test('conflict: 409 while it is worked on, its result afterwards', async () => {
    const { ends, seen, marks } = await told([{ status: 201, delayMs: 5000 }, 503], 'conflict', threeTimes)
    expect(seen).toEqual(['201 at 5000', '409 at 1000', '201 at 5000'])
    expect(marks).toEqual(['new', 'in-progress', 'replay'])
    expect(JSON.parse(ends[1]!.body).error.code).toBe('idempotency_in_progress')
  })

  test('reject: 409 always', async () => {
    const { seen, marks, ledger } = await told([{ status: 201, delayMs: 5000 }, 503], 'reject', threeTimes)
    expect(seen).toEqual(['201 at 5000', '409 at 1000', '409 at 5000'])
    expect([marks, ledger.applied]).toEqual([['new', 'reject', 'reject'], 1])
  })

  test('ignore: takes the next step, and the work is done again', async () => {
    const { seen, marks, steps, ledger } = await told([{ status: 201, delayMs: 5000 }, 202, 200], 'ignore', threeTimes)
    expect(seen).toEqual(['201 at 5000', '202 at 1000', '200 at 5000'])
    expect([marks, steps]).toEqual([
      ['new', 'duplicate', 'duplicate'],
      [0, 1, 2],
    ])
    expect(ledger.entries).toMatchObject([{ appliedBy: [1, 2, 3] }])
    expect([ledger.applied, ledger.appliedUnder('k1')]).toEqual([3, 3])
  })
})

describe('a known key with another body', () => {
  test.each(['replay', 'conflict', 'reject'] as const)('%s: 422', async (dedup) => {
    const { seen, marks } = await told([200], dedup, async ({ ask }) => [await ask(keyed('a')), await ask(keyed('b'))])
    expect([seen, marks]).toEqual([
      ['200 at 0', '422 at 0'],
      ['new', 'mismatch'],
    ])
  })

  test('a multipart body with another boundary is the same body', async () => {
    const form = (boundary: string): RawRequest => ({
      headers: { 'idempotency-key': 'k', 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: `--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--${boundary}--\r\n`,
    })
    const { marks } = await told([200], 'replay', async ({ ask }) => [await ask(form('xyz')), await ask(form('other-1'))])
    expect(marks).toEqual(['new', 'replay'])
  })
})

describe('which work is accepted', () => {
  const twice = async ({ ask }: Scene) => [await ask(keyed()), await ask(keyed())]

  test.each([
    ['a 503 is not', [503, 200], ['none', 'new'], 1],
    ['a 503 that says so is, and is replayed as the 503', [{ status: 503, apply: true }, 200], ['new', 'replay'], 1],
    ['a 200 that says no is not', [{ status: 200, apply: false }, 200], ['none', 'new'], 1],
    ['a reset is not', ['reset', 200], ['none', 'new'], 1],
    ['a redirect is not', [{ status: 307, headers: { location: '/b' } }, 200], ['none', 'new'], 1],
    // Before the body is read there is nothing that could be done.
    ['reset-early never is', [{ fault: 'reset-early', apply: true }, 200], ['none', 'new'], 1],
  ] as const)('%s', async (_name, schedule, marks, applied) => {
    const outcome = await told(schedule, 'replay', twice)
    expect([outcome.marks, outcome.ledger.applied]).toEqual([marks, applied])
  })

  test('a stored 500 is the result', async () => {
    const { seen } = await told([{ status: 500, apply: true }, 200], 'replay', twice)
    expect(seen).toEqual(['500 at 0', '500 at 0'])
  })

  test('after a lost answer the first result is a plain success', async () => {
    const { ends } = await told([{ fault: 'reset', apply: true }, 503], 'replay', twice)
    expect(ends.map(({ status, by }) => [status, by])).toEqual([
      [null, 'ECONNRESET'],
      [200, 'FIN'],
    ])
    expect(JSON.parse(ends[1]!.body)).toEqual({ attempt: 1, echo: { n: 1 }, dedup: true })
  })

  test('a truncated answer is replayed whole and at once, its dates fresh', async () => {
    const lost = { status: 200, truncate: 'length', delayMs: 2000, retryAfter: { date: 5 }, headers: { 'x-id': '7' } } as const
    const { ends } = await told([lost, 503], 'replay', async ({ ask, wait }) => {
      const first = await ask(keyed())
      await wait(8000)
      return [first, await ask(keyed())]
    })
    expect(JSON.parse(ends[1]!.body)).toEqual({ attempt: 1, echo: { n: 1 }, dedup: true })
    expect([ends[1]!.atMs, ends[1]!.headers['x-id'], ends[1]!.headers['retry-after']]).toEqual([
      10_000,
      '7',
      'Tue, 01 Jan 2030 00:00:15 GMT',
    ])
  })

  test('work of a hang is done at once, work of a delayed reset when the reset comes', async () => {
    const later = async ({ dial, ask, wait }: Scene) => {
      dial().send(keyed())
      await wait(1000)
      return [await ask(keyed())]
    }
    expect((await told([{ fault: 'hang', apply: true }], 'conflict', later)).seen).toEqual(['200 at 1000'])
    expect((await told([{ fault: 'reset', apply: true, delayMs: 3000 }], 'replay', later)).seen).toEqual(['200 at 3000'])
  })

  test('an answer that the client does not wait for is accepted all the same', async () => {
    const { ledger } = await told([{ status: 200, delayMs: 5000 }], 'replay', async ({ dial, wait }) => {
      const client = dial().send(keyed())
      await wait(100)
      client.hangUp()
      await wait(100)
      return []
    })
    expect(ledger).toMatchObject({ applied: 1, entries: [{ acceptedAtMs: 0, finishedAtMs: null }] })
  })

  test('without a key each request is new work', async () => {
    const { marks, ledger } = await told([200], 'replay', async ({ ask }) => [await ask(), await ask(), await ask(keyed('', ''))])
    expect([marks, ledger.applied, ledger.entries.length]).toEqual([['new', 'new', 'new'], 3, 3])
  })

  test('reading is no work', async () => {
    const get = { ...keyed(''), method: 'GET' }
    const { marks, ledger } = await told([200, { status: 200, apply: true }], 'replay', async ({ ask }) => [
      await ask(get),
      await ask(get),
    ])
    expect([marks, ledger.applied]).toEqual([['none', 'new'], 1])
  })

  test('a key is forgotten when it expires', async () => {
    const { marks, ledger } = await told(
      [200],
      'replay',
      async ({ ask, wait }) => {
        const first = await ask(keyed())
        await wait(59_999)
        const second = await ask(keyed())
        await wait(1)
        return [first, second, await ask(keyed())]
      },
      60_000,
    )
    expect([marks, ledger.appliedUnder('k1'), ledger.entries.length]).toEqual([['new', 'replay', 'new'], 2, 2])
  })

  test('an attempt that did the work again because its key had expired says so', async () => {
    const attempts = await onStage(
      [200, { fault: 'reset', apply: true }, 200],
      async ({ server, ask, wait }) => {
        await ask(keyed())
        await ask(keyed())
        await wait(1_000)
        await ask(keyed())
        await wait(1_000)
        await ask(keyed('other', 'k2'))
        return server.attempts()
      },
      { keyExpiryMs: 1_000 },
    )
    expect(attempts.map(({ ledger, keyExpired }) => [ledger, keyExpired])).toEqual([
      ['new', undefined],
      ['replay', undefined],
      ['new', true],
      ['new', undefined],
    ])
  })

  test('a client that leaves while it waits for the first result is not answered', async () => {
    await onStage([{ status: 200, delayMs: 5000 }], async ({ server, dial, wait }) => {
      dial().send(keyed())
      await wait(1000)
      const second = dial().send(keyed())
      await wait(1000)
      second.hangUp()
      await wait(10_000)
      expect(server.attempts().map(({ result, endedAtMs, ledger }) => [result, endedAtMs, ledger])).toEqual([
        [200, 5000, 'new'],
        ['hang-up', 2000, 'replay'],
      ])
    })
  })
})
