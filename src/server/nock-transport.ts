import { Engine } from './engine.js'
import { FetchConnections } from './fetch-connections.js'
import { FetchFront } from './fetch-front.js'
import { routeFetch } from './fetch-route.js'
import { letThrough } from './let-through.js'
import { routeAgents } from './loopback-route.js'
import type { ScriptedServer, ServerOptions } from './model.js'
import { interceptRequests } from './nock-interceptor.js'
import { loadNock } from './nock-loader.js'
import { offeredOnNock } from './nock-offer.js'

/** Two trials with `origin` at once, which only the real clock allows: interception is global, and would mix them up. */
export class OriginBusyError extends Error {
  override readonly name = 'OriginBusyError'
}

let busyWith: string | null = null

/**
 * Starts the scripted server behind a host that is built into the client: requests of `fetch` are taken at undici's dispatcher,
 * those of node:http as nock 14 does it, or led to loopback where nock 15 is installed. Not wire truth, so a reduced set of steps.
 *
 * @param origin scheme and host: 'https://api.example.com'.
 * @throws {NotOfferedError} when the schedule has steps that need a wire.
 * @throws {NockMissingError} when nock is not installed.
 * @throws {OriginBusyError} while another trial with an origin runs.
 */
export async function startNockServer(origin: string, given: ServerOptions): Promise<ScriptedServer> {
  const options: ServerOptions = { ...given, schedule: offeredOnNock(given.schedule) }
  const { interception } = await loadNock()
  if (busyWith !== null) {
    throw new OriginBusyError(`a trial of a client with origin '${busyWith}' is running: await it before the one of '${origin}'`)
  }
  busyWith = origin
  const stopLetting = await letThrough([origin])
  const engine = new Engine(options)
  const port = portOf(origin)
  const connections = new FetchConnections(options.clock)
  const nextNumber = (): number => connections.nextNumber()
  const fetchFront = new FetchFront(engine, connections, options, port)
  const http =
    interception === null
      ? await routeAgents(engine, options, origin, nextNumber)
      : interceptRequests(engine, options, origin, nextNumber, interception)
  const stopRouting = routeFetch(
    (asked) => asked === origin,
    () => NOT_FETCH,
    (request, handler) => fetchFront.receive(request, handler),
  )
  const drop = (): void => {
    engine.abandon()
    fetchFront.dropAll()
    http.drop()
  }
  return {
    origin,
    port,
    baseUrl(callIndex) {
      engine.announce(callIndex)
      return origin
    },
    attempts: () => engine.attempts(),
    ledger: () => engine.ledger(),
    unplayed: () => engine.unplayed(),
    racedRequests: () => [],
    markSettled: () => engine.markSettled(),
    unreadAnswers: () => [...fetchFront.unread(), ...http.unread()],
    openSockets: () => connections.size + http.openSockets(),
    dropConnections: drop,
    async close() {
      busyWith = null
      stopLetting()
      stopRouting()
      drop()
      await http.close()
    },
  }
}

const NOT_FETCH = 'npm undici cannot be routed to a scripted origin: give the client the base URL of the call, without `origin`'

function portOf(origin: string): number {
  const { port, protocol } = new URL(origin)
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}
