import { type AddressInfo, createServer, type Server } from 'node:net'
import { onConnect } from './connect-hook.js'
import { Connections } from './connections.js'
import { Engine } from './engine.js'
import { forgetOrigin } from './forget-origin.js'
import { HttpFront } from './http-front.js'
import type { ScriptedServer, ServerOptions } from './model.js'

const HOST = '127.0.0.1'

/** The asked-for port cannot be listened on. */
export class PortError extends Error {
  override readonly name = 'PortError'
}

/**
 * Starts the scripted server on a real loopback socket.
 *
 * @throws {PortError} When `options.port` is taken or not allowed.
 */
export async function startServer(options: ServerOptions): Promise<ScriptedServer> {
  const { clock } = options
  const engine = new Engine(options)
  const listener = createServer({ allowHalfOpen: true, noDelay: true })
  const connections = new Connections(listener, clock)
  const front = new HttpFront(engine, connections, options)
  front.serve(listener)
  const { port } = await listen(listener, options.port ?? 0)
  clock.adoptServer(listener)
  const stopAsking = onConnect(port, () => {
    if (!engine.refusesNext()) return 'accept'
    engine.refuseConnection(connections.nextNumber())
    return 'refuse'
  })
  const origin = `http://${HOST}:${port}`
  let closing: Promise<void> | undefined
  const drop = (): void => {
    engine.abandon()
    connections.destroyAll()
  }
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
    dropConnections: drop,
    close() {
      closing ??= new Promise((resolve) => {
        stopAsking()
        listener.close(() => {
          forgetOrigin(port)
          resolve()
        })
        drop()
      })
      return closing
    },
  }
}

function listen(server: Server, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(portError(error, port)))
    server.listen(port, HOST, () => resolve(server.address() as AddressInfo))
  })
}

function portError(error: NodeJS.ErrnoException, port: number): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: 'is in use already',
    EACCES: 'may not be listened on by this user',
  }
  const reason = reasons[error.code ?? '']
  if (reason === undefined) return error
  return new PortError(`port ${port} on ${HOST} ${reason}: choose another one, or 0 for any free port`, { cause: error })
}
