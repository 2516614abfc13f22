import type { Contract } from '../guarantees/contract.js'
import type { Client } from '../trial/model.js'
import type { Judge } from './judge-cheaply.js'
import type { JudgeOptions } from './judge-run.js'
import type { SearchOptions } from './model.js'
import type { ResolvedSearch } from './options.js'
import type { SearchConstraints, Space } from './space.js'
import type { Tally } from './tally.js'

/** Everything that one search works with. */
export interface Search {
  readonly client: Client
  readonly contract: Contract
  readonly options: SearchOptions
  readonly resolved: ResolvedSearch
  readonly constraints: SearchConstraints
  readonly space: Space
  readonly judging: JudgeOptions
  readonly judge: Judge
  readonly tally: Tally
  readonly elapsedMs: () => number
}
