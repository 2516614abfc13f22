import { toClient } from '../../trial/client.js'
import type { ClientInput } from '../../trial/model.js'
import type { FleetClient } from './model.js'

/** The user's own client, as a member of a fleet: `create` runs once for each of the clients. */
export function userClient(input: ClientInput): FleetClient {
  const { name, implementation } = toClient(input === globalThis.fetch ? globalFetch : input)
  return {
    name,
    create: async (_tools, baseURL) => {
      const instance = await implementation.create({ baseURL })
      return {
        call: (call) => implementation.call(instance, call),
        dispose: () => implementation.dispose?.(instance),
      }
    },
  }
}

/** `client: fetch` means whichever is the global one when the call is made: a transport without sockets takes its place. */
const globalFetch = {
  fetch: (url: string, init: RequestInit) => globalThis.fetch(url, init),
}.fetch
