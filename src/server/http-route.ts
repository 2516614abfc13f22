/** The way that clients of node:http take to the script of a built-in host. */
export interface HttpRoute {
  /** Numbers of the connections that hold an answer the client has not read. */
  unread(): readonly number[]
  openSockets(): number
  drop(): void
  /** Takes the route away, and nothing else. */
  close(): Promise<void>
}
