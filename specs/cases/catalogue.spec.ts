import { describe, expect, test } from 'vitest'
import { sound, wrong } from '../../fixtures/clients/index.js'
import { callsOf } from '../../src/cases/battery.js'
import { CATALOGUE_VERSION, caseById, casesOf, catalogue } from '../../src/cases/index.js'
import type { Case } from '../../src/cases/model.js'
import type { Contract } from '../../src/guarantees/contract.js'
import { GUARANTEE_IDS, type Level } from '../../src/guarantees/model.js'
import type { ScheduleInput } from '../../src/schedule/model.js'
import { parseSchedule } from '../../src/schedule/parse.js'
import { runTrial } from '../../src/trial/run-trial.js'

const GROUPS = { CLS: 17, RAF: 19, BKO: 9, DDL: 10, IDM: 13, NET: 5, BDY: 6, STR: 7, H2T: 2, BUD: 6 } as const

/**
 * What the suite scores, row by row: M = must, S = should, - = may. As the published table has it, but for IDM-04 (a keyless PATCH is
 * judged as a keyless POST is) and BDY-04 (Node's own fetch accepts a gzip stream that is cut short).
 */
const LEVELS: Record<keyof typeof GROUPS, string> = {
  CLS: 'MMMMSS--SSSMSSMM-',
  RAF: 'MMMSMSMMSMMSSS-SS--',
  BKO: 'MMMMSSSMM',
  DDL: 'M-SMMMSMSM',
  IDM: '-MSMMMMM--MS-',
  NET: 'SSSMS',
  BDY: 'MMMSMM',
  STR: 'MMSMMMM',
  H2T: '-M',
  BUD: '-MSSSS',
}
const LETTER: Record<Level, string> = { must: 'M', should: 'S', may: '-' }

const groupOf = ({ id }: Case): string => id.slice(0, 3)

test('there are 94 cases, 80 of them scored, in the order of the document', () => {
  const expected = Object.entries(GROUPS).flatMap(([group, count]) =>
    Array.from({ length: count }, (_, index) => `${group}-${String(index + 1).padStart(2, '0')}`),
  )
  expect(catalogue.map(({ id }) => id)).toEqual(expected)
  expect(catalogue.filter(({ informational }) => !informational)).toHaveLength(80)
  expect(CATALOGUE_VERSION).toBe('catalogue@2026-11')
})

test('informational are the thirteen that a client may keep, and the HTTP/2 refusal without end', () => {
  const informational = catalogue.filter((row) => row.informational)
  expect(informational).toHaveLength(14)
  expect(informational.filter(({ level }) => level !== 'may').map(({ id }) => id)).toEqual(['H2T-02'])
})

test.each(Object.entries(LEVELS))('the levels of %s are those of the table', (group, letters) => {
  const levels = catalogue.filter((row) => groupOf(row) === group).map(({ level }) => LETTER[level])
  expect(levels.join('')).toBe(letters)
})

test('every case names its source, its keyword, a sentence, and a wrong client that exists', () => {
  for (const row of catalogue) {
    expect(row.source, row.id).not.toBe('')
    expect(row.keyword, row.id).not.toBe('')
    expect(row.title, row.id).toMatch(/^(\d|[A-Z]).{20,}[^.]$/)
    expect(Object.keys(wrong), row.id).toContain(row.wrong)
  }
})

test('a level above the keyword of its source is labelled as the judgement of this suite', () => {
  const weak = ['MAY', 'ought', 'SHOULD', 'SHOULD NOT']
  const stricter = catalogue.filter(
    ({ level, keyword, unsupported }) => level === 'must' && weak.includes(keyword) && unsupported === undefined,
  )
  // RAF-05 rests on no keyword for "bounded": it is the attempt cap's own rule that is met there.
  expect(stricter.filter(({ source }) => !source.includes('level: suite')).map(({ id }) => id)).toEqual(['RAF-05'])
})

test('what cannot be played yet says so', () => {
  const unsupported = catalogue.filter((row) => row.unsupported !== undefined)
  expect(unsupported.map(({ id }) => id)).toEqual(['BKO-07', 'H2T-01', 'H2T-02'])
  for (const row of unsupported) expect(row.unsupported, row.id).toMatch(/^not supported yet: /)
})

test('every guarantee has a battery, and isolation has one beside the catalogue', () => {
  for (const guarantee of GUARANTEE_IDS) {
    const playable = casesOf(guarantee).filter((row) => row.unsupported === undefined && !row.informational)
    expect(playable.length, guarantee).toBeGreaterThan(0)
  }
  expect(casesOf('isolation').map(({ id }) => id)).toEqual(['ISO-01'])
  expect(catalogue).not.toContain(caseById('ISO-01'))
  expect(caseById('RAF-01')?.guarantee).toBe('hint')
  expect(caseById('RAF-99')).toBeUndefined()
})

describe('the schedules', () => {
  const CONTRACTS: readonly Contract[] = [
    {},
    {
      deadlineMs: 8_000,
      attemptTimeoutMs: 2_000,
      maxAttempts: 5,
      backoff: { baseMs: 250, jitter: 'full' },
      retryAfter: { capMs: 600_000 },
      shouldRetryHeader: 'x-should-retry',
    },
    { deadlineMs: 1_000, deadlineBy: 'signal' },
  ]

  test.each(catalogue.map((row) => [row.id, row] as const))('of %s can be played', async (_id, row) => {
    const someTrial = await runTrial(sound['fetch-loop']!, [200])
    for (const contract of CONTRACTS.filter(
      (one) => row.appliesTo?.(one, { ...sound['fetch-loop']!, options: { streaming: true } }) == null,
    )) {
      const schedules: ScheduleInput[] = []
      const trials = await row.play(
        async (schedule) => {
          schedules.push(schedule)
          return someTrial
        },
        contract,
        1,
      )
      expect(schedules.length).toBeGreaterThan(0)
      expect(trials).toHaveLength(schedules.length)
      for (const schedule of schedules) expect(() => parseSchedule(schedule)).not.toThrow()
    }
  })
})

describe('the calls of a case', () => {
  const named = (id: string, method?: string) => callsOf(caseById(id)!, { call: { method } })

  test('are GET and POST where the case says nothing', () => {
    expect(named('CLS-01')).toEqual(['GET', 'POST'])
    expect(named('IDM-02')).toEqual(['keyless-POST'])
  })

  test('are the method that the user named, where the method is not the point of the case', () => {
    expect(named('CLS-01', 'PUT')).toEqual(['PUT'])
    expect(named('BKO-06', 'POST')).toEqual(['POST'])
  })

  test('are those of the case that have the named method, where it is the point', () => {
    expect(named('IDM-02', 'POST')).toEqual(['keyless-POST'])
    expect(named('IDM-04', 'POST')).toEqual([])
    expect(named('IDM-01', 'DELETE')).toEqual(['DELETE'])
  })
})
