import type { Attempt, Transport, Trial } from '../trace/model.js'
import type { CallPart } from './calls.js'
import { ClientSetupError } from './client.js'
import type { Client } from './model.js'
import type { ResolvedOptions } from './options.js'

/**
 * Refuses a trial that cannot say anything about the client, because its requests never reached the server as they were asked for. What the
 * client made itself (it never read `method` or `body`) is its own business.
 */
export function assertArrived(client: Client, trial: Trial, read: ReadonlySet<CallPart>, options: ResolvedOptions): void {
  const abortedFirst = trial.calls.every((call) => call.abortedAtMs !== null)
  if (trial.attempts.length === 0) {
    if (abortedFirst) return
    throw new ClientSetupError(nothingArrived(client, trial))
  }
  const { method, path, body } = options.request
  const firsts = firstTries(trial, path)
  if (firsts.length === 0) return
  const asAsked = firsts.filter((attempt) => attempt.method === method)
  // The body may have been in an attempt that broke off before it was read.
  const wasReadWhole = trial.attempts.every((attempt) => attempt.requestComplete)
  const claimed = (part: CallPart) => client.form === 'fetch' || read.has(part)
  if (claimed('method') && asAsked.length === 0) {
    throw new ClientSetupError(
      `${client.name}: the trial asked for ${method}, the server saw ${firsts[0]!.method} ${firsts[0]!.path}: ${adapt(client, 'method')}`,
    )
  }
  if (
    claimed('body') &&
    wasReadWhole &&
    body !== undefined &&
    body !== '' &&
    asAsked.length > 0 &&
    asAsked.every((attempt) => attempt.body.length === 0)
  ) {
    throw new ClientSetupError(
      `${client.name}: the trial asked for a body of ${Buffer.byteLength(body)} bytes, every ${method} arrived without one: ${adapt(client, 'body')}`,
    )
  }
}

/**
 * The first tries at a target, as far as they were seen whole. Other targets are other operations: a client may log in or list first, and
 * never come to what it was asked for. A re-send that differs from its first try is the client's doing: the guarantees judge it.
 */
function firstTries({ attempts, operations }: Trial, path: string): readonly Attempt[] {
  const firsts = operations.filter((operation) => operation.path === path).map((operation) => operation.attempts[0])
  return attempts.filter(({ number, requestComplete }) => requestComplete && firsts.includes(number))
}

/** Whom a transport that is not the wire reaches. */
const REACH: Readonly<Record<Transport, string>> = {
  socket: '',
  fetch:
    " The fetch transport reaches clients that send through fetch, without a dispatcher of their own: for any other client use transport: 'socket'.",
  nock: ' With origin, clients that send through fetch or node:http are reached; npm undici and a fetch with a dispatcher of its own cannot be routed: give such a client the base URL of the call, without origin.',
}

function nothingArrived(client: Client, trial: Trial): string {
  const { outcome } = trial
  const said =
    outcome.kind === 'rejected'
      ? ` It failed with: ${describe(outcome.error)}.`
      : outcome.kind === 'unsettled'
        ? ` It never settled: ${outcome.pending.join('; ')}.`
        : ''
  const elsewhere = trial.foreignConnections.map(({ host, port }) => `${host}:${port}`)
  const where =
    elsewhere.length === 0
      ? ''
      : ` It tried to connect to ${[...new Set(elsewhere)].join(', ')}, which is refused during a trial.`
  const reach = REACH[trial.transport]
  // A breaker or a quota that an earlier trial has used up refuses before anything is sent.
  const kept =
    client.form !== 'stateful' && outcome.kind === 'rejected' && elsewhere.length === 0
      ? ` If it keeps state from one trial to the next (a breaker, a quota), let each trial make its own: defineClient('${client.name}', { create, call }).`
      : ''
  return `${client.name}: no request reached the server.${said}${where}${reach}${kept} Send to the call's url or baseURL: defineClient('${client.name}', ({ url, baseURL, method, headers, body, signal }) => ...)`
}

function adapt(client: Client, part: string): string {
  return client.form === 'fetch'
    ? `a bare function is called like fetch, (url, init); if yours takes other arguments, adapt it with defineClient(name, ({ url, ${part} }) => ...)`
    : `pass call.${part} on in defineClient('${client.name}', ({ url, ${part} }) => ...)`
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return `${error.name}: ${error.message}${cause}`
}
