import { expect, test } from 'vitest'
import { onStage } from './support.js'

// Real time has no upper bounds: only that nothing comes early is asserted.
const play = <T>(...[schedule, body]: Parameters<typeof onStage<T>>) => onStage(schedule, body, { clock: 'real' })

test('answers, faults and the ledger are the same in real time', async () => {
  await play([{ status: 503, retryAfter: 1 }, 'reset', 'refuse', { status: 201, delayMs: 30 }, 500], async ({ server, ask }) => {
    const request = { headers: { 'idempotency-key': 'k' }, body: 'x' }
    const ends = []
    for (let i = 0; i < 5; i++) ends.push(await ask(request))
    expect(ends.map(({ status, by }) => status ?? by)).toEqual([503, 'ECONNRESET', 'ECONNREFUSED', 201, 201])
    expect(server.attempts().map(({ result, ledger }) => [result, ledger])).toEqual([
      [503, 'none'],
      ['reset', 'none'],
      ['refuse', 'none'],
      [201, 'new'],
      [201, 'replay'],
    ])
    const [, , , delayed] = server.attempts()
    expect(delayed!.headersAtMs! - delayed!.arrivedAtMs).toBeGreaterThanOrEqual(30)
  })
})

test('fetch reads a kept-alive connection', async () => {
  await play([503, 200], async ({ server }) => {
    for (const status of [503, 200]) {
      const response = await fetch(`${server.baseUrl(0)}/v1`, { method: 'POST', body: '{"a":1}' })
      expect([response.status, await response.json()]).toEqual([status, expect.any(Object)])
    }
    expect(server.attempts().map(({ path, call, answerComplete }) => [path, call, answerComplete])).toEqual([
      ['/v1', 0, true],
      ['/v1', 0, true],
    ])
  })
})

test('half-way faults give fetch the half', async () => {
  await play([{ status: 200, truncate: 'length', body: 'x'.repeat(1000) }], async ({ server }) => {
    const response = await fetch(server.origin)
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '1000'])
    await expect(response.text()).rejects.toThrow('terminated')
  })
})
