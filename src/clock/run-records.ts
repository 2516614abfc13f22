import type { AddressInfo, Server, Socket } from 'node:net'
import type { ConnectionTarget } from './kernel.js'
import { isLoopback } from './loopback.js'
import type { ForeignConnection, TimerOverflow } from './model.js'
import { captureCreation, describeOrigin } from './origin.js'

/** A connection to something that is not part of the trial. */
class RetrialForeignConnectionError extends Error {
  override readonly name = 'RetrialForeignConnectionError'
  readonly code = 'ERR_RETRIAL_FOREIGN_CONNECTION'
  readonly syscall = 'connect'
}

/** What a run notes about its clients, on either clock. */
export class RunRecords {
  readonly overflows: TimerOverflow[] = []
  readonly foreignConnections: ForeignConnection[] = []
  readonly #allowHosts: ReadonlySet<string>
  readonly #ownPorts = new Set<number>()
  readonly #strangers = new WeakSet<Socket>()

  constructor(allowHosts: readonly string[]) {
    this.#allowHosts = new Set(allowHosts)
  }

  /** The port stays the run's own when the server has gone: a refused connection is one of its faults. */
  addServer(server: Server): number {
    const address = server.address() as AddressInfo | string | null
    if (address === null || typeof address === 'string') {
      throw new TypeError(`adoptServer: expected a server that listens on a TCP port, its address is ${JSON.stringify(address)}`)
    }
    this.#ownPorts.add(address.port)
    return address.port
  }

  /** Its bytes are not accounted for: time may move while it waits for an answer. */
  noteStranger(atMs: number, socket: Socket): void {
    if (this.#strangers.has(socket)) return
    this.#strangers.add(socket)
    this.foreignConnections.push({ atMs, host: 'from another thread or process', port: socket.localPort ?? 0, refused: false })
  }

  noteOverflow(atMs: number, requestedMs: number): void {
    this.overflows.push({ atMs, requestedMs, origin: describeOrigin(captureCreation()).origin })
  }

  /** @param isLeftOver whether it is what an earlier run left behind that connects: none of the client's doing */
  refuseConnection(atMs: number, target: ConnectionTarget, isLeftOver: boolean): Error | null {
    const { host, port, protocol } = target
    const isOwn = protocol !== 'unix' && protocol !== 'udp' && isLoopback(host) && this.#ownPorts.has(port)
    if (isOwn && protocol === 'tcp') return null
    const refused = isOwn || !this.#allowHosts.has(`${host}:${port}`)
    if (refused && isLeftOver) return new RetrialForeignConnectionError(`${host}:${port} is not part of this trial`)
    this.foreignConnections.push({
      atMs,
      host: protocol === 'unix' || protocol === 'udp' ? `${protocol}:${host}` : host,
      port,
      refused,
    })
    if (!refused) return null
    const why = isOwn
      ? "the trial's server speaks plain HTTP and TLS bytes cannot be accounted for; use an http:// base URL"
      : `only the trial's own server may be reached; point the client at the trial's base URL, or allow this host with allowHosts: ['${host}:${port}']`
    const kind = protocol === 'tcp' ? 'connection' : `${protocol} connection`
    return new RetrialForeignConnectionError(`${kind} to ${host}:${port} refused during a trial: ${why}`)
  }
}
