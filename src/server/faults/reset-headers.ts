import type { Fault } from './model.js'

/** The status line and half the header block, then RST when the client has read them. */
export const resetHeaders: Fault = {
  readsBody: true,
  play(exchange, answer) {
    exchange.halfHead(answer())
    exchange.whenRead(() => exchange.breakOff('reset'))
  },
}
