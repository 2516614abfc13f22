import { expect, test } from 'vitest'
import { runTrial } from '../../src/trial/run-trial.js'

/** The origins that fetch keeps pools for; undici has them under a symbol of its own. */
const originsOfFetch = (): unknown[] => {
  const agent = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1')) as Record<symbol, Map<unknown, unknown>>
  const key = Object.getOwnPropertySymbols(agent).find(({ description }) => description === 'clients')!
  return [...agent[key]!.keys()]
}

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
