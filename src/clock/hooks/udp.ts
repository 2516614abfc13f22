import dgram from 'node:dgram'
import type { Kernel } from '../kernel.js'

/** Datagrams (statsd, DNS by hand) are foreign by nature: noted, and lost unless allowed. */
export const hookUdp = (kernel: Kernel): void => {
  const { send } = dgram.Socket.prototype
  dgram.Socket.prototype.send = function sendInTrial(this: dgram.Socket, ...args: unknown[]) {
    const run = kernel.currentRun()
    const error = run === null ? null : run.refuseConnection(targetOf(args))
    if (error === null) return Reflect.apply(send, this, args)
    const callback = args.at(-1)
    if (typeof callback === 'function') process.nextTick(callback as (error: Error) => void, error)
  }
}

/** send(message, [offset, length,] [port] [, address] [, callback]) */
const targetOf = ([, ...rest]: readonly unknown[]) => {
  const host = rest.find((argument) => typeof argument === 'string') ?? '127.0.0.1'
  const port = rest.findLast((argument) => typeof argument === 'number') ?? 0
  return { host, port, protocol: 'udp' as const }
}
