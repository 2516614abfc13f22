import type { ResponseStep } from '../../schedule/model.js'
import type { AnswerPlan } from '../answer-plan.js'
import type { Exchange } from '../exchange.js'

/** One way of writing an answer. The delay before the headers has passed already. */
export interface Answer {
  /** True where the body breaks off or falls silent half way. */
  readonly cut: boolean
  play(exchange: Exchange, plan: AnswerPlan, step: ResponseStep): void
}
