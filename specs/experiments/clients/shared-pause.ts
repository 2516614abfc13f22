import { setTimeout as sleep } from 'node:timers/promises'
import { defineClient } from '../../../src/trial/client.js'

/** A client whose limit is a state of the client, not of the request: a 429 makes every later request wait until it is over. */
export const sharedPause = () =>
  defineClient('shared-pause', {
    create: () => ({ closedUntilMs: 0 }),
    call: async (gate, { url, method, headers, body }) => {
      for (;;) {
        while (Date.now() < gate.closedUntilMs) await sleep(gate.closedUntilMs - Date.now())
        const response = await fetch(url, { method, headers, body })
        if (response.status !== 429) return response
        await response.arrayBuffer()
        gate.closedUntilMs = Math.max(gate.closedUntilMs, Date.now() + Number(response.headers.get('retry-after')) * 1_000)
      }
    },
  })
