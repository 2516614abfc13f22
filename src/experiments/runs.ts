import type { ClientInput } from '../trial/model.js'
import { userClient } from './fleet/client.js'
import { type FleetClient, type FleetTransportKind, type Progress, TRANSPORTS } from './fleet/model.js'
import { transportFor } from './fleet/transport.js'
import { anything, type Check, callable, ExperimentOptionsError, integer, oneOf, seed } from './options.js'

/** What every experiment is asked for: who is run, and how often. */
export interface RunOptions<Strategy extends string> {
  /** A built-in client; or `client`. */
  readonly strategy?: Strategy
  /** A client of your own: a fetch-style function, or what `defineClient` returned. A batch has one, a herd creates one for each member. */
  readonly client?: ClientInput
  /** Of the first run; the others count on from it. Default 1. */
  readonly seed?: number
  /** Default 9 for a batch, 20 for a herd. */
  readonly runs?: number
  /** 'fetch' replaces the global fetch, 'socket' is real loopback. Default: 'fetch' for strategies; for a client 'socket' up to 4 000 calls. */
  readonly transport?: FleetTransportKind
  /** Called after each run. Default: not at all. */
  readonly onProgress?: Progress
}

/** How the runs were made. */
export interface RunSetting {
  readonly transport: FleetTransportKind
  readonly seeds: readonly number[]
}

/** Options with their defaults filled in. */
export interface Resolved<Setting> {
  readonly setting: Setting
  readonly client: FleetClient
  /** undefined: a client of the user's own. */
  readonly strategy: string | undefined
  readonly onProgress: Progress | undefined
}

/** The checks of what every experiment is asked for. */
export const runChecks = (strategies: readonly string[]): Record<keyof RunOptions<string>, Check> => ({
  strategy: oneOf(strategies),
  client: anything,
  seed,
  runs: integer(1),
  transport: oneOf(TRANSPORTS),
  onProgress: callable,
})

/** What differs between the experiments. */
export interface RunDefaults<Strategy extends string> {
  readonly strategies: readonly Strategy[]
  readonly runs: number
  /** Calls of one run: decides whether sockets are cheap. */
  readonly calls: number
  make(strategy: Strategy): FleetClient
}

/**
 * Fills in who is run and how often.
 *
 * @throws ExperimentOptionsError unless there is exactly one of strategy and client
 */
export function resolveRuns<Strategy extends string>(
  place: string,
  options: RunOptions<Strategy>,
  { strategies, runs: usualRuns, calls, make }: RunDefaults<Strategy>,
): Resolved<RunSetting> {
  const { strategy, client, seed: first = 1, runs = usualRuns, onProgress } = options
  if ((strategy === undefined) === (client === undefined)) {
    const names = strategies.map((name) => `'${name}'`).join(', ')
    throw new ExperimentOptionsError(`${place}: give either strategy (${names}) or client`)
  }
  const transport = options.transport ?? transportFor(client !== undefined, calls)
  const seeds = Array.from({ length: runs }, (_, i) => first + i)
  return {
    setting: { transport, seeds },
    client: client === undefined ? make(strategy!) : userClient(client),
    strategy,
    onProgress,
  }
}

/** Refuses what is no list of strategies. */
export function requireStrategies(place: string, given: unknown, strategies: readonly string[]): void {
  if (Array.isArray(given) && given.length > 0 && given.every((name) => strategies.includes(name))) return
  const names = strategies.map((name) => `'${name}'`).join(', ')
  throw new ExperimentOptionsError(
    `${place}.strategies: expected a list of one or more of ${names}, received ${JSON.stringify(given)}`,
  )
}
