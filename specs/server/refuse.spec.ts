import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Agent } from 'node:http'
import axios from 'axios'
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import type { StepInput } from '../../src/schedule/model.js'
import { defineClient } from '../../src/trial/client.js'
import type { Call } from '../../src/trial/model.js'
import { runTrial } from '../../src/trial/run-trial.js'

type Send = (call: Call) => Promise<number>

const TIMEOUT_MS = 1_000

const SENDS: Readonly<Record<string, Send>> = {
  fetch: async ({ url, method, body }) => {
    const response = await fetch(url, { method, body, signal: AbortSignal.timeout(TIMEOUT_MS) })
    await response.arrayBuffer()
    return response.status
  },
  'npm undici': async ({ url, body }) => {
    const response = await request(url, { method: 'POST', body, signal: AbortSignal.timeout(TIMEOUT_MS) })
    await response.body.arrayBuffer()
    return response.statusCode
  },
  'axios with a kept-alive agent': async ({ url, method, body }) => {
    const httpAgent = new Agent({ keepAlive: true })
    return (await axios.request({ url, method, data: body, httpAgent, timeout: TIMEOUT_MS, validateStatus: () => true })).status
  },
}

/** What each of four tries came to, as the caller sees it: a status, 'refused', or 'failed'. */
const tries = (send: Send, pauseMs: number) =>
  defineClient('tries', async (call) => {
    const seen: (number | string)[] = []
    while (seen.at(-1) !== 200 && seen.length < 4) {
      const came = await send(call).catch((error: Error & { code?: string; cause?: { code?: string } }) =>
        (error.code ?? error.cause?.code) === 'ECONNREFUSED' ? 'refused' : 'failed',
      )
      seen.push(came)
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    return seen
  })

describe.each(Object.entries(SENDS))('a refusal met by %s', (_name, send) => {
  test.each<[StepInput[], (number | string)[], (number | string)[]]>([
    // undici connects anew as soon as a client hangs up, before anybody has asked for anything.
    [
      ['hang', 'refuse', 200],
      ['failed', 'refused', 200],
      ['hang', 'refuse', 200],
    ],
    [
      ['informational', 'refuse', 'refuse', 200],
      ['failed', 'refused', 'refused', 200],
      ['informational', 'refuse', 'refuse', 200],
    ],
    [
      ['reset', 'refuse', 200],
      ['failed', 'refused', 200],
      ['reset', 'refuse', 200],
    ],
    [
      ['close', 'refuse', 200],
      ['failed', 'refused', 200],
      ['close', 'refuse', 200],
    ],
    [
      [503, 'refuse', 200],
      [503, 'refused', 200],
      [503, 'refuse', 200],
    ],
    [
      ['refuse', 'refuse', 200],
      ['refused', 'refused', 200],
      ['refuse', 'refuse', 200],
    ],
  ])('in %j is one attempt, and the attempt that the caller sees', async (schedule, seen, statuses) => {
    for (const pauseMs of [0, 100]) {
      const trial = await runTrial(tries(send, pauseMs), schedule, { call: { idempotencyKey: 'none' } })
      expect(trial.outcome).toMatchObject({ kind: 'resolved', value: seen })
      expect(trial.statuses).toEqual(statuses)
      expect(trial).toMatchObject({ unplayed: [], relapses: 0 })
    }
  })
})

test('undici is listened to only where a refusal is in the script, and only as long', async () => {
  const channel = 'undici:request:create'
  const listeners: boolean[] = []
  const { hasSubscribers } = await import('node:diagnostics_channel')
  const client = defineClient('looks', async (call) => {
    listeners.push(hasSubscribers(channel))
    return SENDS.fetch!(call).catch(() => 0)
  })
  await runTrial(client, [200])
  await runTrial(client, ['refuse', 200])
  expect([...listeners, hasSubscribers(channel)]).toEqual([false, true, false])
  // The question is a fair one: a listener of one's own shows.
  const own = () => {}
  subscribe(channel, own)
  expect(hasSubscribers(channel)).toBe(true)
  unsubscribe(channel, own)
})
