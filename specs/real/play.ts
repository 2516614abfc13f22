import type { RealClient } from '../../fixtures/clients/known/model.js'
import type { Trial } from '../../src/trace/model.js'
import { runTrial } from '../../src/trial/run-trial.js'
import { SEED } from './random-waits.js'
import type { Scenario } from './scenarios.js'

/** Repeats a measurement in virtual time. The measuring server kept no ledger, and no key was sent but by SDKs of their own accord. */
export async function play(client: RealClient, method: string, scenario: Scenario, seed = SEED[client.id] ?? 1): Promise<Trial> {
  const make = await client.load()
  return runTrial(make({ timeoutMs: scenario.timeoutMs }), scenario.schedule, {
    call: { method, idempotencyKey: client.id.endsWith('-idem') ? 'auto' : 'none' },
    dedup: 'ignore',
    seed,
    // One millisecond less: a timer due exactly at the cap came too late for the measurement.
    ...(scenario.capMs === undefined ? {} : { maxVirtualMs: scenario.capMs - 1 }),
    ...(scenario.abortAtMs === undefined ? {} : { abortAtMs: scenario.abortAtMs }),
  })
}
