import { describe, expect, test } from 'vitest'
import { KNOWN_CLIENTS } from '../../fixtures/clients/known/index.js'
import { versionOf } from '../../fixtures/clients/known/version.js'
import { REAL_CLIENTS } from '../../fixtures/clients/real/index.js'
import configurations from '../../fixtures/real-clients/configurations.json' with { type: 'json' }
import { disagreements } from './agree.js'
import { type Cell, readTable, TABLES } from './cells.js'
import { NOISIER } from './noisier.js'
import { play } from './play.js'
import { SCENARIOS } from './scenarios.js'

const client = (id: string) => KNOWN_CLIENTS.find((known) => known.id === id)!

describe('the comparison can fail', () => {
  const cell = readTable('a').find(({ client, method, scenario }) => client === 'ky' && method === 'GET' && scenario === '503x1')!

  // ky waits 300 ms once: 251 to 350 ms before rounding, 30 ms of noise taken off.
  test.each<[string, Partial<Cell>, string]>([
    ['another number of attempts', { attempts: 3 }, 'attempts: 2, measured 3'],
    ['a longer wait', { waitsMs: [[331.5, 332.5]] }, 'wait 1: 300 ms, measured 331.5 to 332.5 ms'],
    ['a shorter wait', { waitsMs: [[297.5, 298.5]] }, 'wait 1: 300 ms, measured 297.5 to 298.5 ms'],
    [
      'a wait too many',
      {
        waitsMs: [
          [250, 350],
          [250, 350],
        ],
      },
      'wait 2: undefined ms, measured 250 to 350 ms',
    ],
    ['another outcome', { outcome: { kind: 'error', status: 503 } }, 'outcome: ok, measured error 503'],
    ['a call that was still pending', { outcome: { kind: 'pending' } }, 'settled as ok, measured pending'],
    ['another time of settling', { settledMs: [0, 200] }, 'settled at 300 ms, measured 0 to 200 ms'],
  ])('%s', async (_, change, expected) => {
    const scenario = SCENARIOS[cell.scenario]!
    const trial = await play(client('ky'), cell.method, scenario)
    expect(disagreements({ ...cell, ...change }, scenario, trial)).toEqual([expected])
  })

  test('a hint that was not waited for', async () => {
    const scenario = SCENARIOS['503 RA 2']!
    const stripe: Cell = {
      client: 'stripe',
      method: 'GET',
      scenario: '503 RA 2',
      said: '',
      outcome: { kind: 'ok' },
      hint: 'waited',
    }
    expect(disagreements(stripe, scenario, await play(client('stripe'), 'GET', scenario))).toEqual([
      'hint: early, measured waited',
    ])
  })

  test('an abort that took longer', async () => {
    const scenario = SCENARIOS['abort in flight']!
    const aborted: Cell = {
      client: 'ky',
      method: 'GET',
      scenario: 'abort in flight',
      said: '',
      outcome: { kind: 'error', name: 'AbortError' },
    }
    const trial = await play(client('ky'), 'GET', scenario)
    expect(disagreements({ ...aborted, afterAbortMs: 'ignored' }, scenario, trial)).toEqual([
      'settled 0 ms after the abort, measured ignored',
    ])
    expect(disagreements({ ...aborted, afterAbortMs: [0, 2] }, scenario, trial)).toEqual([])
  })
})

describe('a measurement that is excused as noisier than the others', () => {
  const cells = TABLES.flatMap(readTable)
  const cellOf = (id: string, method: string, scenario: string) =>
    cells.find((one) => one.client === id && one.method === method && one.scenario === scenario)!

  test.each(NOISIER)('$client $method $scenario has a sibling with the same waits that agrees', async (excuse) => {
    const [scenario, method = excuse.method] = excuse.proof
    const disturbed = await play(client(excuse.client), excuse.method, SCENARIOS[excuse.scenario]!)
    const sibling = await play(client(excuse.client), method, SCENARIOS[scenario]!)
    const measured = cellOf(excuse.client, method, scenario)
    expect(disagreements(measured, SCENARIOS[scenario]!, sibling)).toEqual([])
    const waits = cellOf(excuse.client, excuse.method, excuse.scenario).waitsMs!.length
    expect(sibling.gapsMs.slice(0, waits)).toEqual(disturbed.gapsMs.slice(0, waits))
  })

  test('is one of eight, of 1,544', () => {
    expect([NOISIER.length, cells.length]).toEqual([8, 1_544])
  })
})

describe('what is compared is what was measured', () => {
  test('every column has its scenario', () => {
    const columns = new Set(TABLES.flatMap(readTable).map(({ scenario }) => scenario))
    expect([...columns].filter((column) => !(column in SCENARIOS))).toEqual([])
    expect(Object.keys(SCENARIOS).filter((scenario) => !columns.has(scenario))).toEqual([])
  })

  test('every row has its client', () => {
    const ids = REAL_CLIENTS.map(({ id }) => id)
    expect(
      new Set(
        TABLES.flatMap(readTable)
          .map((cell) => cell.client)
          .filter((id) => !ids.includes(id)),
      ),
    ).toEqual(new Set())
  })

  // `fetch` is the one of the Node that runs the specs: the measured one is that of Node 20.
  const versioned = KNOWN_CLIENTS.filter(({ packages }) => packages.length > 0).flatMap((known) =>
    configurations.filter(({ id }) => id === known.id).map(({ version }) => ({ known, version })),
  )
  test.each(versioned)('$known.id is installed in the measured version, $version', ({ known, version }) => {
    expect(versionOf(known).split(' + ').toSorted()).toEqual(version.split(' + ').toSorted())
  })
})
