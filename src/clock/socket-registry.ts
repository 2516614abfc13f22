import type { Server, Socket } from 'node:net'
import { isLoopback } from './loopback.js'

/** The parts of a libuv stream handle that tell what is under way. */
interface StreamHandle {
  readonly bytesWritten: number
  readonly writeQueueSize: number
  readonly reading?: boolean
}

/** Parts of a socket that Node does not document; all the same from Node 20 to 26. */
interface SocketInternals {
  readonly _handle: StreamHandle | null
  readonly _bytesDispatched: number
  readonly _readableState: { readonly ended: boolean }
  readonly _httpMessage?: { readonly writableFinished: boolean } | null
}

interface Endpoint {
  readonly host: string
  readonly port: number
}

interface Target extends Endpoint {
  readonly hasOwnLookup?: boolean
}

/** One end of a connection within this process. */
interface SocketEnd {
  readonly socket: Socket
  /** Set by the 'close' event: `socket.closed` is true one loop phase before it, which is too early. */
  isClosed: boolean
  /** "server port:client port", once both are known. */
  key: string | null
}

interface ClientEnd extends SocketEnd {
  readonly target: Endpoint
  /** Creation order within the run: 1, 2, 3, ... */
  order: number
  /** Accounted for only if it goes to a server that was adopted. */
  partner: ServerEnd | null
  /** In a function of the client's own, which may wait for a timer: nothing is on the wire yet. */
  isLookingUp: boolean
  /** Quiet turns waited for the server to accept a connection that the client has given up already. */
  turnsWithoutPartner: number
  /** Quiet turns waited for the 'close' of a socket that may have none. */
  turnsWithoutClose: number
  readonly onClose: () => void
}

interface ServerEnd extends SocketEnd {
  partner: ClientEnd | null
}

const internals = (socket: Socket) => socket as unknown as SocketInternals

/** Bytes that have been handed to the kernel of the operating system. */
const flushedBytes = (socket: Socket): number => {
  const handle = internals(socket)._handle
  return handle === null ? internals(socket)._bytesDispatched : handle.bytesWritten - handle.writeQueueSize
}

/** Bytes that wait for room in the kernel of the operating system. */
const queuedBytes = (socket: Socket): number => internals(socket)._handle?.writeQueueSize ?? 0

/** Has been written by one end and is to be read by the other. */
const isUnderWay = (from: Socket, to: Socket): boolean =>
  isReading(to) && (flushedBytes(from) !== to.bytesRead || queuedBytes(from) > 0)

/** A back-pressured or unread socket does not read: bytes waiting for it are not under way, they lie there. */
const isReading = (socket: Socket): boolean => {
  const handle = internals(socket)._handle
  return handle != null && handle.reading !== false
}

const sawEnd = (socket: Socket): boolean => socket.readableEnded || internals(socket)._readableState.ended

/** Turns of the loop given to the server to accept a connection whose client is gone, and to see that it is. */
const TURNS_TO_ACCEPT = 4
/** And to a socket to close whose 'close' nobody will hear. */
const TURNS_TO_CLOSE = 4

/**
 * Both ends of every connection to an adopted server, and what is on its way between them. This is the heart of idle detection: bytes
 * that one end has written and the other has not read are exact, whereas "nothing happened for a few turns of the loop" is a guess.
 */
export class SocketRegistry {
  readonly #clients = new Set<ClientEnd>()
  readonly #servers = new Set<ServerEnd>()
  readonly #clientOf = new WeakMap<Socket, ClientEnd>()
  readonly #serverOf = new WeakMap<Socket, ServerEnd>()
  readonly #unpairedClients = new Map<string, ClientEnd>()
  readonly #unpairedServers = new Map<string, ServerEnd>()
  readonly #adopted = new WeakSet<Server>()
  readonly #adoptedPorts = new Set<number>()
  #lastOrder = 0
  /** Connections that have been begun, those that fail at once included. */
  begun = 0

  /** A run begins: connections that are still open are the first ones. */
  renumber(): void {
    this.#lastOrder = 0
    for (const client of this.#clients) client.order = ++this.#lastOrder
  }

  /** Called at the start of a connect, before anything has happened. */
  addClient(socket: Socket, target: Target): void {
    this.begun++
    const earlier = this.#clientOf.get(socket)
    if (earlier?.isClosed === false) {
      if (!socket.destroyed) return
      // Connects anew before its 'close', or in a listener of it that comes before ours.
      this.#closeClient(earlier)
    }
    const order = ++this.#lastOrder
    const isLookingUp = target.hasOwnLookup === true
    const end: ClientEnd = {
      socket,
      target,
      order,
      isLookingUp,
      isClosed: false,
      key: null,
      partner: null,
      turnsWithoutPartner: 0,
      turnsWithoutClose: 0,
      onClose: () => {
        // The 'close' of an earlier connection, while this one is being made.
        if (!socket.destroyed) return
        socket.off('close', end.onClose)
        this.#closeClient(end)
      },
    }
    this.#clientOf.set(socket, end)
    this.#clients.add(end)
    socket.on('close', end.onClose)
    socket.once('lookup', () => {
      end.isLookingUp = false
    })
    socket.once('connect', () => this.#connected(end))
  }

  adopt(server: Server, port: number): void {
    if (this.#adopted.has(server)) return
    this.#adopted.add(server)
    this.#adoptedPorts.add(port)
    server.once('close', () => this.#forgetPort(port))
    server.on('connection', (socket) => this.#addServerEnd(socket, port))
  }

  /** Whether a connection would lead to a server of a run, by any of the names of loopback. */
  isAdopted({ host, port }: Endpoint): boolean {
    return this.#adoptedPorts.has(port) && isLoopback(host)
  }

  /** Creation order of the client socket behind a server-side socket; 0 if its client is not in this process. */
  orderOf(serverSideSocket: Socket): number {
    return this.#serverOf.get(serverSideSocket)?.partner?.order ?? 0
  }

  /** Bytes that the server has handed over and the client, whose socket is still open, has not read. */
  unreadBytes(serverSideSocket: Socket): number {
    const client = this.#serverOf.get(serverSideSocket)?.partner?.socket
    return client === undefined || client.destroyed ? 0 : flushedBytes(serverSideSocket) - client.bytesRead
  }

  /** What is under way between the ends, or null. */
  busy(): string | null {
    for (const client of this.#clients) {
      const reason = this.#clientBusy(client)
      if (reason !== null) return reason
    }
    for (const server of this.#servers) if (server.socket.destroyed) return 'a server socket is closing'
    return null
  }

  /** Ends at an adopted server that are talked to from elsewhere: another thread, or another process. */
  strangers(): Socket[] {
    if (this.#unpairedServers.size === 0) return []
    // A client of this thread that breaks off at once may leave its other end without a partner, but has sent nothing.
    return [...this.#unpairedServers.values()].map(({ socket }) => socket).filter(({ bytesRead }) => bytesRead > 0)
  }

  /** Connected sockets whose other end is not an adopted server: their bytes are not accounted for. */
  openForeign(): Endpoint[] {
    return [...this.#clients]
      .filter(({ socket, key }) => key === null && !socket.connecting && !socket.destroyed)
      .map(({ target }) => target)
  }

  /** Connections on which the client has asked and the server has not finished its answer. */
  waitingForAnswer(): number {
    let waiting = 0
    for (const { socket, partner, isClosed } of this.#clients) {
      if (partner === null || isClosed || socket.destroyed || partner.socket.destroyed) continue
      const message = internals(partner.socket)._httpMessage
      const isUnanswered =
        message == null ? socket.bytesWritten > 0 && partner.socket.bytesWritten === 0 : !message.writableFinished
      if (isUnanswered) waiting++
    }
    return waiting
  }

  #closeClient(end: ClientEnd): void {
    end.isClosed = true
    // Outside of virtual time nobody asks busy(), which forgets the others.
    if (end.partner?.isClosed || !this.#mayBeAccepted(end)) this.#forgetClient(end)
  }

  #connected(end: ClientEnd): void {
    const { socket } = end
    // A socket that was refused before still has the listener of that time.
    if (this.#clientOf.get(socket) !== end) return
    if (socket.localPort === undefined || !this.#adoptedPorts.has(socket.remotePort!)) return
    end.key = `${socket.remotePort}:${socket.localPort}`
    const server = this.#unpairedServers.get(end.key)
    if (server === undefined) this.#unpairedClients.set(end.key, end)
    else this.#pair(end, server)
  }

  #addServerEnd(socket: Socket, port: number): void {
    const end: ServerEnd = { socket, isClosed: false, key: `${port}:${socket.remotePort}`, partner: null }
    this.#serverOf.set(socket, end)
    this.#servers.add(end)
    socket.once('close', () => {
      end.isClosed = true
      this.#forgetServer(end)
      if (end.partner?.isClosed) this.#forgetClient(end.partner)
    })
    const client = this.#unpairedClients.get(end.key!)
    if (client === undefined) this.#unpairedServers.set(end.key!, end)
    else this.#pair(client, end)
  }

  #pair(client: ClientEnd, server: ServerEnd): void {
    client.partner = server
    server.partner = client
    this.#unpairedClients.delete(client.key!)
    this.#unpairedServers.delete(client.key!)
  }

  #forgetServer(server: ServerEnd): void {
    this.#servers.delete(server)
    if (this.#unpairedServers.get(server.key!) === server) this.#unpairedServers.delete(server.key!)
  }

  #forgetClient(client: ClientEnd): null {
    this.#clients.delete(client)
    if (client.key !== null && this.#unpairedClients.get(client.key) === client) this.#unpairedClients.delete(client.key)
    return null
  }

  /** A mock that let the connection through may have taken the listeners from its socket (nock 14), or the handle (nock 15). */
  #willClose({ socket, onClose, target }: ClientEnd): boolean {
    return socket.listeners('close').includes(onClose) && this.#adoptedPorts.has(target.port)
  }

  /** Given up before it was connected, a connection may have come about in the operating system all the same. */
  #mayBeAccepted({ key, target }: ClientEnd): boolean {
    return key !== null || this.#adoptedPorts.has(target.port)
  }

  #forgetPort(port: number): void {
    this.#adoptedPorts.delete(port)
    for (const client of this.#clients) if (client.isClosed && client.target.port === port) this.#forgetClient(client)
  }

  #clientBusy(client: ClientEnd): string | null {
    // Closed, but not destroyed: the socket is used again, for another connection.
    if (client.isClosed || client.socket.destroyed) return this.#goneClientBusy(client)
    if (client.socket.connecting) return client.isLookingUp ? null : 'a client is connecting'
    const server = client.partner
    if (server !== null) return pairBusy(client.socket, server)
    return client.key === null ? null : 'a connection waits to be accepted'
  }

  #goneClientBusy(client: ClientEnd): string | null {
    if (!client.isClosed && (this.#willClose(client) || client.turnsWithoutClose++ < TURNS_TO_CLOSE))
      return 'a client socket is closing'
    const server = client.partner
    if (server !== null) {
      if (server.isClosed) return this.#forgetClient(client)
      if (server.socket.destroyed) return 'a server socket is closing'
      if (isReading(server.socket) && !server.socket.readableEnded) return 'the server has not seen that a client is gone'
      return this.#forgetClient(client)
    }
    if (this.#mayBeAccepted(client) && client.turnsWithoutPartner++ < TURNS_TO_ACCEPT)
      return 'a connection was closed before it was accepted'
    return this.#forgetClient(client)
  }
}

const pairBusy = (client: Socket, { socket: server, isClosed }: ServerEnd): string | null => {
  if (server.destroyed) {
    if (!isClosed) return 'a server socket is closing'
    return isReading(client) && !sawEnd(client) ? 'a client has not seen that the server is gone' : null
  }
  if (isUnderWay(client, server)) return 'bytes are on their way to the server'
  if (isUnderWay(server, client)) return 'bytes are on their way to a client'
  if (client.writableFinished && isReading(server) && !sawEnd(server)) return 'the end of a request is on its way to the server'
  if (server.writableFinished && isReading(client) && !sawEnd(client)) return 'the end of an answer is on its way to a client'
  return null
}
