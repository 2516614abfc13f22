import { startClock, warmUp } from '../../clock/index.js'
import type { Clock, ClockRun } from '../../clock/model.js'
import type { Call } from '../../trial/model.js'
import { settle } from '../../trial/outcome.js'
import { randomStream } from '../random.js'
import { CallBook, type FleetCallRecord } from './call-book.js'
import { FleetServer, type LoggedAttempt } from './fleet-server.js'
import { openMemoryTransport } from './memory-transport.js'
import type { FleetClient, FleetTools, FleetTransport, FleetTransportKind, LiveClient, ServerModel } from './model.js'
import { resultOf } from './outcome.js'
import { openSocketTransport } from './socket-transport.js'

/** One run: who sends, how much, to what. */
export interface FleetPlan {
  readonly seed: number
  readonly transport: FleetTransportKind
  readonly client: FleetClient
  /** Calls that will be numbered, from 0. */
  readonly calls: number
  readonly model: ServerModel
}

/** What the request of a call looks like. */
export interface FleetRequestPlan {
  readonly method: string
  readonly path: string
  readonly body?: string
}

/** What a run left behind. */
export interface FleetRunRecord {
  readonly calls: readonly FleetCallRecord[]
  readonly attempts: readonly LoggedAttempt[]
  readonly endedAtMs: number
}

/** The experiment could not be carried out: no figure would mean anything. */
export class ExperimentError extends Error {
  override readonly name = 'ExperimentError'
}

/** Virtual time and events after which a fleet that never comes to rest is stopped; what is open then counts as unsettled. */
const MAX_EVENTS_PER_CALL = 2_000
const LINGER_MS = 120_000

/**
 * Runs a fleet in virtual time. Never rejects because calls failed, or never settled: they are in the record.
 *
 * @throws ExperimentError when no request reached the server
 */
export async function runFleet(plan: FleetPlan, conduct: (fleet: Fleet) => Promise<void>): Promise<FleetRunRecord> {
  await warmUp()
  const run = startClock('virtual', { seed: plan.seed, maxEvents: Math.max(200_000, plan.calls * MAX_EVENTS_PER_CALL) })
  try {
    return await record(run, plan, conduct)
  } finally {
    run.stop()
  }
}

async function record(run: ClockRun, plan: FleetPlan, conduct: (fleet: Fleet) => Promise<void>): Promise<FleetRunRecord> {
  const { clock } = run
  const book = new CallBook(plan.calls)
  const server = new FleetServer(plan.model, book)
  const transport = plan.transport === 'fetch' ? openMemoryTransport(clock, server) : await openSocketTransport(clock, server)
  const fleet = new Fleet(plan, clock, transport, book)
  let failure: { readonly error: unknown } | undefined
  try {
    const end = await run.drive(async () => {
      try {
        await conduct(fleet)
      } catch (error) {
        failure = { error }
      }
    })
    if (failure !== undefined) throw failure.error
    // A batch of which nothing is left after the preflight has nothing to send.
    if (book.records().length > 0) assertReached(plan, server, end.kind === 'unsettled' ? end.pending : [])
    const endedAtMs = end.atMs
    await run.drive(() => fleet.dispose())
    return { calls: book.records(), attempts: server.attempts, endedAtMs }
  } finally {
    await transport.close()
    if (plan.transport === 'socket') await run.linger(LINGER_MS)
  }
}

function assertReached({ client }: FleetPlan, { attempts }: FleetServer, pending: readonly string[]): void {
  if (attempts.length > 0) return
  const waiting = pending.length === 0 ? '' : `; pending: ${pending.join('; ')}`
  throw new ExperimentError(
    `${client.name}: no request reached the experiment's server. A client has to call the url that it is given; one that holds a fetch of its own, or uses no fetch at all, needs transport: 'socket'${waiting}`,
  )
}

/** The clients of one run and the means to make them call. */
export class Fleet {
  readonly clock: Clock
  readonly #plan: FleetPlan
  readonly #transport: FleetTransport
  readonly #book: CallBook
  readonly #live: LiveClient[] = []

  constructor(plan: FleetPlan, clock: Clock, transport: FleetTransport, book: CallBook) {
    this.#plan = plan
    this.clock = clock
    this.#transport = transport
    this.#book = book
  }

  /** A client of the fleet, by its number. */
  async create(client: number): Promise<LiveClient> {
    const { seed } = this.#plan
    const tools: FleetTools = {
      fetch: this.#transport.fetch,
      random: randomStream(seed, client),
      nowMs: () => this.clock.nowMs(),
      after: (delayMs, fn) => this.clock.after(delayMs, fn),
    }
    const live = await this.#plan.client.create(tools, this.#transport.baseUrl(this.#book.indexOfClient(client)))
    this.#live.push(live)
    return live
  }

  submit(call: number, client: number): FleetCallRecord {
    return this.#book.submit(call, client, this.clock.nowMs())
  }

  /** Makes a call that was submitted, and enters what it came to. */
  async perform(live: LiveClient, record: FleetCallRecord, request: FleetRequestPlan): Promise<void> {
    this.#book.begin(record, this.clock.nowMs())
    const outcome = await settle(() => live.call(this.#callFor(record.call, request)))
    Object.assign(record, resultOf(outcome))
    this.#book.end(record, this.clock.nowMs())
  }

  /** A request of the harness's own, made for a client. */
  async ask(client: number, path: string): Promise<Response> {
    return this.#transport.fetch(this.#transport.baseUrl(this.#book.indexOfClient(client)) + path)
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.clock.after(ms, resolve)
    })
  }

  async dispose(): Promise<void> {
    for (const { dispose } of this.#live) await dispose?.()
  }

  #callFor(index: number, { method, path, body }: FleetRequestPlan): Call {
    const baseURL = this.#transport.baseUrl(index)
    const idempotencyKey = method === 'POST' ? `k-${index + 1}` : undefined
    let controller: AbortController | undefined
    return {
      url: baseURL + path,
      baseURL,
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body,
      idempotencyKey,
      index,
      // Nobody aborts it: made only for the client that asks.
      get signal() {
        controller ??= new AbortController()
        return controller.signal
      },
    }
  }
}
