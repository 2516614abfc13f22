import http from 'node:http'
import { text } from 'node:stream/consumers'
import { defineClient, runTrial } from 'retrial'
import { expect, test } from 'vitest'
import type { StepInput } from '../../src/schedule/model.js'
import { sleep } from './support.js'

const GET = { call: { method: 'GET' } }

const request = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    http.get(url, { agent: false }, (answer) => text(answer).then(resolve, reject)).on('error', reject)
  })

/** Never waits, never gives up. */
const atOnceForEver = async (send: () => Promise<unknown>): Promise<never> => {
  for (;;) await send().catch(() => {})
}

const impatient: Record<string, [(url: string) => Promise<unknown>, StepInput, RegExp]> = {
  'what the server never answers, until it is gone': [(url) => atOnceForEver(() => request(url)), 'hang', /nothing can happen/],
  'what the server refuses': [(url) => atOnceForEver(() => request(url)), 'refuse', /more than 300 requests have come/],
  'what the server refuses, with fetch': [(url) => atOnceForEver(() => fetch(url)), 'refuse', /more than 300 requests have come/],
  'a host that is refused': [
    async (url) => {
      await request(url)
      await atOnceForEver(() => request('http://elsewhere.example/'))
    },
    200,
    /connections have been begun one after the other without a pause/,
  ],
  'an address where nobody listens': [
    async (url) => {
      await request(url)
      await atOnceForEver(() => request(url.replace('127.0.0.1', '[::1]')))
    },
    200,
    /connections have been begun one after the other without a pause/,
  ],
}

test.each(Object.entries(impatient))(
  'a client that tries at once and for ever %s is stopped, and takes no part in the next trial',
  async (_, [send, step, named]) => {
    const trial = await runTrial(
      defineClient('impatient', ({ url }) => send(url)),
      [step],
      { ...GET, maxEvents: 1000 },
    )
    expect(trial.outcome).toMatchObject({ kind: 'unsettled', pending: expect.arrayContaining([expect.stringMatching(named)]) })
    const patient = defineClient('patient', async ({ url }) => {
      await sleep(5000)
      return request(url)
    })
    const { settledAtMs, relapses, foreignConnections } = await runTrial(patient, [200], GET)
    expect({ settledAtMs, relapses, foreignConnections }).toEqual({ settledAtMs: 5000, relapses: 0, foreignConnections: [] })
  },
)
