import type { Contract } from '../guarantees/contract.js'
import { resolveContract } from '../guarantees/resolve.js'
import { show } from '../trial/client.js'
import type { CallPlan } from '../trial/model.js'
import { MatcherUsageError } from './errors.js'

/** What every matcher accepts last. */
export interface MatcherOptions {
  /** What the client promises; what it does not promise is not judged. */
  readonly contract?: Contract
  /** The call to make (client form only). A `method` limits the battery to it. */
  readonly call?: CallPlan
  /** `should` rules fail too. Default false. */
  readonly strict?: boolean
  /** Seeds of the battery (client form only). A number n stands for 1..n. Default 1. */
  readonly seeds?: number | readonly number[]
  /** Client form only. Default 'socket'. */
  readonly transport?: 'socket' | 'fetch'
  /** Known failures, case id -> ticket; one that passes fails (client form only). */
  readonly known?: Readonly<Record<string, string>>
}

const NAMES = ['contract', 'call', 'strict', 'seeds', 'transport', 'known'] as const

export interface ResolvedMatcherOptions {
  readonly contract: Contract
  readonly call: CallPlan | undefined
  readonly seeds: readonly number[]
  readonly transport: 'socket' | 'fetch' | undefined
  readonly known: Readonly<Record<string, string>>
}

/** Fills in defaults and adds what the matcher itself promises (a deadline, a number of attempts). */
export function resolveMatcherOptions(
  matcher: string,
  options: MatcherOptions | undefined,
  promise: Contract = {},
): ResolvedMatcherOptions {
  const given = options ?? {}
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new MatcherUsageError(`${matcher}(options): expected an object with ${NAMES.join(', ')}, received ${show(options)}`)
  }
  for (const name of Object.keys(given)) {
    if (!(NAMES as readonly string[]).includes(name)) {
      throw new MatcherUsageError(`${matcher}(options).${name}: unknown option, allowed are ${NAMES.join(', ')}`)
    }
  }
  const { contract = {}, call, strict, seeds = 1, transport, known = {} } = given
  return {
    contract: resolveContract({ ...contract, ...promise, ...(strict === undefined ? {} : { strict }) }),
    call,
    seeds: seedList(matcher, seeds),
    transport,
    known: { ...contract.expectedFailures, ...known },
  }
}

function seedList(matcher: string, seeds: number | readonly number[]): readonly number[] {
  const list =
    typeof seeds === 'number'
      ? Number.isInteger(seeds) && seeds >= 1
        ? Array.from({ length: seeds }, (_, i) => i + 1)
        : []
      : seeds
  if (Array.isArray(list) && list.length > 0 && list.every((seed) => Number.isSafeInteger(seed))) return list
  throw new MatcherUsageError(`${matcher}(options).seeds: expected a number >= 1 or a list of integers, received ${show(seeds)}`)
}
