import { randomStream, shuffled } from '../random.js'

/** One job of a batch. */
export interface Job {
  /** 0-based; also the index of its call. */
  readonly index: number
  readonly model: string
  /** Its model has been retired: no answer but 404 is possible. */
  readonly doomed: boolean
}

export const LIVE_MODELS = ['atlas-2', 'atlas-2-mini', 'borealis-1', 'cirrus-3'] as const
export const RETIRED_MODELS = ['atlas-1', 'borealis-0', 'cirrus-2'] as const

/** A batch in random order. The number of doomed jobs is the share of all, rounded; which ones they are depends on the seed. */
export function makeJobs(count: number, retiredShare: number, seed: number): readonly Job[] {
  const doomed = Math.round(count * retiredShare)
  const random = randomStream(seed, 0x10b5)
  const fates = shuffled(
    Array.from({ length: count }, (_, i) => i < doomed),
    random,
  )
  const pick = (models: readonly string[]) => models[Math.floor(random() * models.length)]!
  return fates.map((isDoomed, index) => ({ index, doomed: isDoomed, model: pick(isDoomed ? RETIRED_MODELS : LIVE_MODELS) }))
}
