import type { Trial } from '../../src/trace/model.js'
import type { Ending } from './cells.js'

interface ErrorLike {
  readonly name?: unknown
  readonly code?: unknown
  readonly cause?: unknown
  readonly status?: unknown
  readonly statusCode?: unknown
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

/**
 * Names an error as the tables do: its own code, else its name or that of its class (some SDKs leave the name 'Error'), else the first code
 * along the cause chain. An abort has a code of its own in got.
 */
function nameOf(error: ErrorLike): string {
  const name = error.name === 'Error' ? String(error.constructor.name) : String(error.name)
  if (name === 'AbortError') return name
  if (typeof error.code === 'string') return error.code
  if (!GENERIC.includes(name)) return name
  const { cause } = error
  return typeof cause === 'object' && cause !== null ? nameOf(cause as ErrorLike) : name
}

/** How the first call of a trial ended, in the words of the tables. */
export function endingOf({ outcome }: Trial): Ending {
  if (outcome.kind === 'unsettled' || outcome.kind === 'unobserved') return { kind: 'pending' }
  if (outcome.kind === 'rejected') {
    const error = outcome.error as ErrorLike
    // An abort goes by its name even where it carries the answer of the attempt before.
    const status = error.name === 'AbortError' ? undefined : statusOf(error)
    return status === undefined ? { kind: 'error', name: nameOf(error) } : { kind: 'error', status }
  }
  if (outcome.status !== undefined && outcome.status >= 400) return { kind: 'response', status: outcome.status }
  return { kind: typeof outcome.value === 'string' ? 'text' : 'ok' }
}
