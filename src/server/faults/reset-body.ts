import { half } from '../answer-plan.js'
import type { Fault } from './model.js'

/** The headers and half the body, then RST when the client has read them. */
export const resetBody: Fault = {
  readsBody: true,
  play(exchange, answer) {
    const plan = answer()
    exchange.head(plan)
    exchange.write(half(plan.body))
    exchange.whenRead(() => exchange.breakOff('reset'))
  },
}
