import { expect, test } from 'vitest'
import { loadTrial } from '../../src/report/load-trial.js'
import type { Trial } from '../../src/trace/model.js'
import { type ServeOptions, serve } from '../../src/trial/serve.js'

const post = async (url: string, headers: Record<string, string> = {}) =>
  (await fetch(url, { method: 'POST', body: '{}', headers })).status

test('the trace can be asked for, and is no attempt', async () => {
  await using server = await serve([503, 200])
  await post(server.url)
  const saved = await (await fetch(`${server.url}/~retrial/trace`)).json()
  expect(loadTrial(saved).statuses).toEqual([503])
  expect(server.statuses).toEqual([503])
})

test('a reset begins the schedule anew, forgets the ledger, and ends a run', async () => {
  const runs: Trial[] = []
  await using server = await serve([503, 200], { onRun: (trial) => runs.push(trial) })
  const key = { 'idempotency-key': 'k' }
  expect([await post(server.url, key), await post(server.url, key)]).toEqual([503, 200])
  expect(await (await fetch(`${server.url}/~retrial/reset`, { method: 'POST' })).json()).toEqual({ reset: true })
  expect([await post(server.url, key), await post(server.url, key)]).toEqual([503, 200])
  expect(runs.map(({ statuses }) => statuses)).toEqual([[503, 200]])
  expect(server.trial().attempts.map(({ number, ledger }) => [number, ledger])).toEqual([
    [1, 'none'],
    [2, 'new'],
  ])
  server.reset()
  server.reset()
  // A run in which nothing came is none.
  expect(runs).toHaveLength(2)
})

test('the times of a run count from its beginning', async () => {
  await using server = await serve([200])
  await post(server.url)
  const [first] = server.trial().attempts
  server.reset()
  await post(server.url)
  const [second] = server.trial().attempts
  expect(second!.arrivedAtMs).toBeGreaterThanOrEqual(0)
  expect(second!.headersAtMs! - second!.arrivedAtMs).toBeGreaterThanOrEqual(0)
  expect(server.trial().ledger.entries[0]!.acceptedAtMs).toBeGreaterThanOrEqual(second!.arrivedAtMs)
  expect(first!.number).toBe(second!.number)
})

test('a path, or a header with a new value, begins anew', async () => {
  const runs: Trial[] = []
  const options = { resetOn: { path: '/start', header: 'X-Run' }, onRun: (trial: Trial) => runs.push(trial) }
  await using server = await serve([500, 200], options)
  const statuses = [
    await post(server.url, { 'x-run': 'a' }),
    await post(server.url, { 'x-run': 'a' }),
    await post(server.url, { 'x-run': 'b' }),
    await post(`${server.url}/start`),
    await post(server.url, { 'x-run': 'b' }),
  ]
  expect(statuses).toEqual([500, 200, 500, 200, 500])
  expect(runs.map((trial) => trial.statuses)).toEqual([[500, 200], [500]])
})

test('an unknown control request says which there are', async () => {
  await using server = await serve([200])
  const answer = await fetch(`${server.url}/~retrial/stop`)
  expect([answer.status, await answer.json()]).toEqual([404, { error: 'there is /~retrial/trace and /~retrial/reset' }])
})

test.each<[object, string]>([
  [
    { prt: 1 },
    'options.prt: unknown option, allowed are port, dedup, keyHeader, keyExpiryMs, name, resetOn, present, onRun, onAttempt',
  ],
  [{ port: 70_000 }, 'options.port: expected an integer from 0 to 65535, received 70000'],
  [{ dedup: 'never' }, "options.dedup: expected 'replay', 'conflict', 'reject', 'ignore', received 'never'"],
  [{ onRun: 1 }, 'options.onRun: expected a function, received 1'],
  [{ calls: 3 }, 'options.calls: unknown option'],
])('%j is refused before anything listens', async (options, message) => {
  await expect(serve([200], options as ServeOptions)).rejects.toThrow(message)
})

test('a key is forgotten after its time', async () => {
  await using server = await serve([201, 202], { keyExpiryMs: 0 })
  const key = { 'idempotency-key': 'k' }
  expect([await post(server.url, key), await post(server.url, key)]).toEqual([201, 202])
  expect(server.trial().attempts.map(({ keyExpired }) => keyExpired)).toEqual([undefined, true])
})
