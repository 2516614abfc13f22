import type { Clock } from '../clock/model.js'
import type { ResponseStep } from '../schedule/model.js'
import { ledgerOf } from '../trace/ledger.js'
import type { DedupMode, Ledger } from '../trace/model.js'
import type { Content } from './content.js'

/** The answer that accepted work came to, whether or not the client ever got it. */
export interface Result {
  readonly step: ResponseStep
  readonly content: Content
}

/** Work that a step accepts. */
export interface Work {
  readonly key: string | null
  readonly method: string
  readonly path: string
  readonly bodyHash: string
  /** Number of the attempt that asked for it. */
  readonly attempt: number
  /** How long it is worked on, ms. */
  readonly takesMs: number
  result(): Result
}

/** What a known key is answered with. */
export type KnownWork =
  | { readonly mark: 'mismatch' | 'reject' | 'in-progress' }
  | { readonly mark: 'replay'; readonly readyInMs: number; readonly result: Result }

interface Entry {
  readonly work: Work
  readonly appliedBy: number[]
  readonly acceptedAtMs: number
  readonly readyAtMs: number
}

/** The server's record of the work it accepted (design §4.5; draft-ietf-httpapi-idempotency-key-header-07 §2). */
export class WorkLedger {
  readonly #dedup: DedupMode
  readonly #keyExpiryMs: number
  readonly #clock: Clock
  readonly #entries: Entry[] = []
  readonly #byKey = new Map<string, Entry>()

  constructor(dedup: DedupMode, keyExpiryMs: number, clock: Clock) {
    this.#dedup = dedup
    this.#keyExpiryMs = keyExpiryMs
    this.#clock = clock
  }

  /** True when the ledger, not the schedule, answers requests with this key. */
  answers(key: string | null): boolean {
    return this.#dedup !== 'ignore' && this.#find(key) !== undefined
  }

  /** True when work was accepted under this key, so long ago that it is forgotten. */
  hasForgotten(key: string | null): boolean {
    return key !== null && this.#byKey.has(key) && this.#find(key) === undefined
  }

  /** null when the request is not known and takes the next step of the schedule. */
  consult(key: string | null, bodyHash: string): KnownWork | null {
    const entry = this.#dedup === 'ignore' ? undefined : this.#find(key)
    if (entry === undefined) return null
    if (entry.work.bodyHash !== bodyHash) return { mark: 'mismatch' }
    if (this.#dedup === 'reject') return { mark: 'reject' }
    const readyInMs = Math.max(0, entry.readyAtMs - this.#clock.nowMs())
    if (this.#dedup === 'conflict' && readyInMs > 0) return { mark: 'in-progress' }
    return { mark: 'replay', readyInMs, result: entry.work.result() }
  }

  /** Enters work at its arrival: whether its answer ever arrives does not matter. */
  accept(work: Work): 'new' | 'duplicate' {
    const known = this.#find(work.key)
    if (known !== undefined) {
      known.appliedBy.push(work.attempt)
      return 'duplicate'
    }
    const acceptedAtMs = this.#clock.nowMs()
    const entry: Entry = { work, appliedBy: [work.attempt], acceptedAtMs, readyAtMs: acceptedAtMs + work.takesMs }
    this.#entries.push(entry)
    if (work.key !== null) this.#byKey.set(work.key, entry)
    return 'new'
  }

  snapshot(): Ledger {
    const nowMs = this.#clock.nowMs()
    const entries = this.#entries.map(({ work, appliedBy, acceptedAtMs, readyAtMs }) => ({
      key: work.key,
      method: work.method,
      path: work.path,
      bodyHash: work.bodyHash,
      appliedBy: [...appliedBy],
      acceptedAtMs,
      finishedAtMs: readyAtMs <= nowMs ? readyAtMs : null,
    }))
    return ledgerOf(this.#dedup, entries)
  }

  #find(key: string | null): Entry | undefined {
    const entry = key === null ? undefined : this.#byKey.get(key)
    const expired = entry !== undefined && this.#clock.nowMs() - entry.acceptedAtMs >= this.#keyExpiryMs
    return expired ? undefined : entry
  }
}
