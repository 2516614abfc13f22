import { expect, test } from 'vitest'
import { runVitest } from '../support/run-vitest.js'

const HEAD = `
import { test, fc } from '@fast-check/vitest'
import { expect, afterAll } from 'vitest'
import { defineClient, runTrial } from 'retrial'
import { callPlan, faultSchedule, onTrialNote, retryHeaders } from 'retrial/property'
const contract = { maxAttempts: 4 }
const send = async ({ url, method, headers, body, signal }) => {
  const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' })
  await response.arrayBuffer()
  return response
}
const once = defineClient('once', (call) => send(call))
const stubborn = defineClient('stubborn', async (call) => {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const response = await send(call)
    if (response.status !== 404) return response
  }
})
const noted = []
onTrialNote(({ trials }) => noted.push(trials[0].schedule))
`

test('the arbitraries compose with test.prop and with those of fast-check', async () => {
  const { tests } = await runVitest({
    'sound.spec.ts': `${HEAD}
      test.prop([faultSchedule({ maxSteps: 4, contract }), callPlan({ contract, maxCalls: 1 })], { seed: 1, numRuns: 30 })('upholds', async (schedule, plan) => {
        await expect(await runTrial(once, schedule, plan)).toUphold(contract)
      })
      test.prop({ hint: retryHeaders(), status: fc.constantFrom(429, 503) }, { seed: 1, numRuns: 30 })('hints', async ({ hint, status }) => {
        const trial = await runTrial(once, [{ status, ...hint }, 200])
        expect(trial.statuses).toEqual([status])
      })
    `,
  })
  expect(tests.map(({ name, status, failure }) => [name, status, failure])).toEqual([
    ['upholds (with seed=1)', 'passed', ''],
    ['hints (with seed=1)', 'passed', ''],
  ])
})

test('a failing property shows the smallest schedule, and notes only its trial', async () => {
  const { tests, output } = await runVitest({
    'broken.spec.ts': `${HEAD}
      test.prop([faultSchedule({ contract })], { seed: 1, numRuns: 500 })('upholds', async (schedule) => {
        await expect(await runTrial(stubborn, schedule, { call: { method: 'GET' } })).toUphold(contract)
      }, 60_000)
      afterAll(() => console.log('NOTED ' + JSON.stringify(noted)))
    `,
  })
  expect(tests[0]!.status).toBe('failed')
  expect(tests[0]!.failure).toContain('Counterexample: [[404]]')
  expect(output).toContain('NOTED ["[404]"]')
})
