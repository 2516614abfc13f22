import type { AnswerPlan } from '../answer-plan.js'
import type { Exchange } from '../exchange.js'

/** What the server does to one attempt instead of a complete answer. The delay of the step has passed already. */
export interface Fault {
  /** False where it strikes before the body of the request is read: nothing of the request is processed then. */
  readonly readsBody: boolean
  /** `answer` is the success that would have been given; it is half sent by the half-way faults. */
  play(exchange: Exchange, answer: () => AnswerPlan): void
}
