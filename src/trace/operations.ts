import type { Attempt, Operation, TrialRecord } from './model.js'

type OperationIdentity = Pick<Attempt, 'call' | 'method' | 'path'>

/** Two attempts of one operation in a row. */
export interface Resend {
  readonly operation: Operation
  readonly previous: Attempt
  readonly attempt: Attempt
  /** From the end of the answer before it (or its failure, or the client's hang-up) to the arrival; null when they overlap. */
  readonly gapMs: number | null
}

/**
 * Numbers operations in order of their first attempt, one attempt at a time: for the server, which has to know the number when a
 * request arrives.
 */
export function createOperationIndex(): (attempt: OperationIdentity) => number {
  const known = new Map<string, number>()
  return ({ call, method, path }) => {
    const identity = `${call} ${method} ${path}`
    const index = known.get(identity) ?? known.size
    known.set(identity, index)
    return index
  }
}

/** The attempts of each call that have the same method and target, in order of their first attempt. */
export function groupOperations(attempts: readonly (OperationIdentity & Pick<Attempt, 'number'>)[]): Operation[] {
  const indexOf = createOperationIndex()
  const groups: { call: number | null; method: string; path: string; attempts: number[] }[] = []
  for (const { call, method, path, number } of attempts) {
    const index = indexOf({ call, method, path })
    groups[index] ??= { call, method, path, attempts: [] }
    groups[index].attempts.push(number)
  }
  return groups
}

/** When an attempt was over for the client: the last byte of the answer, its failure, or the client's own hang-up; null while open. */
export function endOf(attempt: Pick<Attempt, 'endedAtMs' | 'hungUpAtMs'>): number | null {
  if (attempt.endedAtMs === null) return attempt.hungUpAtMs
  return attempt.hungUpAtMs === null ? attempt.endedAtMs : Math.min(attempt.endedAtMs, attempt.hungUpAtMs)
}

function gapBetween(previous: Attempt, attempt: Attempt): number | null {
  const endedAtMs = endOf(previous)
  if (endedAtMs === null || attempt.arrivedAtMs < endedAtMs) return null
  return attempt.arrivedAtMs - endedAtMs
}

/** Every re-send of a trial with the attempt of the same operation before it, in order of arrival. */
export function resends({ attempts, operations }: Pick<TrialRecord, 'attempts' | 'operations'>): Resend[] {
  const byNumber = new Map(attempts.map((attempt) => [attempt.number, attempt]))
  const found: Resend[] = []
  for (const operation of operations) {
    const own = operation.attempts.flatMap((number) => byNumber.get(number) ?? [])
    for (const [index, attempt] of own.entries()) {
      const previous = own[index - 1]
      if (previous) found.push({ operation, previous, attempt, gapMs: gapBetween(previous, attempt) })
    }
  }
  return found.sort((a, b) => a.attempt.number - b.attempt.number)
}
