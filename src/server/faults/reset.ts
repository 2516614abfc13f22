import type { Fault } from './model.js'

/** RST after the whole request was read: the client cannot know whether it was processed. */
export const reset: Fault = {
  readsBody: true,
  play: (exchange) => exchange.breakOff('reset'),
}
