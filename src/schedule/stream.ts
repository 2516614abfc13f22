import * as z from 'zod'
import { jsonValue } from './body.js'
import { closed, delayMs, oneOf } from './fields.js'

const LINE = 'text without line breaks'
const line = () => z.string({ error: LINE }).regex(/^[^\r\n]*$/, { error: LINE })

const RETRY = 'whole milliseconds of at least 0'

const streamEvent = closed(
  {
    event: line().optional().meta({ description: 'Name of the event.' }),
    data: jsonValue.meta({ description: 'A string is sent as it is, anything else as JSON.' }),
    id: line().optional().meta({ description: 'Last-Event-ID of a reconnecting client.' }),
    retryMs: z
      .number({ error: RETRY })
      .int({ error: RETRY })
      .min(0, { error: RETRY })
      .optional()
      .meta({ description: 'The retry: field, milliseconds.' }),
    delayMs: delayMs('Milliseconds before the event is written.').optional(),
  },
  'an event: { event, data, id, retryMs, delayMs }',
)

export const stream = closed(
  {
    events: z.array(streamEvent, { error: 'a list of events' }).meta({ description: 'Written in order.' }),
    end: oneOf(['clean', 'reset', 'stall', 'close']).optional().meta({
      description:
        'What follows the last event: the end of the message, a reset, silence, or a close without the last chunk. Default clean.',
    }),
  },
  'an event stream: { events, end }',
).meta({ description: 'A text/event-stream answer instead of a body.' })
