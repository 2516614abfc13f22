import { type AddressInfo, createServer, type Server } from 'node:net'
import { isFault } from '../schedule/model.js'
import { onConnect } from './connect-hook.js'
import { Connections } from './connections.js'
import type { Engine } from './engine.js'
import { forgetOrigin } from './forget-origin.js'
import { HttpFront } from './http-front.js'
import type { ServerOptions } from './model.js'
import { UndiciRequests } from './undici-requests.js'

export const HOST = '127.0.0.1'

/** The asked-for port cannot be listened on. */
export class PortError extends Error {
  override readonly name = 'PortError'
}

/** A script that can be reached over real connections. */
export interface Listening {
  readonly port: number
  readonly connections: Connections
  readonly front: HttpFront
  /** Stops listening and destroys every connection. */
  close(): Promise<void>
}

/**
 * Gives an engine a port of loopback.
 *
 * @param nextNumber numbers the connections, if others are numbered with them.
 * @throws {PortError} When `options.port` is taken or not allowed.
 */
export async function listen(engine: Engine, options: ServerOptions, nextNumber?: () => number): Promise<Listening> {
  const { clock } = options
  const listener = createServer({ allowHalfOpen: true, noDelay: true })
  const connections = new Connections(listener, clock, nextNumber)
  const front = new HttpFront(engine, connections, options)
  front.serve(listener)
  const { port } = await bind(listener, options.port ?? 0)
  clock.adoptServer(listener)
  const refuses = options.schedule.steps?.some((step) => isFault(step) && step.fault === 'refuse') ?? false
  const requests = refuses ? new UndiciRequests(port) : null
  const stopAsking = onConnect(port, (socket) => {
    const isAhead = requests?.connectsAhead(socket) ?? false
    if (!engine.refusesNext()) return 'accept'
    // A connection that no request waits for meets the refusal, too, but is no attempt and takes no step.
    if (!isAhead) engine.refuseConnection(connections.nextNumber())
    return 'refuse'
  })
  return {
    port,
    connections,
    front,
    close: () =>
      new Promise((resolve) => {
        stopAsking()
        requests?.stop()
        listener.close(() => {
          forgetOrigin(port)
          resolve()
        })
        connections.destroyAll()
      }),
  }
}

function bind(server: Server, port: number): Promise<AddressInfo> {
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
