import type { ResponseStep } from '../../schedule/model.js'
import { dripped } from './dripped.js'
import { eventStream } from './event-stream.js'
import type { Answer } from './model.js'
import { plain } from './plain.js'
import { stalledBody } from './stalled-body.js'
import { stalledHeaders } from './stalled-headers.js'
import { truncated } from './truncated.js'

/** How the answer of a step is written. What breaks an answer off goes before what slows it down. */
export function answerOf(step: ResponseStep): Answer {
  if (step.stream !== undefined) return eventStream
  if (step.stall === 'headers') return stalledHeaders
  if (step.stall === 'body') return stalledBody
  // A gzip stream that is cut inside a complete message is cut by the plan; the message itself is plain.
  if (step.truncate === 'length' || step.truncate === 'chunked') return truncated
  if (step.dripMs !== undefined) return dripped
  return plain
}
