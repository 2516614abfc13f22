import { startClock, warmUp } from '../clock/index.js'
import type { Clock } from '../clock/model.js'
import { HINT_NAMES, hintOf } from '../trace/hints.js'
import type { Trial } from '../trace/model.js'
import { toClient } from '../trial/client.js'
import type { Client, ClientInput } from '../trial/model.js'
import { ProbeError } from './errors.js'
import type { ProbeOptions, ProbeReport, Stop } from './model.js'
import { type ResolvedProbe, resolveProbe } from './probe-options.js'
import { probeReport } from './probe-report.js'
import { type RunContext, runOnce } from './probe-run.js'
import { Redactor } from './redact.js'
import { soundClient } from './sound-client.js'

/**
 * Runs a client against a real endpoint through a recording proxy, and reports what the wire saw. The endpoint is treated gently: one or two
 * calls at once, its Retry-After is obeyed between runs, the number of requests has a ceiling. Secrets are taken out before anything is
 * kept.
 *
 * @param client a fetch-style function, what `defineClient` returned, or null for a built-in client without known faults
 * @param options `baseURL`; `runs` (20), `concurrency` (1), `deadlineMs` (10 000), `maxRequests` (5 for each run), `yes` for a host that is
 *   not loopback
 * @throws ProbeError for bad options, an endpoint that cannot be reached at all, or a client that never sends to it
 * @example
 * const report = await probe(client, { baseURL: 'http://127.0.0.1:8787', runs: 5, call: { path: '/v1/chat' } })
 * report.attempts // { '1': 4, '3': 1 }
 */
export async function probe(client: ClientInput | null, options: ProbeOptions): Promise<ProbeReport> {
  const resolved = resolveProbe(options)
  const given = client === null ? null : toClient(client)
  await warmUp()
  const run = startClock('real', { seed: null })
  try {
    return await new Probing(given, resolved, options, run.clock).run()
  } finally {
    run.stop()
  }
}

class Probing {
  readonly #client: Client | null
  readonly #probe: ResolvedProbe
  readonly #options: ProbeOptions
  readonly #clock: Clock
  readonly #redactor: Redactor
  readonly #trials: Trial[] = []
  #requests = 0
  #pausedMs = 0
  /** On this probe's clock: the endpoint asked not to be called before. */
  #notBeforeMs = 0
  #stop: Stop | null = null
  #setupFailure: string | null = null
  #endRuns: () => void = () => {}
  readonly #interrupted = new Promise<void>((resolve) => {
    this.#endRuns = resolve
  })

  constructor(client: Client | null, probe: ResolvedProbe, options: ProbeOptions, clock: Clock) {
    this.#client = client
    this.#probe = probe
    this.#options = options
    this.#clock = clock
    this.#redactor = new Redactor(options.redact)
    // The client never sends them, but an answer may echo them.
    if (probe.upstream.credentials !== null) this.#redactor.header('authorization', probe.upstream.credentials)
  }

  async run(): Promise<ProbeReport> {
    const { signal } = this.#options
    const interrupt = () => this.#end({ why: 'interrupted', text: 'it was interrupted' })
    if (signal?.aborted) interrupt()
    signal?.addEventListener('abort', interrupt, { once: true })
    try {
      let next = 0
      const worker = async () => {
        while (next < this.#probe.runs && this.#stop === null) {
          const number = next++
          if (await this.#waitForTurn()) await this.#runOne(number)
        }
      }
      await Promise.all(Array.from({ length: this.#probe.concurrency }, worker))
      return this.#report()
    } finally {
      signal?.removeEventListener('abort', interrupt)
    }
  }

  /** Waits as long as the endpoint asked for; false when the probe has ended meanwhile, or the wait is too long. */
  async #waitForTurn(): Promise<boolean> {
    while (this.#stop === null) {
      const waitMs = this.#notBeforeMs - this.#clock.nowMs()
      if (waitMs <= 0) return true
      if (waitMs > this.#probe.maxPauseMs) {
        const text = `the endpoint asked to be left alone for ${Math.ceil(waitMs / 1000)} s: come back then, or raise maxPauseMs`
        this.#end({ why: 'retry-after', text })
        return false
      }
      this.#options.onPause?.(waitMs)
      await Promise.race([new Promise<void>((resolve) => void this.#clock.after(waitMs, resolve)), this.#interrupted])
      this.#pausedMs += waitMs
    }
    return false
  }

  async #runOne(number: number): Promise<void> {
    const startedAtMs = this.#clock.nowMs()
    const context: RunContext = {
      probe: this.#probe,
      redactor: this.#redactor,
      number,
      makeClient: (clock) => this.#client ?? soundClient(this.#probe.deadlineMs, clock),
      admit: () => this.#admit(),
      onSetupFailure: (code) => {
        this.#setupFailure ??= code
        this.#endRuns()
      },
      onAttempt: (attempt, change) => this.#options.onAttempt?.(attempt, change, number),
      interrupted: this.#interrupted,
    }
    const trial = await runOnce(context)
    if (this.#setupFailure !== null) throw unreachable(this.#setupFailure, this.#probe)
    if (trial === null) return
    if (trial.attempts.length === 0 && this.#stop === null) throw nothingArrived(trial)
    this.#trials.push(trial)
    this.#heedHints(trial, startedAtMs)
    this.#options.onRun?.(this.#report())
  }

  #admit(): boolean {
    if (this.#requests >= this.#probe.maxRequests) {
      this.#end({
        why: 'max-requests',
        text: `${this.#probe.maxRequests} requests were made, which is the ceiling (maxRequests)`,
      })
      return false
    }
    this.#requests++
    return true
  }

  #heedHints({ attempts }: Trial, startedAtMs: number): void {
    for (const attempt of attempts) {
      const closesAtMs = hintOf(attempt, { headers: HINT_NAMES })?.closesAtMs ?? 0
      this.#notBeforeMs = Math.max(this.#notBeforeMs, startedAtMs + closesAtMs)
    }
  }

  #end(stop: Stop): void {
    this.#stop ??= stop
    if (stop.why === 'interrupted') this.#endRuns()
  }

  #report(): ProbeReport {
    return probeReport({
      client: this.#client?.name ?? 'built-in client',
      target: this.#redactor.url(this.#options.baseURL),
      runs: this.#probe.runs,
      deadlineMs: this.#probe.deadlineMs,
      trials: [...this.#trials],
      pausedMs: this.#pausedMs,
      stopped: this.#stop,
    })
  }
}

/** What to do about an endpoint that nobody can be judged by. */
const UNREACHABLE: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_)/, 'no such host'],
  [/^CERT_HAS_EXPIRED|NOT_YET_VALID/, 'its certificate is not valid at this time: renew it, or `insecure: true`'],
  [/ALTNAME|HOSTNAME_MISMATCH/, 'its certificate is for another host: use a host that it names, or `insecure: true`'],
  [/CERT|SELF_SIGNED|UNABLE_TO_/, 'its certificate is not trusted: give the certificate with `ca`, or `insecure: true`'],
  [/^(EPROTO|ERR_SSL|ERR_TLS)/, 'it does not speak TLS that is understood here: is it an http address?'],
]

function unreachable(code: string, { upstream }: ResolvedProbe): ProbeError {
  const advice = UNREACHABLE.find(([pattern]) => pattern.test(code))?.[1]
  return new ProbeError(`${upstream.origin} cannot be reached (${code})${advice === undefined ? '' : `: ${advice}`}`)
}

function nothingArrived({ client, outcome, foreignConnections }: Trial): ProbeError {
  const said = outcome.kind === 'rejected' ? ` It failed with: ${String(outcome.error)}.` : ''
  const elsewhere = [...new Set(foreignConnections.map(({ host, port }) => `${host}:${port}`))]
  const where =
    elsewhere.length === 0
      ? ''
      : ` It tried to connect to ${elsewhere.join(', ')}, past the recording proxy; a host it needs besides goes into allowHosts.`
  return new ProbeError(
    `${client.name}: no request reached the proxy.${said}${where} Send to the call's url or baseURL: defineClient('${client.name}', ({ url, baseURL, method, headers, body, signal }) => ...)`,
  )
}
