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
    if (isMocked(this)) return Reflect.apply(connect, this, args)
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

/** Whoever has replaced the writing of a socket (nock 15) answers what is written: nothing leaves the process, and nothing is on a wire. */
const isMocked = (socket: net.Socket): boolean => Object.hasOwn(socket, '_writeGeneric')

/** How what nock 15 stands on lets a connection be made past its own mocks. */
interface InternalConnections {
  run<T>(connect: () => T): T
}

type WithMocks = typeof globalThis & { __MSW_INTERNAL_CONNECTION_CONTEXT?: InternalConnections }

const past = new WeakSet<object>()

/** A mock of sockets that was set up after the hook sits on top of it: connections to servers of a run go past it. */
export const passMocks = (kernel: Kernel): void => {
  const { connect } = net.Socket.prototype
  if ((globalThis as WithMocks).__MSW_INTERNAL_CONNECTION_CONTEXT === undefined || past.has(connect)) return
  const connectPastMocks = function (this: net.Socket, ...args: unknown[]) {
    const internal = (globalThis as WithMocks).__MSW_INTERNAL_CONNECTION_CONTEXT
    const connectAsFound = (): net.Socket => Reflect.apply(connect, this, args)
    const isOwn = !isMocked(this) && kernel.sockets.isAdopted(targetOf(this, args))
    return isOwn && internal !== undefined ? internal.run(connectAsFound) : connectAsFound()
  }
  past.add(connectPastMocks)
  net.Socket.prototype.connect = connectPastMocks
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
