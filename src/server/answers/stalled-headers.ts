import type { Answer } from './model.js'

/** Half the header block, then silence. */
export const stalledHeaders: Answer = {
  cut: false,
  play: (exchange, plan) => exchange.halfHead(plan),
}
