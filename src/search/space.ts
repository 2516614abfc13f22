import { successesToRefill } from '../guarantees/budget.js'
import type { Contract } from '../guarantees/contract.js'
import { resolveContract } from '../guarantees/resolve.js'
import { HINT_NAMES } from '../trace/hints.js'

/** What may be generated for a client. */
export interface SearchConstraints {
  /** What the client promises. Without it, steps that never end (hang, stall, an endless body) are left out, since nothing would end them. */
  readonly contract?: Contract
  /** Steps of a schedule. Default 6. */
  readonly maxSteps?: number
  /** The client consumes event streams. Default false. */
  readonly streaming?: boolean
  /** 'fetch' leaves out what only a socket can show: bytes that are no answer, and 1xx. Default 'socket'. */
  readonly transport?: 'socket' | 'fetch'
  /** Methods to ask for. Default GET, POST, PUT, PATCH, DELETE. */
  readonly methods?: readonly string[]
  /** Whether the caller may abort. Default: unless the contract says `abort: false`. */
  readonly abort?: boolean
  /** Calls on one client. Default 4; more where a promised retry budget takes more to be used up and refilled. */
  readonly maxCalls?: number
}

/** Constraints with their defaults and what follows from the contract. */
export interface Space {
  readonly maxSteps: number
  readonly streaming: boolean
  readonly sockets: boolean
  readonly methods: readonly string[]
  readonly abort: boolean
  readonly maxCalls: number
  /** Whether the client promises to end what does not end by itself. */
  readonly endless: boolean
  /** Promised times, of which both sides are worth trying. */
  readonly edgesMs: readonly number[]
  readonly hintHeaders: readonly string[]
  readonly permanentStatuses: readonly number[]
  readonly transientStatuses: readonly number[]
  readonly permanentCodes: readonly string[]
  /** Calls that a promised retry budget, or a breaker, counts together; null if none is promised, or it takes too many to see it. */
  readonly outage: Outage | null
}

/** Failures that use up what all calls of a client share, and successes that bring it back. */
export interface Outage {
  readonly failures: number
  readonly successes: number
}

/** Constraints that make no sense. */
export class SearchOptionsError extends Error {
  override readonly name = 'SearchOptionsError'
}

const PERMANENT = [400, 401, 402, 403, 404, 405, 406, 410, 411, 414, 415, 422, 431, 451]
const TRANSIENT = [503, 429, 500, 502, 504]
/** A run with more calls would cost too much. */
const MOST_CALLS = 60

/** Fills in defaults, and reads the contract. */
export function spaceOf(constraints: SearchConstraints): Space {
  const { maxSteps = 6, maxCalls = 4, streaming = false, transport = 'socket' } = constraints
  atLeastOne('maxSteps', maxSteps)
  atLeastOne('maxCalls', maxCalls)
  const contract = resolveContract(constraints.contract)
  const { attemptTimeoutMs, deadlineMs, permanent, transient, permanentCodes, retryAfter } = contract
  const listed = transient?.filter((kind) => typeof kind === 'number')
  const edges = [attemptTimeoutMs, deadlineMs].filter((edge) => edge !== undefined)
  return {
    maxSteps,
    streaming,
    sockets: transport === 'socket',
    methods: constraints.methods ?? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // A deadline kept by the caller's signal is an abort of its own.
    abort: (constraints.abort ?? contract.abort ?? true) && contract.deadlineBy !== 'signal',
    maxCalls,
    endless: edges.length > 0,
    edgesMs: edges,
    hintHeaders: retryAfter?.headers ?? (constraints.contract === undefined ? HINT_NAMES : ['retry-after']),
    permanentStatuses: permanent?.length ? permanent : PERMANENT,
    transientStatuses: listed?.length ? listed : TRANSIENT,
    permanentCodes: permanentCodes ?? [],
    outage: constraints.maxCalls === undefined ? outageOf(contract) : null,
  }
}

function outageOf(contract: Contract): Outage | null {
  const { budget, breaker } = contract
  const failures = budget?.tokens ?? breaker?.failures
  if (failures === undefined) return null
  const refill = successesToRefill(contract)
  // One more: sums of tenths are not exact.
  const successes = Number.isFinite(refill) ? refill + 1 : 1
  return failures + successes < MOST_CALLS ? { failures, successes } : null
}

function atLeastOne(name: string, value: unknown): void {
  if (Number.isSafeInteger(value) && (value as number) >= 1) return
  throw new SearchOptionsError(`${name}: expected an integer of at least 1, received ${String(value)}`)
}
