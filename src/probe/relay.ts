import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../clock/model.js'
import type { AttemptBook } from '../server/attempt-book.js'
import { bodyHash } from '../server/body-hash.js'
import type { AttemptRecord } from '../server/record.js'
import { failureOf } from './upstream.js'

/** Bytes of a body that are kept; the rest passes through. */
const KEPT_BYTES = 1 << 20

/** Of one connection only, or made anew on each (RFC 9110 §7.6.1); `Keep-Alive` passes, since the connections are paired. */
const OF_CONNECTION = new Set([
  'connection',
  'proxy-connection',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'proxy-authenticate',
])

export interface RelayContext {
  readonly clock: Clock
  readonly book: AttemptBook
  readonly record: AttemptRecord
  /** An answer's Location that leads back to the endpoint has to lead through the proxy. */
  rewriteLocation(location: string): string
  /** Nothing that a client could be judged by: the endpoint cannot be reached at all. */
  onSetupFailure(code: string): void
  onOver(): void
}

/** Header lines that pass through, name and value by turns. */
export const passing = (rawHeaders: readonly string[], also: readonly string[] = []): string[] =>
  rawHeaders.flatMap((name, i) => {
    if (i % 2 === 1) return []
    const lower = name.toLowerCase()
    return OF_CONNECTION.has(lower) || also.includes(lower) ? [] : [name, rawHeaders[i + 1]!]
  })

/** One request on its way through the proxy. Both bodies stream; what the endpoint does to its connection is done to the client's. */
export class Relay {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #context: RelayContext
  #outgoing: ClientRequest | undefined
  #bodyBytes = 0
  #answerBytes = 0
  #over = false
  /** The connection broke (RST) while the answer was under way, as against ended. */
  #broke = false

  constructor(request: IncomingMessage, response: ServerResponse, context: RelayContext) {
    this.#request = request
    this.#response = response
    this.#context = context
  }

  start(outgoing: ClientRequest): void {
    this.#outgoing = outgoing
    this.#readRequest()
    outgoing.on('information', ({ statusCode, rawHeaders }) => this.#inform(statusCode, rawHeaders))
    outgoing.on('response', (answer) => this.#pass(answer))
    outgoing.on('error', (error) => this.#failed(error))
    this.#response.once('close', () => this.#clientClosed())
    this.#request.pipe(outgoing)
  }

  /** The run is over: nothing more is recorded. */
  abandon(): void {
    this.#over = true
    this.#outgoing?.destroy()
  }

  #readRequest(): void {
    const chunks: Uint8Array[] = []
    const { attempt } = this.#context.record
    this.#request.on('data', (chunk: Buffer) => {
      if (this.#bodyBytes < KEPT_BYTES) chunks.push(chunk)
      this.#bodyBytes += chunk.length
    })
    this.#request.on('end', () => {
      attempt.body = new Uint8Array(Buffer.concat(chunks))
      attempt.bodyHash = bodyHash(attempt.body, attempt.headers['content-type'])
      attempt.requestComplete = true
    })
    // The response reports it as a close; without a listener it would be thrown.
    this.#request.on('error', () => {})
  }

  #inform(status: number, rawHeaders: readonly string[]): void {
    if (this.#over || status === 100) return
    const lines = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${rawHeaders[i + 1]}\r\n`] : [])).join('')
    this.#response.socket?.write(`HTTP/1.1 ${status} \r\n${lines}\r\n`, 'latin1')
  }

  #pass(answer: IncomingMessage): void {
    if (this.#over) return
    const { record, clock, book } = this.#context
    const { attempt } = record
    const status = answer.statusCode!
    attempt.status = status
    attempt.result = status
    attempt.headersAtMs = clock.nowMs()
    // With a Date header the endpoint's own clock is known, and a Retry-After date counts on that.
    attempt.servedWallMs = answer.headers.date === undefined ? clock.wallMs() : null
    attempt.answerHeaders = answer.rawHeaders.flatMap((name, i) =>
      i % 2 === 0 ? [[name.toLowerCase(), answer.rawHeaders[i + 1]!] as const] : [],
    )
    this.#sendHead(answer, status)
    book.publish(record, 'headers')
    answer.on('data', (chunk: Buffer) => this.#passBody(answer, chunk))
    answer.on('end', () => this.#ended(answer))
    answer.on('error', () => this.#cut(answer))
    answer.on('close', () => this.#cut(answer))
  }

  #sendHead(answer: IncomingMessage, status: number): void {
    const lines = passing(answer.rawHeaders).map((line, i, all) =>
      i % 2 === 1 && /^location$/i.test(all[i - 1]!) ? this.#context.rewriteLocation(line) : line,
    )
    this.#response.sendDate = false
    if (/\bclose\b/i.test(answer.headers.connection ?? '')) this.#response.shouldKeepAlive = false
    this.#response.writeHead(status, answer.statusMessage ?? '', lines)
    this.#response.flushHeaders()
  }

  #passBody(answer: IncomingMessage, chunk: Buffer): void {
    if (this.#over) return
    if (this.#answerBytes < KEPT_BYTES) this.#context.record.appendBody(chunk)
    this.#answerBytes += chunk.length
    if (this.#response.write(chunk)) return
    answer.pause()
    this.#response.once('drain', () => answer.resume())
  }

  #ended(answer: IncomingMessage): void {
    if (!answer.complete) {
      this.#cut(answer)
      return
    }
    this.#response.end(() => {
      if (this.#over) return
      this.#context.record.attempt.answerComplete = true
      this.#finish('ended')
    })
  }

  /** The endpoint broke off inside the body. */
  #cut(answer: IncomingMessage): void {
    if (this.#over || answer.complete) return
    const { attempt } = this.#context.record
    const isChunked = /chunked/i.test(answer.headers['transfer-encoding'] ?? '')
    attempt.step = this.#broke ? { fault: 'reset-body' } : { status: attempt.status!, truncate: isChunked ? 'chunked' : 'length' }
    this.#finish('ended')
    if (this.#broke) this.#response.socket?.resetAndDestroy()
    else this.#response.socket?.destroySoon()
  }

  #failed(error: NodeJS.ErrnoException & { rawPacket?: Buffer }): void {
    if (this.#over) return
    const { record, onSetupFailure } = this.#context
    if (record.attempt.status !== null) {
      this.#broke = error.syscall !== undefined
      return
    }
    const failure = failureOf(error)
    if (failure.kind === 'setup') {
      onSetupFailure(failure.code)
    } else {
      record.attempt.result = failure.fault
      record.attempt.step = { fault: failure.fault }
    }
    this.#finish('ended')
    const { socket } = this.#response
    if (failure.kind === 'fault' && failure.fault === 'garbage') socket?.write(error.rawPacket ?? '')
    // A connection that the client has made already cannot be refused any more: a reset is the nearest thing.
    if (failure.kind === 'fault' && (failure.fault === 'close' || failure.fault === 'garbage')) socket?.destroySoon()
    else socket?.resetAndDestroy()
  }

  #clientClosed(): void {
    if (this.#over) return
    const { record, clock } = this.#context
    record.attempt.hungUpAtMs = clock.nowMs()
    if (record.attempt.result === 'open') record.attempt.result = 'hang-up'
    this.#finish('hung-up')
    this.#outgoing?.destroy()
  }

  #finish(change: 'ended' | 'hung-up'): void {
    const { record, clock, book, onOver } = this.#context
    this.#over = true
    record.attempt.endedAtMs = clock.nowMs()
    book.publish(record, change)
    onOver()
  }
}
