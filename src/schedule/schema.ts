import * as z from 'zod'
import { body } from './body.js'
import { closed, delayMs, faultKind, flag, headers, oneOf, repeat, retryAfter, status } from './fields.js'
import { FAULT_KINDS } from './model.js'
import { stream } from './stream.js'

export const STEP = `a status, a fault (${FAULT_KINDS.join(', ')}) or a step object`

export const responseStep = closed(
  {
    status,
    headers: headers.optional(),
    body,
    stream: stream.optional(),
    retryAfter: retryAfter.optional(),
    retryAfterMs: delayMs('The retry-after-ms header.').optional(),
    delayMs: delayMs('Milliseconds before the headers.').optional(),
    bodyDelayMs: delayMs('Milliseconds between the headers and the body.').optional(),
    dripMs: delayMs('Milliseconds between single bytes of the body.').optional(),
    endless: flag().optional().meta({ description: 'With dripMs: the body has no end.' }),
    stall: oneOf(['headers', 'body']).optional().meta({ description: 'Half the header block, or half the body, then silence.' }),
    truncate: oneOf(['length', 'chunked', 'gzip'])
      .optional()
      .meta({ description: 'Half the body, then the connection closes: an incomplete message, or a cut gzip stream.' }),
    json: oneOf(['malformed']).optional().meta({ description: 'A complete answer whose JSON cannot be parsed.' }),
    closeAfter: oneOf(['answer', 'next-request']).optional().meta({
      description: 'When the server closes the kept-alive connection: after the answer, or as the next request arrives on it.',
    }),
    apply: flag().optional().meta({ description: 'Whether the work is accepted into the ledger. Default: true for 2xx.' }),
    repeat: repeat.optional(),
  },
  STEP,
).meta({ description: 'An answer.' })

export const faultStep = closed(
  {
    fault: faultKind,
    apply: flag()
      .optional()
      .meta({ description: 'The work is accepted into the ledger, and the client is not told. Default false.' }),
    delayMs: delayMs('Milliseconds between the arrival of the request and the fault.').optional(),
    repeat: repeat.optional(),
  },
  STEP,
).meta({ description: 'No complete answer.' })

export const RESPONSE_KEYS: readonly string[] = Object.keys(responseStep.shape)
export const FAULT_KEYS: readonly string[] = Object.keys(faultStep.shape)

/** Every notation of a step. Parsing picks one by its type, so that an error speaks of that one only. */
const step = z.union([status, faultKind, responseStep, faultStep]).meta({
  id: 'RetrialStep',
  description: 'What the server does to one attempt: a number is a status, a string is a fault, an object is the whole step.',
})
const steps = z.array(step).min(1).meta({ description: 'Played in order, one per attempt; the last one repeats for ever.' })

const text = () => z.string({ error: 'text' })

/** What a file says beside its steps. */
const about = {
  $schema: text().optional().meta({ description: 'Where the JSON Schema of schedules is.' }),
  title: text().optional().meta({ description: 'What the schedule plays, in a few words.' }),
  description: text().optional().meta({ description: 'What a correct client does with it.' }),
}
const DOCUMENT = 'a schedule: a list of steps or { steps }'

/** A file whose steps are still to be read, one by one. */
export const story = closed({ ...about, steps: z.unknown() }, DOCUMENT)
/** A file that carries a schedule with its story. */
export const scheduleFile = z.union([steps, closed({ ...about, steps }, DOCUMENT)])
