import type { Fault } from './model.js'

/**
 * RST before the body of the request is read. The header block has been looked at, because it says which call the attempt belongs to;
 * nothing was processed. A function schedule needs the whole request to choose its step, so there the body has been read.
 */
export const resetEarly: Fault = {
  readsBody: false,
  play: (exchange) => exchange.breakOff('reset'),
}
