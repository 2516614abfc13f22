import type { Clock } from '../../clock/model.js'
import { startServer } from '../../server/http-server.js'
import { type FleetServer, markEnded, markHungUp } from './fleet-server.js'
import type { FleetTransport } from './model.js'

let servers = 0

/** Plays the server behind a real loopback socket. */
export async function openSocketTransport(clock: Clock, server: FleetServer): Promise<FleetTransport> {
  const listening = await startServer({
    schedule: { steps: null, choose: (request) => server.receive(request).step },
    clock,
    dedup: 'ignore',
    keyHeader: 'idempotency-key',
    token: `x${++servers}`,
    onAttempt: ({ number, endedAtMs, hungUpAtMs }, change) => {
      const attempt = server.attempts[number - 1]
      if (attempt === undefined) return
      if (change === 'ended') markEnded(attempt, endedAtMs!)
      if (change === 'hung-up') markHungUp(attempt, hungUpAtMs!)
    },
  })
  return { fetch: globalThis.fetch, baseUrl: (index) => listening.baseUrl(index), close: () => listening.close() }
}
