import type { ScheduledRequest, ScheduleFunction, ScheduleInput } from '../model.js'
import { parseSchedule } from '../parse.js'
import { createPlayer, type Player } from '../player.js'

/** Plays a script of its own for each name that a request is given; a new trial (no history) begins them all anew. */
function playEach(nameOf: (request: ScheduledRequest) => string, scriptOf: (name: string) => ScheduleInput): ScheduleFunction {
  let players = new Map<string, Player>()
  return (request, history) => {
    if (history.length === 0) players = new Map()
    const name = nameOf(request)
    let player = players.get(name)
    if (player === undefined) {
      player = createPlayer(parseSchedule(scriptOf(name), `schedule for ${name}`))
      players.set(name, player)
    }
    const own = history.filter((earlier) => nameOf(earlier) === name)
    return player.next(request, own).step
  }
}

/**
 * A script for each route; each plays on its own, in order, its last step repeating.
 *
 * @param routes path, or 'METHOD path', or a prefix that ends in '*' -> schedule; the first that fits counts
 * @param otherwise the schedule of all other requests. Default [404]
 * @throws ScheduleError when a script is played that cannot be
 * @example
 * await runTrial(client, byRoute({ 'GET /models': [200], '/v1/*': [503, 200] }))
 */
export function byRoute(routes: Readonly<Record<string, ScheduleInput>>, otherwise: ScheduleInput = [404]): ScheduleFunction {
  const names = Object.keys(routes)
  for (const name of names) parseSchedule(routes[name], `byRoute[${JSON.stringify(name)}]`)
  const fits = (pattern: string, { method, path }: ScheduledRequest) => {
    const [first, second] = pattern.split(' ', 2)
    const [wantedMethod, wantedPath] = second === undefined ? [method, first!] : [first!, second]
    const bare = path.split('?', 1)[0]!
    return wantedMethod === method && (wantedPath.endsWith('*') ? bare.startsWith(wantedPath.slice(0, -1)) : bare === wantedPath)
  }
  return playEach(
    (request) => names.find((name) => fits(name, request)) ?? 'any other route',
    (name) => routes[name] ?? otherwise,
  )
}

/**
 * The same script for each idempotency key, begun anew with every key; requests without one share a run of it.
 *
 * @param script the schedule of each key
 * @throws ScheduleError when the script cannot be played
 * @example
 * await runTrial(client, byKey([503, 200]), { calls: 3, concurrency: 3 })
 */
export function byKey(script: ScheduleInput): ScheduleFunction {
  const schedule = parseSchedule(script, 'byKey')
  const steps = schedule.choose ?? schedule.steps!
  return playEach(
    ({ idempotencyKey }) => (idempotencyKey === null ? 'requests without a key' : `key ${idempotencyKey}`),
    () => steps,
  )
}
