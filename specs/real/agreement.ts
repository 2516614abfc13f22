import { describe, expect, test } from 'vitest'
import type { RealClient } from '../../fixtures/clients/known/model.js'
import { disagreements } from './agree.js'
import { cellsOf } from './cells.js'
import { knownNoiseMs } from './noisier.js'
import { play } from './play.js'
import { SCENARIOS } from './scenarios.js'

/** One test per measured cell: what a client did in real time, seen by code that shares nothing with this project, it does in a trial. */
export function describeAgreement(clients: readonly RealClient[]): void {
  const measured = clients.map((client) => ({ client, cells: cellsOf(client.id) })).filter(({ cells }) => cells.length > 0)
  describe.each(measured)('$client.id', ({ client, cells }) => {
    test.each(cells)('%s', async (_, cell) => {
      const scenario = SCENARIOS[cell.scenario]!
      const trial = await play(client, cell.method, scenario)
      const noiseMs = knownNoiseMs(cell)
      expect(disagreements(cell, scenario, trial, noiseMs), trial.timeline()).toEqual([])
      // A cell that is excused must need it.
      if (noiseMs !== undefined) expect(disagreements(cell, scenario, trial)).toEqual([expect.stringMatching(/^wait \d/)])
      expect(trial.relapses).toBe(0)
    })
  })
}
