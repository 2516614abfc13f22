import { randomUUID } from 'node:crypto'
import { show } from '../trial/client.js'
import { type ResolvedOptions, resolveOptions } from '../trial/options.js'
import { ProbeError } from './errors.js'
import type { ProbeOptions } from './model.js'
import { readUpstream, type Upstream } from './upstream.js'

export interface ResolvedProbe {
  readonly upstream: Upstream
  readonly runs: number
  readonly concurrency: number
  readonly deadlineMs: number
  readonly maxRequests: number
  readonly maxPauseMs: number
  /** The options of one run; each has a key of its own, since the endpoint remembers them longer than a probe lasts. */
  runOptions(): ResolvedOptions
}

const REQUESTS_PER_RUN = 5
/** A few runs need room too, to show a client that sends too much. */
const LEAST_CEILING = 20

function integer(name: string, value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return value as number
  const allowed = most === Number.MAX_SAFE_INTEGER ? `an integer >= ${least}` : `an integer from ${least} to ${most}`
  throw new ProbeError(`options.${name}: expected ${allowed}, received ${show(value)}`)
}

function milliseconds(name: string, value: unknown, least: number): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= least) return value
  throw new ProbeError(`options.${name}: expected milliseconds >= ${least}, received ${show(value)}`)
}

/**
 * Checks the options of a probe and fills in their defaults.
 *
 * @throws ProbeError naming the first wrong one; TrialOptionsError for a call that cannot be made
 */
export function resolveProbe(options: ProbeOptions): ResolvedProbe {
  const { runs = 20, concurrency = 1, deadlineMs = 10_000, maxPauseMs = 120_000, call = {}, keyHeader, allowHosts } = options
  for (const host of allowHosts ?? []) {
    if (!/^(\[[\da-f:.]+\]|[^\s:/@]+):\d{1,5}$/i.test(host))
      throw new ProbeError(`options.allowHosts: expected host:port, received ${show(host)}`)
  }
  const upstream = readUpstream(options.baseURL, options)
  const count = integer('runs', runs, 1)
  const resolved: ResolvedProbe = {
    upstream,
    runs: count,
    concurrency: integer('concurrency', concurrency, 1, 2),
    deadlineMs: milliseconds('deadlineMs', deadlineMs, 1),
    maxRequests: integer('maxRequests', options.maxRequests ?? Math.max(LEAST_CEILING, count * REQUESTS_PER_RUN), 1),
    maxPauseMs: milliseconds('maxPauseMs', maxPauseMs, 0),
    runOptions() {
      const key = call.idempotencyKey ?? 'auto'
      return resolveOptions({
        clock: 'real',
        random: 'real',
        abortAtMs: deadlineMs,
        keyHeader,
        allowHosts,
        call: { ...call, idempotencyKey: key === 'auto' ? randomUUID() : key },
      })
    },
  }
  resolved.runOptions()
  if (!upstream.isLoopback && options.yes !== true) {
    const most = resolved.maxRequests
    throw new ProbeError(
      `options.yes: expected true, since ${upstream.origin} is not this machine: up to ${most} real requests are about to be made there`,
    )
  }
  return resolved
}
