import type { AttemptChange } from '../server/model.js'
import type { Attempt, Trial } from '../trace/model.js'
import type { CallPlan } from '../trial/model.js'
import type { RedactOptions } from './redact.js'

export interface ProbeOptions {
  /** The endpoint, http or https, named explicitly: 'https://api.example.com/v1'. The path of the call is put after it. */
  readonly baseURL: string
  /** Calls to make, each on a client of its own. Default 20: one proves nothing. */
  readonly runs?: number
  /** Calls under way at once. Default 1. */
  readonly concurrency?: 1 | 2
  /** Of one call; its signal is aborted then. Default 10 000. */
  readonly deadlineMs?: number
  /** Requests over the whole probe, retries included; the probe stops there. Default 5 for each run, at least 20. */
  readonly maxRequests?: number
  /** The longest Retry-After that is waited out between runs; a longer one ends the probe. Default 120 000. */
  readonly maxPauseMs?: number
  /** The request. Default: POST / with a JSON body and a fresh key for each run. */
  readonly call?: CallPlan
  /** Default 'Idempotency-Key'. */
  readonly keyHeader?: string
  /** Needed when the host is not loopback: real requests are about to be made. */
  readonly yes?: boolean
  /** Hosts (host:port) other than the endpoint that the client may connect to. Default none. */
  readonly allowHosts?: readonly string[]
  /** Certificates in PEM to trust besides the usual ones. */
  readonly ca?: string
  /** Talk to an endpoint whose certificate cannot be checked. Default false. */
  readonly insecure?: boolean
  /** What counts as secret besides the well-known names and shapes. */
  readonly redact?: RedactOptions
  /** Ends the probe; what was seen so far is reported. */
  readonly signal?: AbortSignal
  /** Called as attempts come and go; without secrets. */
  readonly onAttempt?: (attempt: Attempt, change: AttemptChange, run: number) => void
  /** Called after each run with the report so far. */
  readonly onRun?: (report: ProbeReport) => void
  /** Called before a wait that the endpoint asked for. */
  readonly onPause?: (waitMs: number) => void
}

export interface Distribution {
  readonly min: number
  readonly p50: number
  readonly p95: number
  readonly max: number
}

/** Why a probe ended before its last run. */
export interface Stop {
  readonly why: 'max-requests' | 'retry-after' | 'interrupted'
  readonly text: string
}

/** What twenty calls to a real endpoint looked like. It says what was seen, not what the endpoint guarantees. */
export interface ProbeReport {
  readonly client: string
  /** Base URL, without secrets. */
  readonly target: string
  /** Asked for. */
  readonly runs: number
  readonly deadlineMs: number
  /** One per run that was made. */
  readonly trials: readonly Trial[]
  readonly requests: number
  /** Runs whose call resolved with a 2xx, or with something that has no status. */
  readonly succeeded: number
  /** Of whole calls, waits included; null without a settled call. */
  readonly latencyMs: Distribution | null
  /** Number of attempts of a run -> runs. */
  readonly attempts: Readonly<Record<string, number>>
  /** Status or fault -> attempts. */
  readonly answers: Readonly<Record<string, number>>
  /** Answers that told the client when to come back; the longest of their waits. */
  readonly hints: { readonly answers: number; readonly runs: number; readonly longestMs: number | null }
  /** Runs that had not settled by the deadline. */
  readonly deadlineBreaches: number
  /** Waited between runs because the endpoint asked for it. */
  readonly pausedMs: number
  readonly stopped: Stop | null
  /** What `JSON.stringify` writes; `readTraces` reads it back. */
  toJSON(): unknown
}
