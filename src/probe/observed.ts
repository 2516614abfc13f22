import { hash, randomUUID } from 'node:crypto'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { jsonAnswerBody } from '../trace/answer.js'
import type { Attempt, CallRecord, Outcome } from '../trace/model.js'
import { observedStep } from './observed-step.js'
import type { Redactor } from './redact.js'

const DECODERS: Readonly<Record<string, (body: Uint8Array) => Uint8Array>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

type Lines = Attempt['answerHeaders']

const headerOf = (lines: Lines, name: string): string => lines.find(([header]) => header === name)?.[1] ?? ''

/** A compressed body hides its secrets from whoever looks for them: it is kept unpacked, or not at all. */
function unpacked(body: Uint8Array, encoding: string): Uint8Array {
  const name = encoding.trim().toLowerCase()
  if (body.length === 0 || name === '' || name === 'identity') return body
  try {
    return new Uint8Array(DECODERS[name]!(body))
  } catch {
    return new Uint8Array(0)
  }
}

/** Whether an answer says that it is the first result again: `dedup: true` in its body, or Stripe's header. */
function saysReplay(attempt: Pick<Attempt, 'answerBody' | 'answerHeaders' | 'status'>): boolean {
  if (attempt.status === null) return false
  if (/^true$/i.test(headerOf(attempt.answerHeaders, 'idempotent-replayed'))) return true
  const body = jsonAnswerBody(attempt)
  return typeof body === 'object' && body !== null && (body as { dedup?: unknown }).dedup === true
}

const SALT = randomUUID()

/** Equal bodies get equal hashes; without the salt a short secret could be found by trying. */
export const hiddenHash = (bodyHash: string): string => hash('sha256', SALT + bodyHash)

/** An attempt as it may be kept and shown: no secrets in what was sent and answered. */
export function withoutSecrets(raw: Attempt, redactor: Redactor): Attempt {
  // Headers and path first: they teach what to look for in the bodies.
  const headers = redactor.headers(raw.headers)
  const path = redactor.url(raw.path)
  const answerHeaders = raw.answerHeaders.map(([name, value]) => [name, redactor.header(name, value)] as const)
  const body = unpacked(raw.body, raw.headers['content-encoding'] ?? '')
  const answerBody = unpacked(raw.answerBody, headerOf(raw.answerHeaders, 'content-encoding'))
  return {
    ...raw,
    path,
    headers,
    idempotencyKey: raw.idempotencyKey === null ? null : redactor.text(raw.idempotencyKey),
    body: redactor.body(body, raw.headers['content-type']),
    bodyHash: hiddenHash(raw.bodyHash),
    answerHeaders,
    answerBody: redactor.body(answerBody, headerOf(raw.answerHeaders, 'content-type')),
    step: redactor.value(raw.step) as Attempt['step'],
  }
}

/** An attempt at a real endpoint as it may be kept and shown, with what the endpoint did as a step. */
export function observed(raw: Attempt, redactor: Redactor): Attempt {
  const clean = withoutSecrets(raw, redactor)
  const attempt: Attempt = { ...clean, ledger: saysReplay(clean) ? 'replay' : 'none' }
  return { ...attempt, step: observedStep(attempt) }
}

/** The attempts of a trace. They are read twice: a later one may teach which text of an earlier answer is a secret. */
export function observedAll(raws: readonly Attempt[], redactor: Redactor): Attempt[] {
  for (const raw of raws) observed(raw, redactor)
  return raws.map((raw) => observed(raw, redactor))
}

function plainError(error: unknown, redactor: Redactor): unknown {
  if (!(error instanceof Error)) return redactor.value(error)
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  const plain = new Error(redactor.text(error.message), cause === undefined ? undefined : { cause: plainError(cause, redactor) })
  plain.name = error.name
  delete plain.stack
  return code === undefined ? plain : Object.assign(plain, { code })
}

function observedOutcome(outcome: Outcome, redactor: Redactor): Outcome {
  if (outcome.kind === 'rejected') return { ...outcome, error: plainError(outcome.error, redactor) }
  if (outcome.kind !== 'resolved') return outcome
  const { value, status, body, bodyBytes } = outcome
  const text = body === undefined ? undefined : Buffer.from(redactor.body(Buffer.from(body))).toString()
  // Only plain data can be looked through; a Response says what it has to say in status and body.
  const isPlain =
    typeof value !== 'object' || value === null || Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  return {
    kind: 'resolved',
    value: isPlain ? redactor.value(value) : undefined,
    ...(status === undefined ? {} : { status }),
    ...(text === undefined ? {} : { body: text }),
    ...(bodyBytes === undefined || text === undefined ? {} : { bodyBytes: new Uint8Array(Buffer.from(text)) }),
  }
}

/** A call as it may be kept and shown. */
export const observedCall = (call: CallRecord, redactor: Redactor): CallRecord => ({
  ...call,
  path: redactor.url(call.path),
  idempotencyKey: call.idempotencyKey === null ? null : redactor.text(call.idempotencyKey),
  outcome: observedOutcome(call.outcome, redactor),
})
