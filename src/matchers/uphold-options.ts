import type { SearchOptions } from '../search/model.js'
import { show } from '../trial/client.js'
import { MatcherUsageError } from './errors.js'
import type { MatcherOptions } from './options.js'

/** What `toUphold` accepts last: of a trial what all matchers take, of a client also how to search. */
export interface UpholdOptions extends Omit<MatcherOptions, 'seeds'>, Omit<SearchOptions, 'call' | 'known' | 'transport'> {
  /** Prints what was met, as a table of the fault space, when the contract was upheld. Default false. */
  readonly print?: boolean
}

const SEARCH_NAMES = [
  'runs',
  'seed',
  'path',
  'budgetMs',
  'corpus',
  'shard',
  'maxSteps',
  'maxCalls',
  'onProgress',
  'print',
] as const

type OwnOptions = Pick<UpholdOptions, (typeof SEARCH_NAMES)[number]>

/** Parts the options of the search from those that every matcher takes. */
export function partOptions(options: UpholdOptions | undefined): {
  readonly own: OwnOptions
  readonly shared: MatcherOptions | undefined
} {
  if (typeof options !== 'object' || options === null) return { own: {}, shared: options }
  if ('seeds' in options)
    throw new MatcherUsageError(`toUphold(options).seeds: a search takes one seed: { seed: 1 }, received ${show(options.seeds)}`)
  const isOwn = (name: string) => (SEARCH_NAMES as readonly string[]).includes(name)
  const entries = Object.entries(options)
  return {
    own: Object.fromEntries(entries.filter(([name]) => isOwn(name))),
    shared: Object.fromEntries(entries.filter(([name]) => !isOwn(name))),
  }
}

/** A finished trial is judged as it is. */
export function refuseSearchOptions(own: OwnOptions): void {
  const [name] = Object.keys(own)
  if (name !== undefined) throw new MatcherUsageError(`toUphold(options).${name}: only for a client; a trial is judged as it is`)
}
