import { half } from '../answer-plan.js'
import type { Answer } from './model.js'

/** The headers and half the body, then silence. A message without a body (HEAD) is complete with its headers. */
export const stalledBody: Answer = {
  cut: true,
  play(exchange, plan, step) {
    if (!plan.hasBody) {
      exchange.answer(plan)
      return
    }
    exchange.head(plan)
    exchange.after(step.bodyDelayMs ?? 0, () => exchange.write(half(plan.body)))
  },
}
