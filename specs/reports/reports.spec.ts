import { readFileSync } from 'node:fs'
import { runTrial } from 'retrial'
import { describe, expect, test } from 'vitest'
import { resolveContract } from '../../src/guarantees/resolve.js'
import type { Trial } from '../../src/trace/model.js'
import type { Client } from '../../src/trial/model.js'
import { classes } from './classes.js'
import { counts } from './counting.js'
import { effects } from './effects.js'
import { hints } from './hints.js'
import { promised, type Report, verdictOf } from './model.js'
import { time } from './time.js'

const reports: readonly Report[] = [...hints, ...time, ...classes, ...effects, ...counts]

/** Reports that only a fleet shows: where they are held. */
const OF_FLEETS: Readonly<Record<string, readonly [file: string, title: string]>> = {
  C01: ['matchers', 'tells max(hint, jitter), which has no jitter, from a hint with a spread on top'],
  C02: ['matchers', 'tells jitter from fixed and from plain exponential delays'],
  C04: ['matchers', 'tells a limit that the whole client knows of from one that each request meets for itself'],
}

/** The reports of the collection whose subject is what a client does (its groups A and C). */
const CLIENT_REPORTS = [
  ...[
    'A01',
    'A02',
    'A03',
    'A05',
    'A06',
    'A07',
    'A08',
    'A11',
    'A14',
    'A15',
    'A17',
    'A18',
    'A20',
    'A21',
    'A23',
    'A25',
    'A26',
    'A27',
  ],
  ...['A29', 'A30', 'A31', 'A32', 'A33', 'A35', 'A36', 'A37', 'A38', 'A42'],
  ...['C01', 'C02', 'C04', 'C05', 'C07', 'C08', 'C09', 'C10', 'C11'],
]

async function play(client: Client, { schedules, options, seeds = 1 }: Report): Promise<Trial[]> {
  const trials: Trial[] = []
  for (const schedule of schedules) {
    for (let seed = 1; seed <= seeds; seed++)
      trials.push(await runTrial(client, schedule, { maxEvents: 20_000, ...options, seed }))
  }
  return trials
}

describe.each(reports.map((report) => [report.id, report.says, report] as const))('%s: %s', (_id, _says, report) => {
  const contract = resolveContract(report.contract ?? promised)

  test('a sound client does what is right', async () => {
    const trials = await play(report.sound, report)
    expect(report.right(trials)).toEqual(report.is)
    const { kind, reasons } = verdictOf(report, trials, contract)
    expect(`${kind}: ${reasons[0]?.text}`).toMatch(/^pass: /)
  })

  test(`a client with this fault breaks ${report.breaks}`, async () => {
    const verdict = verdictOf(report, await play(report.faulty, report), contract)
    expect(verdict.kind).toBe('fail')
    expect(verdict.reasons.filter(({ kind }) => kind === 'fail').map(({ rule }) => rule)).toContain(report.breaks)
  })
})

test('every report about a client is here, or in a spec of a fleet', () => {
  const held = new Set([...reports.map(({ id }) => id.slice(0, 3)), ...Object.keys(OF_FLEETS)])
  expect([...held].sort()).toEqual([...CLIENT_REPORTS].sort())
  for (const [file, title] of Object.values(OF_FLEETS)) {
    const spec = readFileSync(new URL(`../experiments/${file}.spec.ts`, import.meta.url), 'utf8')
    expect(spec).toContain(`test('${title}'`)
  }
})

test('layers that multiply are told as the product that they are', async () => {
  const layers = reports.find(({ id }) => id === 'C08')!
  const verdict = verdictOf(layers, await play(layers.faulty, layers), resolveContract(layers.contract))
  expect(verdict.reasons[0]?.text).toBe('2 × 5 = 10 requests for one call: layers of retries multiply')
})
