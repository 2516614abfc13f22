import type { Trial } from '../../src/trace/model.js'
import type { Ending } from './cells.js'

interface ErrorLike {
  readonly name?: unknown
  readonly code?: unknown
  readonly cause?: unknown
  readonly status?: unknown
  readonly statusCode?: unknown
  readonly type?: unknown
  readonly response?: { readonly status?: unknown; readonly statusCode?: unknown }
  readonly $metadata?: { readonly httpStatusCode?: unknown }
}

const GENERIC = ['Error', 'TypeError']

/** The status that an error carries, by the names that clients give it. */
function statusOf(error: ErrorLike): number | undefined {
  const { response, $metadata } = error
  const candidates = [error.status, error.statusCode, response?.status, response?.statusCode, $metadata?.httpStatusCode]
  return candidates.find((status) => typeof status === 'number')
}

/** Names an error as the tables do: its status, else its own code, else its name, else the first code along the cause chain. */
function nameOf(error: ErrorLike): string {
  if (typeof error.code === 'string') return error.code
  const name = String(error.name)
  if (!GENERIC.includes(name)) return name
  const { cause } = error
  return typeof cause === 'object' && cause !== null ? nameOf(cause as ErrorLike) : name
}

/** How the first call of a trial ended, in the words of the tables. */
export function endingOf({ outcome }: Trial): Ending {
  if (outcome.kind === 'unsettled' || outcome.kind === 'unobserved') return { kind: 'pending' }
  if (outcome.kind === 'rejected') {
    const error = outcome.error as ErrorLike
    const status = statusOf(error)
    return status === undefined ? { kind: 'error', name: nameOf(error) } : { kind: 'error', status }
  }
  if (outcome.status !== undefined && outcome.status >= 400) return { kind: 'response', status: outcome.status }
  return { kind: typeof outcome.value === 'string' ? 'text' : 'ok' }
}
