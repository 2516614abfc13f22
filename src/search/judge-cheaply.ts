import { parseSchedule } from '../schedule/parse.js'
import { ClientSetupError } from '../trial/client.js'
import type { Client } from '../trial/model.js'
import { isForFetch } from '../trial/transport.js'
import { type JudgeOptions, judgeRun } from './judge-run.js'
import type { Draw, JudgedRun, SearchOptions } from './model.js'

export type Judge = (draw: Draw) => Promise<JudgedRun>

/**
 * Judges runs on the transport that was asked for. When none was, a client that sends through `fetch` alone is explored without sockets,
 * which takes half the time; what only a socket can show, and any other client, is run on sockets. What fails is confirmed on one.
 */
export function judgeCheaply(client: Client, judging: JudgeOptions, asked: SearchOptions['transport']): Judge {
  if (asked !== undefined) return (draw) => judgeRun(client, draw, judging)
  let sendsByFetch = client.options.origin === undefined
  return async (draw) => {
    if (sendsByFetch && isForFetch(parseSchedule(draw.schedule))) {
      const run = await withoutSockets(client, draw, judging)
      if (run !== null) return run
      sendsByFetch = false
    }
    return judgeRun(client, draw, judging)
  }
}

/** null for a client that turned elsewhere, be it for a single request: the run is not the one that sockets would show. */
async function withoutSockets(client: Client, draw: Draw, judging: JudgeOptions): Promise<JudgedRun | null> {
  try {
    const run = await judgeRun(client, draw, { ...judging, transport: 'fetch' })
    return run.trials.every(({ foreignConnections }) => foreignConnections.length === 0) ? run : null
  } catch (error) {
    if (error instanceof ClientSetupError) return null
    throw error
  }
}
