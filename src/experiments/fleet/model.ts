import type { ScheduledRequest, Step } from '../../schedule/model.js'
import type { Call } from '../../trial/model.js'

/** What the model of a server does to one request, decided when it arrives. */
export interface Decision {
  readonly step: Step
  /** How long the server works on it: wasted when nobody waits for the answer any more. */
  readonly workMs: number
}

/** A server without a wire: queues, outages and errors as arithmetic. */
export interface ServerModel {
  /** `call`: whose request it is; null when it cannot be told. */
  decide(request: ScheduledRequest, call: number | null): Decision
}

/** What a strategy is given to work with; nothing else may wait or draw. */
export interface FleetTools {
  readonly fetch: typeof fetch
  /** From 0 to below 1, a stream of each client's own. */
  readonly random: () => number
  nowMs(): number
  after(delayMs: number, fn: () => void): () => void
}

export type MakeCall = (call: Call) => unknown

/** A client as the experiments drive it: `create` runs once per client of the fleet, `dispose` at the end. */
export interface FleetClient {
  readonly name: string
  create(tools: FleetTools, baseURL: string): Promise<LiveClient> | LiveClient
}

export interface LiveClient {
  readonly call: MakeCall
  readonly dispose?: () => unknown
}

/** Where requests go: a model behind a replaced `fetch`, or behind a socket. */
export interface FleetTransport {
  readonly fetch: typeof fetch
  /** Base URL of a call, or of a whole client (`CallBook.indexOfClient`). */
  baseUrl(index: number): string
  close(): Promise<void>
}

export const TRANSPORTS = ['fetch', 'socket'] as const
export type FleetTransportKind = (typeof TRANSPORTS)[number]

/** Told after each run; `total` runs are planned. */
export type Progress = (done: number, total: number, label: string) => void
