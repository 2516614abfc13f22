/** Header lines as they are sent: name and value, in order, repeated ones kept. */
export type HeaderLines = readonly (readonly [name: string, value: string])[]

/** The client's end of one exchange. Each transport has its own; nothing above it knows which. */
export interface Wire {
  /** False once the client is gone. */
  readonly open: boolean
  /** Begins the final answer. The block may wait for the first bytes of the body, unless it is flushed. */
  head(status: number, headers: HeaderLines): void
  flush(): void
  /** The status line and about half of the header block; no answer can follow on this wire. */
  halfHead(status: number, headers: HeaderLines): void
  write(bytes: Uint8Array): void
  /** The last bytes of the message; `delivered` is called when they have been handed over. */
  end(bytes: Uint8Array, delivered: () => void): void
  /** Bytes outside of the final answer, sent as they are. */
  raw(text: string): void
  /** Breaks the connection (RST). */
  reset(): void
  /** Closes the connection after what was written (FIN). */
  close(): void
  /** Breaks the connection just as the next request arrives on it: the keep-alive race. */
  raceNext(): void
}
