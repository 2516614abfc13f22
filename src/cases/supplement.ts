import type { Row } from './model.js'
import { failsEachCallOnce, planned } from './play.js'

/** Cases of guarantees that the catalogue has no row for. */
export const supplement: readonly Row[] = [
  {
    id: 'ISO-01',
    guarantee: 'isolation',
    title: 'Eight calls on one client, in sequence and in parallel, are treated alike',
    level: 'must',
    keyword: 'eng',
    source: 'eng',
    wrong: 'shared-counter',
    play: planned(() => [
      [failsEachCallOnce, { calls: 8 }],
      [failsEachCallOnce, { calls: 8, concurrency: 8 }],
    ]),
  },
]
