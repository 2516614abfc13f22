import dns from 'node:dns'
import net from 'node:net'
import type { ConnectionTarget, Kernel } from '../kernel.js'

/**
 * Sees every outgoing connection at its start: the sockets to the trial's own server are accounted for, the others refused unless allowed.
 * (The diagnostics channel would not do: on Node 20 it tells of net.connect() only, not of new Socket().connect() or TLS.)
 */
export const hookSockets = (kernel: Kernel): void => {
  const { connect } = net.Socket.prototype
  net.Socket.prototype.connect = function connectInTrial(this: net.Socket, ...args: unknown[]) {
    const target = targetOf(this, args)
    const error = kernel.currentRun()?.refuseConnection(target) ?? null
    if (error !== null) {
      // What a client left behind may try for ever to reach a server that has gone: it waits, and takes no part in this run.
      if (kernel.isLeftOver) return Object.assign(this, { connecting: true })
      return failConnecting(kernel, this, error)
    }
    if (target.protocol === 'tcp') kernel.sockets.addClient(this, target)
    return Reflect.apply(connect, this, args)
  }
}

interface ConnectOptions {
  readonly port?: number | string
  readonly host?: string
  readonly path?: string
  readonly lookup?: unknown
}

/** The forms of connect: (options), (port, host?), (path), and net.connect's own normalized array. */
const targetOf = (socket: net.Socket, args: readonly unknown[]): ConnectionTarget => {
  const first = Array.isArray(args[0]) ? args[0][0] : args[0]
  const options: ConnectOptions =
    typeof first === 'object' && first !== null
      ? first
      : isPort(first)
        ? { port: first, host: typeof args[1] === 'string' ? args[1] : undefined }
        : { path: String(first) }
  if (typeof options.path === 'string') return { host: options.path, port: 0, protocol: 'unix' }
  const protocol = 'encrypted' in socket ? 'tls' : 'tcp'
  const { host = 'localhost', lookup } = options
  const hasOwnLookup = typeof lookup === 'function' && lookup !== dns.lookup && net.isIP(host) === 0
  return { host, port: Number(options.port), protocol, hasOwnLookup }
}

const isPort = (value: unknown): value is number | string =>
  typeof value === 'number' || (typeof value === 'string' && value !== '' && Number.isInteger(Number(value)))

/**
 * As a connect that fails: what is written waits for it, and the error comes with the next turn of the loop. Sooner, a client that tries
 * again at once would keep the loop from ever turning.
 */
export const failConnecting = (kernel: Kernel, socket: net.Socket, error: Error): net.Socket => {
  kernel.sockets.begun++
  kernel.real.setImmediate(() => socket.destroy(error))
  return Object.assign(socket, { connecting: true })
}
