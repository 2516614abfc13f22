import type { TrialRecord } from '../trace/model.js'
import { formatMs, oneLine, plural } from './text.js'

/** What the clock noticed besides the attempts, as lines for the end: it is often the reason for what the attempts show. */
export function clockLines({ timerOverflows, foreignConnections, relapses, transport }: TrialRecord): string[] {
  const lines = [
    ...timerOverflows.map(
      ({ atMs, requestedMs, origin }) => `at ${formatMs(atMs)}: a delay of ${delayText(requestedMs)} fires after 1 ms: ${origin}`,
    ),
    ...foreignConnections.map(
      ({ atMs, host, port, refused }) => `at ${formatMs(atMs)}: connection to ${host}:${port} ${refused ? 'refused' : 'let go'}`,
    ),
  ]
  if (relapses > 0)
    lines.push(`time stood still again ${plural(relapses, 'time')} when it was about to move: its waits may be inexact`)
  // A trace that is not the wire's says so.
  if (transport !== 'socket') lines.push(`observed by ${transport}, not on the wire`)
  return lines.map(oneLine)
}

/** NaN and infinity are delays too, to Node. */
const delayText = (requestedMs: number): string => (Number.isFinite(requestedMs) ? formatMs(requestedMs) : `${requestedMs} ms`)
