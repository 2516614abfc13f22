import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http'
import http, { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import zlib from 'node:zlib'
import { afterAll, expect } from 'vitest'
import { startClock, warmUp } from '../../src/clock/index.js'
import type { Clock, ClockOptions, ClockRun, DriveResult } from '../../src/clock/model.js'

export interface Reply {
  readonly status?: number
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
  readonly delayMs?: number
  /** The answer begins after delayMs, its second half comes this much later. */
  readonly bodyDelayMs?: number
  readonly fault?: 'hang' | 'reset' | 'truncate'
}

export type Script = (index: number, body: Buffer) => Reply

const ok: Script = () => ({})

/** Settings under which node:http has no timers of its own on the C++ side or in the way of the clock. */
export const SERVER_OPTIONS = {
  keepAliveTimeout: 0,
  headersTimeout: 0,
  requestTimeout: 0,
  connectionsCheckingInterval: 2 ** 31 - 1,
  noDelay: true,
}

const readBody = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('error', () => {})
    request.on('end', () => resolve(Buffer.concat(chunks)))
  })

/** A node:http server that answers at quiescent points, as the product's own does. */
export class TestServer {
  readonly http: Server = createServer(SERVER_OPTIONS, (request, response) => void this.#receive(request, response))
  /** Virtual times at which requests were handled. */
  arrivalsMs: number[] = []
  paths: string[] = []
  script: Script = ok
  clock!: Clock

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.http.listen(0, '127.0.0.1', resolve))
    return this
  }

  get port(): number {
    return (this.http.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  join(clock: Clock, script: Script): void {
    this.clock = clock
    this.script = script
    this.arrivalsMs = []
    this.paths = []
    clock.adoptServer(this.http)
  }

  async close(): Promise<void> {
    this.http.closeAllConnections()
    await new Promise((resolve) => this.http.close(resolve))
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    this.clock.atQuiescence(
      () => this.#handle(request, response, body),
      () => this.clock.socketOrder(request.socket),
    )
  }

  #handle(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const reply = this.script(this.arrivalsMs.length, body)
    this.arrivalsMs.push(this.clock.nowMs())
    this.paths.push(request.url ?? '')
    response.on('error', () => {})
    if (reply.fault === 'hang') return
    const answer = () => this.#answer(request, response, reply)
    if (reply.delayMs === undefined) answer()
    else response.once('close', this.clock.after(reply.delayMs, answer))
  }

  #answer(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
    if (reply.fault === 'reset') {
      request.socket.resetAndDestroy()
      return
    }
    const data = Buffer.from(reply.body ?? '{"ok":true}')
    const isTruncated = reply.fault === 'truncate'
    response.sendDate = false
    response.writeHead(reply.status ?? 200, { ...reply.headers, 'Content-Length': data.length + (isTruncated ? 100 : 0) })
    if (isTruncated) response.write(data, () => request.socket.destroy())
    else if (reply.bodyDelayMs === undefined) response.end(data)
    else {
      response.write(data.subarray(0, 2))
      this.clock.after(reply.bodyDelayMs, () => response.end(data.subarray(2)))
    }
  }
}

/** As a trial does, it warms the process up first: a cold fetch compiles on threads that nobody sees. */
export const listeningServer = async (): Promise<TestServer> => {
  await warmUp()
  const server = await new TestServer().listen()
  afterAll(() => server.close())
  return server
}

export interface Outcome<T> {
  readonly value: T | undefined
  readonly error: unknown
  readonly result: DriveResult
  readonly run: ClockRun
}

export interface Setup extends ClockOptions {
  readonly server?: TestServer
  readonly script?: Script
}

/**
 * Drives `body` under virtual time to its end. Whatever happens, the idle detector must not have been wrong once: a relapse is a moment at
 * which time could have moved while something was under way.
 */
export const inVirtualTime = async <T>(
  body: (clock: Clock, run: ClockRun) => Promise<T>,
  setup: Setup = {},
): Promise<Outcome<T>> => {
  const { server, script = ok, ...options } = setup
  const run = startClock('virtual', options)
  try {
    server?.join(run.clock, script)
    let value: T | undefined
    let error: unknown
    const result = await run.drive(async () => {
      try {
        value = await body(run.clock, run)
      } catch (reason) {
        error = reason
      }
    })
    server?.http.closeAllConnections()
    await run.linger(600_000)
    expect(run.relapses()).toBe(0)
    return { value, error, result, run }
  } finally {
    run.stop()
  }
}

/** As `inVirtualTime`, for a body that must settle well. */
export const valueInVirtualTime = async <T>(body: (clock: Clock, run: ClockRun) => Promise<T>, setup: Setup = {}): Promise<T> => {
  const { value, error, result } = await inVirtualTime(body, setup)
  if (error !== undefined) throw error
  expect(result.kind).toBe('settled')
  return value as T
}

export const sleep = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs))

export const get = (url: string, options: http.RequestOptions = {}): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    http.get(url, options, resolve).on('error', reject)
  })

export const getText = async (url: string, options: http.RequestOptions = {}): Promise<string> => {
  let text = ''
  for await (const chunk of await get(url, options)) text += chunk
  return text
}

export const gzip = (data: Buffer | string): Reply => ({ headers: { 'content-encoding': 'gzip' }, body: zlib.gzipSync(data) })
