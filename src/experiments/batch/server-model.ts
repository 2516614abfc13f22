import type { JsonValue, ScheduledRequest } from '../../schedule/model.js'
import type { Decision, ServerModel } from '../fleet/model.js'
import { draw } from '../random.js'
import { LIVE_MODELS } from './jobs.js'
import type { BatchSetting } from './model.js'

export const MODELS_PATH = '/models'
const GENERATE = /^\/v1\/models\/([^/:]+):generate$/

export const generatePath = (model: string): string => `/v1/models/${model}:generate`

/**
 * The server of the retired-model story: errors are answered at once, successes after the latency. Whether a live model answers 503 is drawn
 * per job and try, so strategies that are run with one seed meet the same faults.
 */
export class BatchServerModel implements ServerModel {
  readonly #seed: number
  readonly #setting: BatchSetting
  readonly #tries = new Map<number, number>()

  constructor(seed: number, setting: BatchSetting) {
    this.#seed = seed
    this.#setting = setting
  }

  decide({ path, arrivedAtMs }: ScheduledRequest, call: number | null): Decision {
    const { limit, transientRate } = this.#setting
    if (limit !== null && arrivedAtMs >= limit.fromMs && arrivedAtMs < limit.fromMs + limit.forMs) {
      return refuse(
        429,
        'RESOURCE_EXHAUSTED',
        'the limit is used up',
        Math.ceil((limit.fromMs + limit.forMs - arrivedAtMs) / 1_000),
      )
    }
    if (path === MODELS_PATH) return this.#answer(200, { models: LIVE_MODELS })
    const model = GENERATE.exec(path)?.[1]
    if (model === undefined || !(LIVE_MODELS as readonly string[]).includes(model)) {
      return refuse(404, 'NOT_FOUND', `model ${model ?? path} is not available`)
    }
    const job = call ?? -1
    const nth = (this.#tries.get(job) ?? 0) + 1
    this.#tries.set(job, nth)
    if (draw(this.#seed, job, nth) < transientRate) return refuse(503, 'UNAVAILABLE', 'the service is overloaded for a moment')
    return this.#answer(200, { output: `answer of ${model}` })
  }

  #answer(status: number, body: JsonValue): Decision {
    const { latencyMs } = this.#setting
    return { step: { status, delayMs: latencyMs, body }, workMs: latencyMs }
  }
}

/** An error that says in its `status` field what it is, so that nobody has to read its text. */
const refuse = (code: number, status: string, message: string, retryAfter?: number): Decision => ({
  step: { status: code, body: { error: { code, status, message } }, ...(retryAfter === undefined ? {} : { retryAfter }) },
  workMs: 0,
})
