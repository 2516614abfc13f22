import type { ScheduledRequest, Step } from '../../schedule/model.js'
import type { Decision, ServerModel } from '../fleet/model.js'
import { normal, randomStream } from '../random.js'
import { FlakyPeriods } from './flaky-periods.js'
import type { Failure, HerdServer, ServiceTime } from './model.js'
import { WorkQueue } from './work-queue.js'

/** z of the 95th percentile of the normal distribution. */
const Z95 = 1.6449

/** A server with finite capacity as a queue: what a request gets is settled by the time it arrives and by those before it. */
export class HerdServerModel implements ServerModel {
  readonly #server: HerdServer
  readonly #random: () => number
  readonly #queue: WorkQueue
  readonly #flaky: FlakyPeriods | null

  constructor(server: HerdServer, seed: number) {
    this.#server = server
    this.#random = randomStream(seed, 0x5e2)
    this.#queue = new WorkQueue(server.capacity)
    this.#flaky = server.flaky === undefined ? null : new FlakyPeriods(server.flaky, randomStream(seed, 0xf1a))
  }

  decide({ arrivedAtMs: nowMs }: ScheduledRequest): Decision {
    const { outage, queueLimit = Number.POSITIVE_INFINITY, overload = 503 } = this.#server
    const isAway = outage !== undefined && nowMs >= outage.fromMs && nowMs < outage.fromMs + outage.forMs
    if (isAway && outage.answer !== 'stall') return this.#fail(outage.answer ?? 503)
    if (this.#flaky?.isBad(nowMs)) return this.#fail(FLAKY_FAILURES[Math.floor(this.#random() * FLAKY_FAILURES.length)]!)
    if (!this.#queue.hasFreeSlot(nowMs) && this.#queue.waiting(nowMs) >= queueLimit) return this.#fail(overload)
    return this.#serve(nowMs)
  }

  #serve(nowMs: number): Decision {
    const startMs = this.#afterStall(Math.max(nowMs, this.#queue.nextFreeMs()))
    const workMs = Math.max(1, Math.round(serviceTime(this.#server.serviceMs, this.#random) / this.#speedAt(startMs)))
    this.#queue.add(startMs, startMs + workMs)
    return { step: { status: 200, delayMs: startMs + workMs - nowMs, body: { ok: true } }, workMs }
  }

  /** Nothing is begun while the server stalls; what was begun before is finished. */
  #afterStall(startMs: number): number {
    const { outage } = this.#server
    if (outage?.answer !== 'stall' || startMs < outage.fromMs) return startMs
    return Math.max(startMs, outage.fromMs + outage.forMs)
  }

  #speedAt(atMs: number): number {
    const { outage, recovery } = this.#server
    if (outage === undefined || recovery === undefined) return 1
    const sinceMs = atMs - (outage.fromMs + outage.forMs)
    if (sinceMs < 0 || sinceMs >= recovery.forMs) return 1
    return recovery.share + ((1 - recovery.share) * sinceMs) / recovery.forMs
  }

  #fail(failure: Failure): Decision {
    return { step: this.#failingStep(failure), workMs: 0 }
  }

  #failingStep(failure: Failure): Step {
    if (failure === 'timeout') return { fault: 'hang' }
    if (failure === 'reset') return { fault: 'reset' }
    const status = failure === 429 ? 'RESOURCE_EXHAUSTED' : 'UNAVAILABLE'
    const { retryAfterS } = this.#server
    const body = { error: { code: failure, status, message: 'no capacity' } }
    return retryAfterS === undefined ? { status: failure, body } : { status: failure, body, retryAfter: retryAfterS }
  }
}

/** The kinds that were seen in the published run, in equal parts: their shares are not known. */
const FLAKY_FAILURES: readonly Failure[] = ['timeout', 429, 503, 'reset']

function serviceTime(service: number | ServiceTime, random: () => number): number {
  if (typeof service === 'number') return service
  const sigma = Math.log(service.p95Ms / service.medianMs) / Z95
  return service.medianMs * Math.exp(sigma * normal(random))
}
