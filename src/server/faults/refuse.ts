import type { Fault } from './model.js'

/**
 * The connection is refused (ECONNREFUSED). The server arranges that when the client connects, see `Engine.refuseConnection`. This is for
 * a request that arrived nevertheless, because connects cannot be seen (a client in another process) or because a function schedule
 * chose the step when the request was there: a connection that breaks before anything is read is the nearest that is left.
 */
export const refuse: Fault = {
  readsBody: false,
  play: (exchange) => exchange.breakOff('reset'),
}
