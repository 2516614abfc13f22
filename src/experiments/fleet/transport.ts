import type { FleetTransportKind } from './model.js'

/** A socket costs about half a millisecond of real time per connection. */
const SOCKET_CALLS = 4_000

/** The built-in strategies go through any `fetch`; a client of the user's may hold its own, so sockets are the default while they are cheap. */
export const transportFor = (isUserClient: boolean, calls: number): FleetTransportKind =>
  isUserClient && calls <= SOCKET_CALLS ? 'socket' : 'fetch'
