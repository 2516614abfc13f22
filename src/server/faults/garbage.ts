import type { Fault } from './model.js'

/** No status line, no line break that could end one. */
const NOT_HTTP = '\u0000\u0001\u0002 this is not HTTP'

/** Bytes that are not HTTP, then FIN when the client has read them. */
export const garbage: Fault = {
  readsBody: true,
  play(exchange) {
    exchange.raw(NOT_HTTP)
    exchange.whenRead(() => exchange.breakOff('close'))
  },
}
