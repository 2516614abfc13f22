import type { Range } from './cells.js'
import type { Scenario } from './scenarios.js'

type Band = (gap: number, scenario: Scenario) => Range

const hinted = ({ hintMs }: Scenario): Range => hintMs ?? [0, 0]

/** axios-retry: 100 ms x 2^n or the hint, whichever is longer, and up to a fifth more. */
const exponentialDelay: Band = (gap, scenario) => {
  const [from, to] = hinted(scenario)
  const nominal = 200 * 2 ** gap
  return [Math.max(nominal, from), 1.2 * Math.max(nominal, to)]
}

/** openai and its relatives: 500 ms x 2^n less up to a quarter. */
const lessUpToAQuarter: Band = (gap) => [375 * 2 ** gap, 500 * 2 ** gap]

/** AWS SDKs: anything up to 50 ms x 2^n (1 s x 2^n after a 429); a hint is followed, but for no more than 5 s above that. */
const fullJitter: Band = (gap, { schedule, hintMs = [0, 0] }) => {
  const isThrottled = JSON.stringify(schedule).includes('429')
  const most = (isThrottled ? 1000 : 50) * 2 ** gap
  return [Math.min(hintMs[0], 5000), Math.max(most, Math.min(hintMs[1], most + 5000))]
}

/**
 * The waits in which a client throws dice, as its source has them: gap 0 is the wait before the first re-send. One measured wait and one
 * virtual wait are two throws, so both have to lie in the band; all other waits have to be equal.
 */
export const RANDOM_WAITS: Readonly<Record<string, Band>> = {
  // 1000 ms x 2^n and up to 100 ms of noise.
  got: (gap) => [1000 * 2 ** gap, 1000 * 2 ** gap + 100],
  'axios-retry-exp': exponentialDelay,
  openai: lessUpToAQuarter,
  'openai-idem': lessUpToAQuarter,
  'aws-s3': fullJitter,
}

/** The seed of the dice, where it matters: the waits of aws-s3 have to last longer than the 60 ms until the abort, as they did when measured. */
export const SEED: Readonly<Record<string, number>> = { 'aws-s3': 10 }

/** undici measures its timeouts with a timer of about 500 ms: they come up to that much late, depending on its phase. */
export const COARSE_TIMEOUT_MS: Readonly<Record<string, number>> = { 'undici-retryagent': 500 }
