import type { EventStream, StreamEvent } from '../schedule/model.js'

/** One server-sent event as it is written (WHATWG HTML §9.2.6). */
export function eventText({ event, id, retryMs, data }: StreamEvent): string {
  const lines: string[] = []
  if (event !== undefined) lines.push(`event: ${event}`)
  if (id !== undefined) lines.push(`id: ${id}`)
  if (retryMs !== undefined) lines.push(`retry: ${retryMs}`)
  if (data !== undefined) {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    // A line break would end the field; a reader joins several data fields with one.
    for (const line of text.split(/\r\n|\r|\n/)) lines.push(`data: ${line}`)
  }
  return `${lines.join('\n')}\n\n`
}

export const streamText = (stream: EventStream): string => stream.events.map(eventText).join('')
