import { STATUS_CODES } from 'node:http'
import type { HeaderLines } from './wire.js'

/** What the transport tells whoever asked for the request. */
export interface Receiver {
  /** Before the request is sent. */
  start(): void
  head(status: number, headers: HeaderLines): void
  data(bytes: Uint8Array): void
  complete(): void
  error(error: Error): void
}

/** What whoever asked for the request tells the transport. */
export interface Control {
  abort(reason?: Error): void
  pause(): void
  resume(): void
}

/** The handler of undici 6 and 7 (Node 20, 22, 24). */
interface OlderHandler {
  onConnect(abort: (reason?: Error) => void, context: null): void
  onHeaders(status: number, rawHeaders: Buffer[], resume: () => void, statusText: string): boolean
  onData(chunk: Buffer): boolean
  onComplete(trailers: string[]): void
  onError(error: Error): void
}

/** The handler of undici 8 (Node 26). */
interface NewerHandler {
  onRequestStart(controller: Controller, context: object): void
  onResponseStart(controller: Controller, status: number, headers: Record<string, string | string[]>, statusText: string): void
  onResponseData(controller: Controller, chunk: Buffer): void
  onResponseEnd(controller: Controller, trailers: object): void
  onResponseError(controller: Controller | null, error: Error): void
}

interface Controller {
  readonly aborted: boolean
  readonly reason: Error | null
  readonly paused: boolean
  readonly rawHeaders: Buffer[] | null
  readonly rawTrailers: null
  abort(reason: Error): void
  pause(): void
  resume(): void
}

export type Handler = OlderHandler | NewerHandler

export const receiverOf = (handler: Handler, control: Control): Receiver =>
  'onRequestStart' in handler ? newerReceiver(handler, control) : olderReceiver(handler, control)

function olderReceiver(handler: OlderHandler, control: Control): Receiver {
  const pauseUnless = (goesOn: boolean): void => {
    if (goesOn === false) control.pause()
  }
  return {
    start: () => handler.onConnect((reason) => control.abort(reason), null),
    head: (status, headers) =>
      pauseUnless(handler.onHeaders(status, rawOf(headers), () => control.resume(), STATUS_CODES[status] ?? '')),
    data: (bytes) => pauseUnless(handler.onData(asBuffer(bytes))),
    complete: () => handler.onComplete([]),
    error: (error) => handler.onError(error),
  }
}

function newerReceiver(handler: NewerHandler, control: Control): Receiver {
  let reason: Error | null = null
  let paused = false
  let rawHeaders: Buffer[] | null = null
  const controller: Controller = {
    get aborted() {
      return reason !== null
    },
    get reason() {
      return reason
    },
    get paused() {
      return paused
    },
    get rawHeaders() {
      return rawHeaders
    },
    rawTrailers: null,
    abort(given) {
      if (reason !== null) return
      reason = given
      control.abort(given)
    },
    pause() {
      paused = true
      control.pause()
    },
    resume() {
      paused = false
      control.resume()
    },
  }
  return {
    start: () => handler.onRequestStart(controller, {}),
    head(status, headers) {
      rawHeaders = rawOf(headers)
      handler.onResponseStart(controller, status, grouped(headers), STATUS_CODES[status] ?? '')
    },
    data: (bytes) => handler.onResponseData(controller, asBuffer(bytes)),
    complete: () => handler.onResponseEnd(controller, {}),
    error: (error) => handler.onResponseError(controller, error),
  }
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const rawOf = (headers: HeaderLines): Buffer[] =>
  headers.flatMap(([name, value]) => [Buffer.from(name, 'latin1'), Buffer.from(value.trim(), 'latin1')])

function grouped(headers: HeaderLines): Record<string, string | string[]> {
  const groups: Record<string, string | string[]> = {}
  for (const [given, value] of headers) {
    const name = given.toLowerCase()
    const before = groups[name]
    groups[name] = before === undefined ? value.trim() : [before, value.trim()].flat()
  }
  return groups
}
