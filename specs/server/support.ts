import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'
import { startClock, warmUp } from '../../src/clock/index.js'
import type { Clock, ClockKind, ClockOptions, ClockRun } from '../../src/clock/model.js'
import type { Schedule, ScheduleInput } from '../../src/schedule/model.js'
import { parseSchedule } from '../../src/schedule/parse.js'
import { startServer } from '../../src/server/http-server.js'
import type { ScriptedServer, ServerOptions } from '../../src/server/model.js'

export interface Scene {
  readonly server: ScriptedServer
  readonly clock: Clock
  /** Waits on the clock of the scene. */
  wait(ms: number): Promise<void>
  dial(): RawClient
  /** One request on a connection of its own, read to the end of the connection. */
  ask(request?: RawRequest): Promise<RawEnd>
}

type SceneOptions = Partial<Omit<ServerOptions, 'schedule' | 'clock'>> & { clock?: ClockKind; clockOptions?: ClockOptions }

/** Runs `body` against a server that plays the schedule, in virtual time unless told otherwise. */
export async function onStage<T>(
  schedule: ScheduleInput,
  body: (scene: Scene) => Promise<T>,
  options: SceneOptions = {},
): Promise<T> {
  const { clock: kind = 'virtual', clockOptions, ...serverOptions } = options
  await warmUp()
  const run = startClock(kind, clockOptions)
  try {
    return await play(run, parseSchedule(schedule), body, serverOptions)
  } finally {
    run.stop()
  }
}

async function play<T>(
  run: ClockRun,
  schedule: Schedule,
  body: (scene: Scene) => Promise<T>,
  options: Partial<ServerOptions>,
): Promise<T> {
  const { clock } = run
  const server = await startServer({
    schedule,
    clock,
    dedup: 'replay',
    keyHeader: 'idempotency-key',
    token: 't',
    ...options,
  })
  const clients: RawClient[] = []
  const dial = () => {
    const client = new RawClient(server.port, clock)
    clients.push(client)
    return client
  }
  let outcome: { value: T } | { error: unknown } | undefined
  try {
    const end = await run.drive(async () => {
      try {
        outcome = {
          value: await body({
            server,
            clock,
            wait: (ms) => new Promise((resolve) => void clock.after(ms, resolve)),
            dial,
            ask: (request) => dial().send(request).ended,
          }),
        }
      } catch (error) {
        outcome = { error }
      }
    })
    if (outcome === undefined) throw new Error(`the scene did not end: ${JSON.stringify(end)}`)
    if ('error' in outcome) throw outcome.error
    expect(run.relapses()).toBe(0)
    return outcome.value
  } finally {
    for (const client of clients) client.hangUp()
    await server.close()
  }
}

export interface RawRequest {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Default false: the connection is asked to close after the answer. */
  readonly keepAlive?: boolean
}

/** How a connection ended: by the server's FIN, or by its RST (or a refusal). */
export interface RawEnd {
  readonly text: string
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly by: 'FIN' | string
  readonly atMs: number
}

export const requestText = ({ method = 'POST', path = '/', headers = {}, body = '', keepAlive = false }: RawRequest): string => {
  const lines = Object.entries({ host: 'server', connection: keepAlive ? 'keep-alive' : 'close', ...headers })
  if (body !== '') lines.push(['content-length', String(Buffer.byteLength(body))])
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

/** A client that sees every byte, and when it came. */
export class RawClient {
  readonly socket: Socket
  /** Settles when the connection is over. */
  readonly ended: Promise<RawEnd>
  /** When each piece of the answer came. */
  readonly pieces: { readonly text: string; readonly atMs: number }[] = []
  #listeners = new Set<() => void>()

  constructor(port: number, clock: Clock) {
    this.socket = connect(port, '127.0.0.1')
    let by = 'FIN'
    this.socket.on('data', (chunk) => {
      this.pieces.push({ text: chunk.toString('latin1'), atMs: clock.nowMs() })
      for (const listener of this.#listeners) listener()
    })
    this.socket.on('error', (error: NodeJS.ErrnoException) => {
      by = error.code ?? error.message
    })
    this.ended = new Promise((resolve) => {
      this.socket.on('close', () => resolve({ ...parseAnswer(this.text), by, atMs: clock.nowMs() }))
    })
  }

  get text(): string {
    return this.pieces.map((piece) => piece.text).join('')
  }

  send(request: RawRequest = {}): this {
    this.socket.write(requestText(request))
    return this
  }

  write(text: string): this {
    this.socket.write(text)
    return this
  }

  /** Settles when what has been read satisfies `enough`. */
  until(enough: (text: string) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!enough(this.text)) return
        this.#listeners.delete(look)
        resolve()
      }
      this.#listeners.add(look)
      look()
    })
  }

  hangUp(): void {
    this.socket.destroy()
  }
}

function parseAnswer(text: string): Pick<RawEnd, 'text' | 'status' | 'headers' | 'body'> {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const status = /^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(': ')[0]!.toLowerCase(), line.slice(line.indexOf(': ') + 2)]),
  )
  return { text, status: status === undefined ? null : Number(status), headers, body: rest.join('\r\n\r\n') }
}

/** A body whose halves are easy to tell apart. */
export const TEN = '0123456789'
