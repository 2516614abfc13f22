import type { Answer } from './model.js'

/** The whole answer in one go, or the headers first and the body `bodyDelayMs` later. */
export const plain: Answer = {
  cut: false,
  play(exchange, plan, step) {
    if (!step.bodyDelayMs || !plan.hasBody) {
      exchange.answer(plan)
      return
    }
    exchange.head(plan)
    exchange.after(step.bodyDelayMs, () => exchange.end(plan.body, plan.closeAfter))
  },
}
