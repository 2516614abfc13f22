import { describe, expect, test } from 'vitest'
import { KNOWN_CLIENTS } from '../../fixtures/clients/known/index.js'
import { disagreements } from './agree.js'
import { cellsOf } from './cells.js'
import { knownNoiseMs } from './noisier.js'
import { play } from './play.js'
import { SCENARIOS } from './scenarios.js'

const measured = KNOWN_CLIENTS.map((client) => ({ client, cells: cellsOf(client.id) })).filter(({ cells }) => cells.length > 0)

// What the same client was measured to do in real time, by code that shares nothing with this project, is what it does in a trial.
describe.each(measured)('$client.id', ({ client, cells }) => {
  test.each(cells)('%s', async (_, cell) => {
    const scenario = SCENARIOS[cell.scenario]!
    const trial = await play(client, cell, scenario)
    const noiseMs = knownNoiseMs(cell)
    expect(disagreements(cell, scenario, trial, noiseMs), trial.timeline()).toEqual([])
    // A cell that is excused must need it.
    if (noiseMs !== undefined) expect(disagreements(cell, scenario, trial)).toEqual([expect.stringMatching(/^wait \d/)])
    expect(trial.relapses).toBe(0)
  })
})
