import { STATUS_CODES } from 'node:http'
import { resetError } from './fetch-errors.js'
import type { InterceptedRequest } from './nock-loader.js'
import type { HeaderLines, Wire } from './wire.js'

/** What node:http says of a connection that closed without an answer. */
const hangUpError = (): Error => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })

const BODILESS: readonly number[] = [204, 205, 304]

/** An exchange with a client of node:http whose connection is an interceptor. */
export class NockWire implements Wire {
  readonly #controller: InterceptedRequest['controller']
  readonly #isHead: boolean
  #open = true
  #head: { readonly status: number; readonly headers: HeaderLines } | null = null
  #stream: ReadableStreamDefaultController<Uint8Array> | null = null
  #over: (() => void) | undefined
  /** Settles when the request has its answer or its error. */
  readonly settled = new Promise<void>((resolve) => {
    this.#over = resolve
  })

  constructor({ request, controller }: InterceptedRequest) {
    this.#controller = controller
    this.#isHead = request.method === 'HEAD'
  }

  get open(): boolean {
    return this.#open
  }

  /** The client is gone; whoever waits for its answer goes on waiting. */
  hangUp(): void {
    this.#open = false
  }

  fail(error: Error): void {
    if (!this.#open) return
    this.#open = false
    if (this.#stream !== null) this.#stream.error(error)
    else this.#controller.errorWith(error)
    this.#over?.()
  }

  head(status: number, headers: HeaderLines): void {
    this.#head = { status, headers }
  }

  flush(): void {
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        this.#stream = stream
      },
    })
    this.#respond(body)
  }

  write(bytes: Uint8Array): void {
    if (this.#open && bytes.length > 0) this.#stream?.enqueue(bytes)
  }

  end(bytes: Uint8Array, delivered: () => void): void {
    if (!this.#open) return
    if (this.#stream === null) this.#respond(bytes)
    else {
      this.write(bytes)
      this.#stream.close()
    }
    this.#open = false
    delivered()
  }

  reset(): void {
    this.fail(resetError())
  }

  close(): void {
    this.fail(hangUpError())
  }

  halfHead(): void {
    throw new TypeError('half a header block needs a socket')
  }

  raw(): void {
    throw new TypeError('bytes outside of an answer need a socket')
  }

  raceNext(): void {
    throw new TypeError('the keep-alive race needs a socket')
  }

  #respond(body: Uint8Array | ReadableStream<Uint8Array>): void {
    const { status, headers } = this.#head!
    const content = this.#isHead || BODILESS.includes(status) ? null : body
    const response = new Response(content as ConstructorParameters<typeof Response>[0], {
      status,
      statusText: STATUS_CODES[status],
      headers: headers.map(([name, value]): [string, string] => [name, value]),
    })
    this.#controller.respondWith(response)
    this.#over?.()
  }
}
