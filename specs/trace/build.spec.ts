import { expect, test } from 'vitest'
import { makeTrial } from '../../src/trace/build.js'
import { resolved, trialOf, unsettled } from '../support/make-trial.js'

test('the short forms say what came of each attempt and how long the client waited', () => {
  const trial = trialOf({
    attempts: [{ status: 429 }, { at: 30_000, status: 500 }, { at: 30_512, fault: 'reset' }, { at: 31_546, status: 200 }],
  })
  expect(trial.statuses).toEqual([429, 500, 'reset', 200])
  expect(trial.gapsMs).toEqual([30_000, 512, 1034])
  expect(trial.outcome).toMatchObject({ kind: 'resolved', status: 200 })
  expect(trial.settledAtMs).toBe(31_546)
})

test('the outcome is that of the first call and the trial is settled with the last', () => {
  const trial = trialOf({
    attempts: [{ status: 200 }, { call: 1, at: 50, status: 200 }],
    calls: [{ outcome: resolved(200, 'one'), settledAt: 90 }, { outcome: resolved(200, 'two') }],
  })
  expect(trial.outcome).toMatchObject({ value: 'one' })
  expect(trial.settledAtMs).toBe(90)
})

test('one unsettled call leaves the trial unsettled', () => {
  const trial = trialOf({
    attempts: [{ status: 200 }, { call: 1, fault: 'hang' }],
    calls: [{}, { outcome: unsettled('a socket') }],
  })
  expect(trial.settledAtMs).toBeNull()
})

test('a trial without calls was not observed', () => {
  const record = { ...trialOf({ attempts: [{ status: 200 }] }), calls: [] }
  const trial = makeTrial(record, () => '')
  expect(trial.outcome).toEqual({ kind: 'unobserved' })
  expect(trial.settledAtMs).toBeNull()
})

test('a trial can be shared: nobody who reads it can change it, or the record it came from', () => {
  const attempts = [...trialOf({ attempts: [{ status: 200 }] }).attempts].map((attempt) => ({ ...attempt }))
  const trial = makeTrial({ ...trialOf({ attempts: [{ status: 200 }] }), attempts }, () => '')
  expect(() => Object.assign(trial, { seed: 2 })).toThrow(TypeError)
  expect(() => Object.assign(trial.attempts[0]!, { status: 500 })).toThrow(TypeError)
  expect(() => (trial.statuses as unknown[]).push(1)).toThrow(TypeError)
  // The server goes on writing its own records.
  Object.assign(attempts[0]!, { status: 500 })
  expect(trial.attempts[0]!.status).toBe(200)
})

test('the timeline is drawn by what was handed in', () => {
  const trial = makeTrial(trialOf({ attempts: [{ status: 200 }] }), ({ statuses }) => `drawn from ${statuses}`)
  expect(trial.timeline()).toBe('drawn from 200')
})
