import type { Schedule } from '../schedule/model.js'
import { refusedOnFetch } from '../server/fetch-offer.js'
import { startFetchServer } from '../server/fetch-transport.js'
import { startServer } from '../server/http-server.js'
import type { ScriptedServer, ServerOptions } from '../server/model.js'
import { startNockServer } from '../server/nock-transport.js'
import type { Transport } from '../trace/model.js'
import type { Client } from './model.js'
import type { ResolvedOptions } from './options.js'

/** A client with a built-in host is reached through nock, whatever transport was asked for: there is no other way to it. */
export const transportOf = (client: Client, options: ResolvedOptions): Transport =>
  client.options.origin === undefined ? options.transport : 'nock'

/** Whether every step of a list can be played without a socket. */
export const isForFetch = ({ steps }: Schedule): boolean => steps?.every((step) => refusedOnFetch(step).length === 0) === true

/** Starts the scripted server on the transport of the trial. */
export function startOn(transport: Transport, client: Client, options: ServerOptions): Promise<ScriptedServer> {
  switch (transport) {
    case 'socket':
      return startServer(options)
    case 'fetch':
      return startFetchServer(options)
    case 'nock':
      return startNockServer(client.options.origin!, options)
  }
}
