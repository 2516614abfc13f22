import { Engine } from './engine.js'
import { letThrough } from './let-through.js'
import { HOST, listen } from './listener.js'
import type { ScriptedServer, ServerOptions } from './model.js'

/**
 * Starts the scripted server on a real loopback socket.
 *
 * @throws {PortError} When `options.port` is taken or not allowed.
 */
export async function startServer(options: ServerOptions): Promise<ScriptedServer> {
  const engine = new Engine(options)
  const listening = await listen(engine, options)
  const { port, connections, front } = listening
  const origin = `http://${HOST}:${port}`
  const stopLetting = await letThrough([origin, `http://localhost:${port}`])
  let closing: Promise<void> | undefined
  return {
    origin,
    port,
    baseUrl: (callIndex) => origin + engine.announce(callIndex),
    attempts: () => engine.attempts(),
    ledger: () => engine.ledger(),
    unplayed: () => engine.unplayed(),
    racedRequests: () => front.raced,
    reset: () => engine.reset(),
    markSettled: () => engine.markSettled(),
    unreadAnswers: () => connections.unread(),
    openSockets: () => connections.size,
    dropConnections() {
      engine.abandon()
      connections.destroyAll()
    },
    close() {
      stopLetting()
      engine.abandon()
      closing ??= listening.close()
      return closing
    },
  }
}
