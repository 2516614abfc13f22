import type { ForeignConnection } from '../clock/model.js'
import { Engine } from './engine.js'
import { FetchConnections } from './fetch-connections.js'
import { FetchFront } from './fetch-front.js'
import { offeredOnFetch } from './fetch-offer.js'
import { routeFetch } from './fetch-route.js'
import { letThrough } from './let-through.js'
import type { ScriptedServer, ServerOptions } from './model.js'

/** Nobody listens here: requests to it never reach a socket. */
const PORT = 65_535
const NOT_FETCH = "the fetch transport reaches clients that call fetch only: use transport: 'socket'"
const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost']

/**
 * Starts the scripted server without a socket: what `fetch` asks of its origin goes from undici's dispatcher straight to the script.
 * Everything above the dispatcher is Node's own `fetch`, so redirects, decoding, streams, aborts and errors are the real ones. Clients of
 * node:http and of undici's other functions are not reached.
 *
 * @throws {NotOfferedError} when the schedule has steps that only a socket can show.
 */
export async function startFetchServer(given: ServerOptions): Promise<ScriptedServer> {
  const options: ServerOptions = { ...given, schedule: offeredOnFetch(given.schedule) }
  const engine = new Engine(options)
  const connections = new FetchConnections(options.clock)
  const front = new FetchFront(engine, connections, options, PORT)
  const stopLetting = await letThrough(LOOPBACK.map((host) => `http://${host}:${PORT}`))
  const refused: ForeignConnection[] = []
  const refuse = () => {
    refused.push({ atMs: options.clock.nowMs(), host: LOOPBACK[0]!, port: PORT, refused: true })
    return NOT_FETCH
  }
  const stopRouting = routeFetch(isOwn, refuse, (request, handler) => front.receive(request, handler))
  const origin = `http://${LOOPBACK[0]}:${PORT}`
  const drop = (): void => {
    engine.abandon()
    front.dropAll()
  }
  return {
    origin,
    port: PORT,
    baseUrl: (callIndex) => origin + engine.announce(callIndex),
    attempts: () => engine.attempts(),
    ledger: () => engine.ledger(),
    unplayed: () => engine.unplayed(),
    racedRequests: () => [],
    foreignRequests: () => refused,
    markSettled: () => engine.markSettled(),
    unreadAnswers: () => front.unread(),
    openSockets: () => connections.size,
    dropConnections: drop,
    async close() {
      stopLetting()
      stopRouting()
      drop()
    },
  }
}

const isOwn = (origin: string): boolean => LOOPBACK.some((host) => origin === `http://${host}:${PORT}`)
