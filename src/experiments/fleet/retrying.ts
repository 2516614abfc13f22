import type { Call } from '../../trial/model.js'
import type { FleetClient, FleetTools } from './model.js'

/** An answer that was read to its end. The name `headers` tells the harness that it is one. */
export interface StrategyAnswer {
  readonly status: number
  readonly headers: Headers
}

/** What a wait is made of. */
export interface WaitContext {
  /** 1 before the first re-send. */
  readonly retry: number
  readonly random: () => number
  /** The wait before the one asked for; null for the first. */
  readonly previousMs: number | null
  /** What the server asked for; null when it did not. */
  readonly hintMs: number | null
}

/** Keeps a client from sending: a budget, a breaker. One for each client. */
export interface Guard {
  /** False: the attempt is not sent and the call fails at once. */
  maySend(nowMs: number): boolean
  mayRetry(): boolean
  ended(succeeded: boolean, nowMs: number): void
}

export interface RetryPolicy {
  /** Requests per call, the first one included. */
  readonly attempts: number
  /** Whether this status is tried again; null stands for a broken connection or a time-out. */
  retries(status: number | null): boolean
  waitMs(context: WaitContext): number
  readonly makeGuard?: () => Guard
}

/** The circuit breaker refused the call. */
export class BreakerOpenError extends Error {
  override readonly name = 'breaker open'
}

class AttemptTimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** A client that retries by a policy; what the built-in strategies are made of. */
export function retryingClient(name: string, policy: RetryPolicy, attemptTimeoutMs: number): FleetClient {
  return {
    name,
    create: (tools) => {
      const guard = policy.makeGuard?.()
      return { call: (call) => new RetryingCall(policy, guard, tools, attemptTimeoutMs).run(call) }
    },
  }
}

class RetryingCall {
  readonly #policy: RetryPolicy
  readonly #guard: Guard | undefined
  readonly #tools: FleetTools
  readonly #timeoutMs: number
  /** For the attempts until one times out: a controller for each would be most of the cost of a large herd. */
  #controller = new AbortController()

  constructor(policy: RetryPolicy, guard: Guard | undefined, tools: FleetTools, timeoutMs: number) {
    this.#policy = policy
    this.#guard = guard
    this.#tools = tools
    this.#timeoutMs = timeoutMs
  }

  async run(call: Call): Promise<StrategyAnswer> {
    let previousMs: number | null = null
    for (let attempt = 1; ; attempt++) {
      if (this.#guard?.maySend(this.#tools.nowMs()) === false) throw new BreakerOpenError('the breaker is open')
      const tried = await this.#try(call)
      const status = tried.answer?.status ?? null
      this.#guard?.ended(status !== null && status < 400, this.#tools.nowMs())
      if (!this.#goesOn(attempt, status)) {
        if (tried.answer === null) throw tried.error
        return tried.answer
      }
      const hintMs = tried.answer === null ? null : hintOf(tried.answer)
      previousMs = this.#policy.waitMs({ retry: attempt, random: this.#tools.random, previousMs, hintMs })
      await this.#sleep(previousMs)
    }
  }

  #goesOn(attempt: number, status: number | null): boolean {
    return attempt < this.#policy.attempts && this.#policy.retries(status) && this.#guard?.mayRetry() !== false
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#tools.after(ms, resolve)
    })
  }

  /** One request, its body read, within the attempt time-out. */
  async #try({
    url,
    method,
    headers,
    body,
  }: Call): Promise<{ answer: StrategyAnswer; error: null } | { answer: null; error: unknown }> {
    const controller = this.#controller
    const cancel = this.#tools.after(this.#timeoutMs, () => {
      this.#controller = new AbortController()
      controller.abort(new AttemptTimeoutError(`no answer within ${this.#timeoutMs} ms`))
    })
    try {
      const response = await this.#tools.fetch(url, { method, headers, body, signal: controller.signal })
      await response.arrayBuffer()
      return { answer: { status: response.status, headers: response.headers }, error: null }
    } catch (error) {
      return { answer: null, error }
    } finally {
      cancel()
    }
  }
}

/** Seconds only: the experiments' servers send no dates. */
function hintOf({ headers }: StrategyAnswer): number | null {
  const value = headers.get('retry-after')
  return value === null || !/^\d+$/.test(value) ? null : Number(value) * 1_000
}
