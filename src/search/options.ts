import type { SearchOptions, Shard } from './model.js'
import { SearchOptionsError } from './space.js'

/** Runs of a search when nobody says how many. */
const DEFAULT_RUNS = 200
/** Fixed, so that CI finds today what it found yesterday. */
const DEFAULT_SEED = 1

export interface ResolvedSearch {
  readonly runs: number
  readonly seed: number
  readonly path: string | null
  readonly budgetMs: number
  readonly shard: Shard | null
}

/** Fills in defaults, from the environment too; throws SearchOptionsError naming the first wrong value. */
export function resolveSearch(options: SearchOptions, env: NodeJS.ProcessEnv = process.env): ResolvedSearch {
  const {
    runs = DEFAULT_RUNS,
    seed = numberIn(env.RETRIAL_SEED) ?? DEFAULT_SEED,
    path = null,
    budgetMs = Number.POSITIVE_INFINITY,
  } = options
  check('runs', 'an integer of at least 1', runs, Number.isSafeInteger(runs) && runs >= 1)
  check('seed', 'a 32-bit integer', seed, Number.isInteger(seed) && seed === (seed | 0))
  check('budgetMs', 'milliseconds above 0', budgetMs, typeof budgetMs === 'number' && budgetMs > 0)
  check('path', 'the path of a failure, such as "12:3:0"', path, path === null || /^\d+(:\d+)*$/.test(path))
  const shard = shardOf(options.shard ?? env.RETRIAL_SHARD)
  if (shard !== null) check('runs', `at least one for each of the ${shard.count} shards`, runs, runs >= shard.count)
  return { runs: shard === null ? runs : shareOf(runs, shard), seed, path, budgetMs, shard }
}

const numberIn = (text: string | undefined): number | undefined => (text === undefined || text === '' ? undefined : Number(text))

/** The runs of one shard: as many as of the others, the first ones taking what is left over. */
const shareOf = (runs: number, { index, count }: Shard): number => Math.floor(runs / count) + (index <= runs % count ? 1 : 0)

function shardOf(given: string | Shard | undefined): Shard | null {
  if (given === undefined || given === '') return null
  const [index, count] = typeof given === 'string' ? given.split('/').map(Number) : [given.index, given.count]
  const isShard = Number.isInteger(index) && Number.isInteger(count) && index! >= 1 && index! <= count!
  check('shard', '"i/n" with 1 <= i <= n', typeof given === 'string' ? given : `${index}/${count}`, isShard)
  return { index: index!, count: count! }
}

function check(name: string, expected: string, received: unknown, holds: boolean): void {
  if (!holds) throw new SearchOptionsError(`search options.${name}: expected ${expected}, received ${JSON.stringify(received)}`)
}
