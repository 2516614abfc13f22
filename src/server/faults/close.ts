import type { Fault } from './model.js'

/** FIN without a single byte of an answer. */
export const close: Fault = {
  readsBody: true,
  play: (exchange) => exchange.breakOff('close'),
}
