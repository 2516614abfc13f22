import { half } from '../answer-plan.js'
import type { Answer } from './model.js'

/**
 * Half the body, then FIN: fewer bytes than Content-Length promises, or a chunked body without its last chunk. Both are incomplete
 * messages (RFC 9112 §8).
 */
export const truncated: Answer = {
  cut: true,
  play(exchange, plan, step) {
    if (!plan.hasBody) {
      exchange.answer(plan)
      return
    }
    exchange.head(plan)
    exchange.after(step.bodyDelayMs ?? 0, () => {
      exchange.write(half(plan.body))
      exchange.whenRead(() => exchange.breakOff('close'))
    })
  },
}
