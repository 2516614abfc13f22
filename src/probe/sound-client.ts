import type { Clock } from '../clock/model.js'
import { parseRetryAfter } from '../trace/retry-after.js'
import { defineClient } from '../trial/client.js'
import type { Call, Client } from '../trial/model.js'

/** First try included. */
const MAX_ATTEMPTS = 5
const BASE_MS = 250
const CAP_MS = 2_000
/** Added on top, so that clients told to come back at one time do not come as one. */
const JITTER = 0.25
const TRANSIENT = new Set([429, 500, 502, 503, 504])
const UNSAFE = new Set(['POST', 'PATCH'])

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** One attempt, body included, that is given up after `timeoutMs`, or when the caller aborts. */
async function attempt(call: Call, timeoutMs: number, clock: Clock): Promise<Answer> {
  const controller = new AbortController()
  const giveUp = () => controller.abort(call.signal.reason)
  const cancel = clock.after(timeoutMs, () => controller.abort(new Error(`no answer within ${Math.round(timeoutMs)} ms`)))
  call.signal.addEventListener('abort', giveUp, { once: true })
  try {
    const { url, method, headers, body } = call
    const response = await fetch(url, { method, headers, body, redirect: 'manual', signal: controller.signal })
    return { status: response.status, headers: response.headers, body: await response.text() }
  } finally {
    cancel()
    call.signal.removeEventListener('abort', giveUp)
  }
}

function sleep(waitMs: number, signal: AbortSignal, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(waitMs, () => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    })
    const onAbort = () => {
      cancel()
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

/** The endpoint's wait, if it names one; else the own backoff. */
function waitBefore(resend: number, answer: Answer | null, clock: Clock): number {
  const ownMs = Math.min(BASE_MS * 2 ** (resend - 1), CAP_MS) * (1 + JITTER * Math.random())
  const header = answer?.headers.get('retry-after') ?? null
  if (header === null) return ownMs
  const reading = parseRetryAfter([header], clock.wallMs())
  if (reading.kind === 'malformed') return ownMs
  const hintMs = reading.kind === 'seconds' ? reading.ms : reading.kind === 'date' ? reading.waitMs : reading.minMs
  return hintMs === 0 ? ownMs : hintMs + JITTER * Math.random() * Math.min(hintMs, CAP_MS)
}

/**
 * A client without known faults, for whoever has none at hand: five attempts, 250 ms doubling up to 2 s with jitter on top, Retry-After
 * before the own backoff, half of the deadline for one attempt, gives up when the next wait does not fit. An unsafe request without a key
 * is sent once.
 *
 * @param deadlineMs of a whole call
 */
export function soundClient(deadlineMs: number, clock: Clock): Client {
  return defineClient('built-in client', async (call) => {
    const endsAtMs = clock.nowMs() + deadlineMs
    const maxAttempts = UNSAFE.has(call.method) && call.idempotencyKey === undefined ? 1 : MAX_ATTEMPTS
    for (let number = 1; ; number++) {
      let answer: Answer | null = null
      let failure: unknown
      try {
        answer = await attempt(call, Math.max(0, Math.min(deadlineMs / 2, endsAtMs - clock.nowMs())), clock)
        if (!TRANSIENT.has(answer.status)) return answer
        failure = new Error(`HTTP ${answer.status}`)
      } catch (error) {
        call.signal.throwIfAborted()
        failure = error
      }
      if (number >= maxAttempts) throw failure
      const waitMs = waitBefore(number, answer, clock)
      if (clock.nowMs() + waitMs >= endsAtMs)
        throw new Error(`deadline: a wait of ${Math.round(waitMs)} ms does not fit`, { cause: failure })
      await sleep(waitMs, call.signal, clock)
    }
  })
}
