import type { Trial } from '../trace/model.js'
import { isClient, show } from '../trial/client.js'
import type { ClientInput, FetchStyleFunction } from '../trial/model.js'
import { MatcherUsageError } from './errors.js'

/** What stands in `expect(...)`. */
export type Subject =
  | { readonly kind: 'trials'; readonly trials: readonly Trial[] }
  | { readonly kind: 'client'; readonly client: ClientInput }

export function isTrial(value: unknown): value is Trial {
  const { attempts, operations, calls, timeline } = (value ?? {}) as Partial<Trial>
  return Array.isArray(attempts) && Array.isArray(operations) && Array.isArray(calls) && typeof timeline === 'function'
}

/** Tells a trial (or several) from a client. Throws MatcherUsageError for anything else. */
export function subjectOf(matcher: string, received: unknown): Subject {
  if (isTrial(received)) return { kind: 'trials', trials: [received] }
  if (Array.isArray(received) && received.length > 0 && received.every(isTrial)) return { kind: 'trials', trials: received }
  if (typeof received === 'function') return { kind: 'client', client: received as FetchStyleFunction }
  if (isClient(received)) return { kind: 'client', client: received }
  const hint = received instanceof Promise ? ' (await the trial first)' : ''
  throw new MatcherUsageError(`${matcher}: expected a trial, a list of trials or a client, received ${show(received)}${hint}`)
}

/** For matchers that read a trace and have no battery. */
export function trialOf(matcher: string, received: unknown): Trial {
  const subject = subjectOf(matcher, received)
  if (subject.kind === 'trials' && subject.trials.length === 1) return subject.trials[0]!
  throw new MatcherUsageError(
    `${matcher}: expected one trial, received ${subject.kind === 'client' ? 'a client: run it with runTrial(client, schedule) first' : `${subject.trials.length} trials`}`,
  )
}
