import { Socket } from 'node:net'
import { getSystemErrorMap } from 'node:util'
import { failConnecting } from '../clock/index.js'

type Decide = (socket: Socket) => 'accept' | 'refuse'

/** One hook for the process, however many copies of this module there are. */
const REGISTRY = Symbol.for('retrial.connects')
const LOOPBACK: readonly unknown[] = [undefined, 'localhost', '127.0.0.1']

type WithRegistry = typeof globalThis & { [REGISTRY]?: Map<number, Decide> }

/**
 * Asks `decide` whenever a client of this process begins to connect to a port of loopback. A refused one fails as it would if nobody
 * listened: a listener cannot be closed for one client and stay open for the others, so the error is made here and the kernel is not
 * asked. Clients of other processes are not seen.
 *
 * @returns A function that stops asking.
 */
export function onConnect(port: number, decide: Decide): () => void {
  const registry = installed()
  registry.set(port, decide)
  return () => registry.delete(port)
}

function installed(): Map<number, Decide> {
  const shared: WithRegistry = globalThis
  const known = shared[REGISTRY]
  if (known !== undefined) return known
  const registry = new Map<number, Decide>()
  shared[REGISTRY] = registry
  const { connect } = Socket.prototype
  Socket.prototype.connect = function connectOrRefuse(this: Socket, ...args: unknown[]) {
    const port = loopbackPort(args)
    if (port !== null && registry.get(port)?.(this) === 'refuse') return failConnecting(this, refusedError(port))
    return Reflect.apply(connect, this, args)
  }
  return registry
}

/** The forms of connect: (options), (port, host?), (path), and the array that net.connect makes of them. */
function loopbackPort(args: readonly unknown[]): number | null {
  const first: unknown = Array.isArray(args[0]) ? args[0][0] : args[0]
  const isOptions = typeof first === 'object' && first !== null
  const { port, host } = (isOptions ? first : { port: first, host: args[1] }) as { port?: unknown; host?: unknown }
  const isHost = typeof host === 'string' || host === undefined
  return isHost && !LOOPBACK.includes(host) ? null : Number(port)
}

const ECONNREFUSED = [...getSystemErrorMap()].find(([, [code]]) => code === 'ECONNREFUSED')![0]

/** What a connect fails with when nobody listens. */
export function refusedError(port: number): Error {
  const address = '127.0.0.1'
  const message = `connect ECONNREFUSED ${address}:${port}`
  return Object.assign(new Error(message), { errno: ECONNREFUSED, code: 'ECONNREFUSED', syscall: 'connect', address, port })
}
