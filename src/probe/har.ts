import * as z from 'zod'
import { renderTimeline } from '../report/timeline.js'
import type { FaultKind } from '../schedule/model.js'
import { bodyHash } from '../server/body-hash.js'
import { makeTrial } from '../trace/build.js'
import { ledgerOf } from '../trace/ledger.js'
import type { Attempt, Trial } from '../trace/model.js'
import { createOperationIndex, groupOperations } from '../trace/operations.js'
import { observedAll } from './observed.js'
import { type RedactOptions, Redactor } from './redact.js'

/** A HAR file that cannot be read; the message names the place. */
export class HarError extends Error {
  override readonly name = 'HarError'
}

const lines = z.array(z.object({ name: z.string(), value: z.string() })).default([])
const ms = z.number().optional()
const entry = z.object({
  startedDateTime: z.string().refine((text) => !Number.isNaN(Date.parse(text)), { error: 'expected a date' }),
  time: z.number().default(0),
  request: z.object({
    method: z.string(),
    url: z.string().refine((url) => URL.canParse(url), { error: 'expected an absolute URL' }),
    headers: lines,
    postData: z.object({ text: z.string().default(''), mimeType: z.string().default('') }).optional(),
  }),
  response: z.object({
    status: z.number(),
    headers: lines,
    content: z
      .object({ text: z.string().optional(), encoding: z.string().optional(), mimeType: z.string().optional() })
      .default({}),
    _error: z.string().nullish(),
  }),
  timings: z.object({ blocked: ms, dns: ms, connect: ms, send: ms, wait: ms, receive: ms }).default({}),
  connection: z.string().optional(),
})
const har = z.object({ log: z.object({ entries: z.array(entry) }) })
type Entry = z.infer<typeof entry>

/** How browsers call what happened to a request without an answer. */
const FAULTS: readonly (readonly [RegExp, FaultKind])[] = [
  [/REFUSED|ADDRESS_UNREACHABLE/i, 'refuse'],
  [/EMPTY_RESPONSE|CONNECTION_CLOSED/i, 'close'],
  [/RESET|ABORTED_BY_PEER/i, 'reset'],
  [/INVALID_(HTTP_)?RESPONSE/i, 'garbage'],
]

/** null: the client gave up, or was told to. */
function faultOf({ response: { _error } }: Entry): FaultKind | null {
  if (_error == null || _error === '') return null
  return FAULTS.find(([pattern]) => pattern.test(_error))?.[1] ?? (/ABORTED|TIMED?_?OUT/i.test(_error) ? null : 'reset')
}

const spent = (value: number | undefined): number => Math.max(0, value ?? 0)

function headersOf(list: Entry['request']['headers']): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { name, value } of list) {
    const key = name.toLowerCase()
    // HTTP/2's pseudo headers are no headers.
    if (!key.startsWith(':')) headers[key] = key in headers ? `${headers[key]}, ${value}` : value
  }
  return headers
}

function attemptOf(found: Entry, index: number, originMs: number, operation: number, keyHeader: string): Attempt {
  const { request, response, timings, time } = found
  const url = new URL(request.url)
  const headers = headersOf(request.headers)
  const body = new Uint8Array(Buffer.from(request.postData?.text ?? ''))
  const arrivedAtMs =
    Date.parse(found.startedDateTime) - originMs + spent(timings.blocked) + spent(timings.dns) + spent(timings.connect)
  const endedAtMs = Date.parse(found.startedDateTime) - originMs + Math.max(time, 0)
  const status = response.status >= 100 ? response.status : null
  const fault = status === null ? faultOf(found) : null
  const isHangUp = status === null && fault === null
  const content = response.content.text ?? ''
  return {
    number: index + 1,
    call: null,
    operation,
    method: request.method,
    path: url.pathname + url.search,
    headers,
    idempotencyKey: headers[keyHeader] || null,
    body,
    bodyHash: bodyHash(body, headers['content-type'] ?? request.postData?.mimeType),
    requestComplete: true,
    arrivedAtMs,
    headersAtMs: status === null ? null : Math.min(endedAtMs, arrivedAtMs + spent(timings.send) + spent(timings.wait)),
    servedWallMs: null,
    endedAtMs,
    hungUpAtMs: isHangUp ? endedAtMs : null,
    socket: Number(found.connection) || 0,
    step: fault === null ? null : { fault },
    stepIndex: null,
    status,
    result: status ?? fault ?? 'hang-up',
    // A HAR holds bodies unpacked.
    answerHeaders: response.headers
      .filter(({ name }) => !/^(:|content-encoding$)/i.test(name))
      .map(({ name, value }) => [name.toLowerCase(), value] as const),
    answerBody: new Uint8Array(Buffer.from(content, response.content.encoding === 'base64' ? 'base64' : 'utf8')),
    answerComplete: status !== null && !response._error,
    ledger: 'none',
    afterSettling: false,
  }
}

function trialOf(host: string, entries: readonly Entry[], redactor: Redactor, keyHeader: string): Trial {
  const sorted = [...entries].sort((a, b) => Date.parse(a.startedDateTime) - Date.parse(b.startedDateTime))
  const originMs = Date.parse(sorted[0]!.startedDateTime)
  const operationOf = createOperationIndex()
  const raws = sorted.map((found, index) => {
    const { pathname, search } = new URL(found.request.url)
    const operation = operationOf({ call: null, method: found.request.method, path: pathname + search })
    return attemptOf(found, index, originMs, operation, keyHeader)
  })
  const attempts = observedAll(raws, redactor)
  return makeTrial(
    {
      client: { name: `HAR of ${host}`, repeatable: false, streaming: false, parses: null, takesSignal: null },
      clock: 'real',
      transport: 'socket',
      seed: 1,
      schedule: null,
      calls: [],
      attempts,
      operations: groupOperations(attempts),
      ledger: ledgerOf('ignore', []),
      leftovers: { timers: [], attempts: [], abortListeners: [], unreadAnswers: [], unhandledRejections: [], idleSockets: 0 },
      unplayed: [],
      timerOverflows: [],
      foreignConnections: [],
      relapses: 0,
      abortAtMs: null,
      keyHeader,
    },
    renderTimeline,
  )
}

const spell = (path: readonly PropertyKey[]) =>
  path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')

/**
 * Reads a HAR file (HTTP Archive 1.2, as browsers and proxies save it) as traces, one for each host. Secrets are taken out.
 *
 * @param json the parsed file
 * @param options.keyHeader default 'Idempotency-Key'
 * @throws HarError naming the place
 * @example
 * diagnose(readHar(JSON.parse(await readFile('network.har', 'utf8'))))
 */
export function readHar(
  json: unknown,
  { keyHeader = 'idempotency-key', redact }: { keyHeader?: string; redact?: RedactOptions } = {},
): Trial[] {
  const parsed = har.safeParse(json)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new HarError(`har${spell(issue.path)}: ${issue.message}`)
  }
  const byHost = new Map<string, Entry[]>()
  for (const found of parsed.data.log.entries) {
    const { host } = new URL(found.request.url)
    const known = byHost.get(host)
    if (known === undefined) byHost.set(host, [found])
    else known.push(found)
  }
  const redactor = new Redactor(redact)
  return [...byHost].map(([host, entries]) => trialOf(host, entries, redactor, keyHeader.toLowerCase()))
}
