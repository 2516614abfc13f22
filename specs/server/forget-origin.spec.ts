import { expect, test } from 'vitest'
import { runTrial } from '../../src/trial/run-trial.js'

const SLOTS = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')]

/** The origins that fetch keeps pools for; undici has them under a symbol of its own, in a slot that goes by its version. */
const originsOfFetch = (): unknown[] =>
  SLOTS.flatMap((slot) => {
    const agent = Reflect.get(globalThis, slot) as Record<symbol, unknown> | undefined
    const key = Object.getOwnPropertySymbols(agent ?? {}).find(({ description }) => description === 'clients')
    const pools = key === undefined ? undefined : agent?.[key]
    return pools instanceof Map ? [...pools.keys()] : []
  })

test('fetch keeps nothing of a trial’s server once the trial is over', async () => {
  await runTrial(fetch, [200])
  const before = originsOfFetch()
  const ports = new Set<string>()
  const noting = (url: string, init: RequestInit) => {
    ports.add(new URL(url).port)
    return fetch(url, init)
  }
  for (let trial = 0; trial < 3; trial++) await runTrial(noting, [200])
  expect(ports.size).toBe(3)
  expect(originsOfFetch()).toEqual(before)
})
