import { ScheduleError } from '../error.js'
import type { ScheduledRequest, ScheduleFunction, ScheduleInput, StepInput } from '../model.js'
import { parseSchedule, parseStep } from '../parse.js'
import { createPlayer, type Player } from '../player.js'
import { show } from '../words.js'

/** What a limiter answers while it lets requests through. A new trial begins it anew. */
function passing(script: ScheduleInput, where: string): { reset(): void; next: Player['next'] } {
  const schedule = parseSchedule(script, where)
  let player = createPlayer(schedule)
  return {
    reset: () => {
      player = createPlayer(schedule)
    },
    next: (request, history) => player.next(request, history),
  }
}

function atLeast(where: string, value: unknown, least: number): void {
  if (typeof value === 'number' && Number.isFinite(value) && value >= least) return
  throw new ScheduleError([{ path: where, message: `expected a number of at least ${least}, received ${show(value)}` }])
}

export interface TokenBucketOptions {
  /** Requests that may come at once. */
  readonly capacity: number
  readonly refillPerSecond: number
  /** What is answered when the bucket is empty. Default: 429 with the whole seconds until the next token. */
  readonly limited?: StepInput
  /** What is answered otherwise. Default [200]. */
  readonly otherwise?: ScheduleInput
}

/**
 * A rate limit that all callers share: a bucket of tokens that fills up with time.
 *
 * @param options capacity (requests), refillPerSecond
 * @throws ScheduleError for numbers that make no bucket
 * @example
 * await runTrial(client, tokenBucket({ capacity: 2, refillPerSecond: 1 }), { calls: 5, concurrency: 5 })
 */
export function tokenBucket(options: TokenBucketOptions): ScheduleFunction {
  const { capacity, refillPerSecond, limited, otherwise = [200] } = options
  atLeast('tokenBucket.capacity', capacity, 1)
  atLeast('tokenBucket.refillPerSecond', refillPerSecond, Number.MIN_VALUE)
  if (limited !== undefined) parseStep(limited, 'tokenBucket.limited')
  const open = passing(otherwise, 'tokenBucket.otherwise')
  let tokens = capacity
  let atMs = 0
  return (request, history) => {
    if (history.length === 0) {
      open.reset()
      tokens = capacity
      atMs = request.arrivedAtMs
    }
    tokens = Math.min(capacity, tokens + ((request.arrivedAtMs - atMs) / 1000) * refillPerSecond)
    atMs = request.arrivedAtMs
    if (tokens >= 1) {
      tokens -= 1
      return open.next(request, history).step
    }
    return limited ?? { status: 429, retryAfter: Math.ceil((1 - tokens) / refillPerSecond) }
  }
}

export interface ConcurrencyCapOptions {
  /** Requests worked on at once. */
  readonly max: number
  /** How long each is worked on, ms. */
  readonly serviceMs: number
  /** What is answered above the cap. Default 503. */
  readonly overload?: StepInput
}

/**
 * A server that works on so many requests at once and turns the others away.
 *
 * @param options max (requests), serviceMs (ms)
 * @throws ScheduleError for numbers that make no server
 * @example
 * await runTrial(client, concurrencyCap({ max: 2, serviceMs: 100 }), { calls: 6, concurrency: 6 })
 */
export function concurrencyCap({ max, serviceMs, overload = 503 }: ConcurrencyCapOptions): ScheduleFunction {
  atLeast('concurrencyCap.max', max, 1)
  atLeast('concurrencyCap.serviceMs', serviceMs, 0)
  const turnedAway = parseStep(overload, 'concurrencyCap.overload')
  let endsAtMs: number[] = []
  return ({ arrivedAtMs }, history) => {
    if (history.length === 0) endsAtMs = []
    endsAtMs = endsAtMs.filter((endMs) => endMs > arrivedAtMs)
    if (endsAtMs.length >= max) return turnedAway
    endsAtMs.push(arrivedAtMs + serviceMs)
    return { status: 200, delayMs: serviceMs }
  }
}

export interface OutageOptions {
  /** ms since the trial began. Default 0. */
  readonly fromMs?: number
  readonly forMs: number
  /** What is answered meanwhile. Default 503. */
  readonly answer?: StepInput
  /** What is answered before and after. Default [200]. */
  readonly otherwise?: ScheduleInput
}

/**
 * An outage by the clock, not by the number of attempts: everybody who comes in that time meets it.
 *
 * @param options fromMs, forMs (ms)
 * @throws ScheduleError for times that make no window
 * @example
 * await runTrial(client, outage({ forMs: 60_000 }))
 */
export function outage({ fromMs = 0, forMs, answer = 503, otherwise = [200] }: OutageOptions): ScheduleFunction {
  atLeast('outage.fromMs', fromMs, 0)
  atLeast('outage.forMs', forMs, 0)
  const away = parseStep(answer, 'outage.answer')
  const open = passing(otherwise, 'outage.otherwise')
  return (request, history) => {
    if (history.length === 0) open.reset()
    const isAway = request.arrivedAtMs >= fromMs && request.arrivedAtMs < fromMs + forMs
    return isAway ? away : open.next(request, inTheOpen(history, fromMs, forMs)).step
  }
}

const inTheOpen = (history: readonly ScheduledRequest[], fromMs: number, forMs: number): readonly ScheduledRequest[] =>
  history.filter(({ arrivedAtMs }) => arrivedAtMs < fromMs || arrivedAtMs >= fromMs + forMs)
