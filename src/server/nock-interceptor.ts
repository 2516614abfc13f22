import type { Engine } from './engine.js'
import type { HttpRoute } from './http-route.js'
import type { ServerOptions } from './model.js'
import { NockFront } from './nock-front.js'
import { type InterceptedRequest, type NockInterception, RUNNING } from './nock-loader.js'

type WithRunning = typeof globalThis & { [RUNNING]?: unknown }

/** Intercepts the requests that node:http has for the origin, as nock 14 does it. */
export function interceptRequests(
  engine: Engine,
  options: ServerOptions,
  origin: string,
  nextNumber: () => number,
  interception: NockInterception,
): HttpRoute {
  const front = new NockFront(engine, options, origin, nextNumber, interception.rawRequestOf)
  const stop = applyInterceptor(interception, front.listen)
  return {
    unread: () => [],
    openSockets: () => 0,
    drop: () => front.dropAll(),
    async close() {
      stop()
      front.dropAll()
    },
  }
}

function applyInterceptor(
  { createInterceptor }: NockInterception,
  listen: (event: InterceptedRequest) => Promise<void>,
): () => void {
  const interceptor = createInterceptor()
  const shared: WithRunning = globalThis
  const running = shared[RUNNING]
  interceptor.apply()
  interceptor.on('request', listen)
  return () => {
    interceptor.dispose()
    // A lender that goes takes the one it lent to off the record, whose owner could not end it any more.
    if (running !== undefined) shared[RUNNING] = running
  }
}
