import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { HeaderLines, Wire } from './wire.js'

const ONE_WRITE = 16_384

/** An exchange over a real socket, through node:http where a message is whole and beside it where it is not. */
export class HttpWire implements Wire {
  readonly #response: ServerResponse
  readonly #socket: Socket
  readonly #raceNext: () => void

  constructor(response: ServerResponse, socket: Socket, raceNext: () => void) {
    this.#response = response
    this.#socket = socket
    this.#raceNext = raceNext
  }

  get open(): boolean {
    return !this.#socket.destroyed && this.#socket.writable
  }

  head(status: number, headers: HeaderLines): void {
    // The flat list is the one form that keeps order, spelling and repetition.
    this.#response.writeHead(status, headers.flat())
  }

  flush(): void {
    this.#response.flushHeaders()
  }

  halfHead(status: number, headers: HeaderLines): void {
    const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
    const block = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    this.#socket.write(statusLine + block.slice(0, block.length >> 1), 'latin1')
  }

  write(bytes: Uint8Array): void {
    this.#response.write(bytes)
  }

  end(bytes: Uint8Array, delivered: () => void): void {
    // Text leaves together with the header block in one write, bytes in two; what is small is worth the copy.
    if (bytes.length < ONE_WRITE) this.#response.end(Buffer.from(bytes).toString('latin1'), 'latin1', delivered)
    else this.#response.end(bytes, delivered)
  }

  raw(text: string): void {
    this.#socket.write(text, 'latin1')
  }

  reset(): void {
    this.#socket.resetAndDestroy()
  }

  close(): void {
    this.#socket.destroySoon()
  }

  raceNext(): void {
    this.#raceNext()
  }
}
