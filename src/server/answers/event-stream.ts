import type { EventStream } from '../../schedule/model.js'
import type { AnswerPlan } from '../answer-plan.js'
import { eventText } from '../event-text.js'
import type { Exchange } from '../exchange.js'
import type { Answer } from './model.js'

const NOTHING = new Uint8Array(0)

function finish(exchange: Exchange, plan: AnswerPlan, end: NonNullable<EventStream['end']>): void {
  switch (end) {
    case 'clean':
      exchange.end(NOTHING, plan.closeAfter)
      break
    case 'reset':
    case 'close':
      exchange.breakOff(end)
      break
    case 'stall':
      break
    default:
      end satisfies never
  }
}

/** The events one after the other, each when the client has read the one before it, so that every event arrives on its own. */
export const eventStream: Answer = {
  cut: false,
  play(exchange, plan, step) {
    const { events, end = 'clean' } = step.stream!
    if (!plan.hasBody) {
      exchange.answer(plan)
      return
    }
    const send = (index: number): void => {
      const event = events[index]
      if (event === undefined) {
        finish(exchange, plan, end)
        return
      }
      exchange.after(event.delayMs ?? 0, () => {
        exchange.write(Buffer.from(eventText(event)))
        exchange.whenRead(() => send(index + 1))
      })
    }
    exchange.head(plan)
    // A stream without events may break off at once: the client has the headers by then.
    exchange.after(step.bodyDelayMs ?? 0, () => exchange.whenRead(() => send(0)))
  },
}
